import { ORIGIN, POSITIONS, positionOf } from '../origin.ts';
import { judgeJoinedAddress } from './addresses.ts';
import { readExpression } from './expressions.ts';
import { LEADING, OF_CLASSES, TYPES } from './keywords.ts';
import { passwordPositions } from './passwords.ts';
import { judgeHash } from './settings.ts';
import { print } from './sinks.ts';
import { constant, from, originsOf, UNKNOWN, type Value, withoutPositions } from './value.ts';
import type { FunctionSummary, Walk } from './walk.ts';

/** Reads everything up to the end of the tokens. */
export function readStatements(walk: Walk): void {
  while (walk.token !== undefined) readStatement(walk);
}

/** Reads a block up to its closing brace. */
function readBlock(walk: Walk): void {
  while (walk.token !== undefined && !walk.isOperator('}')) readStatement(walk);
  walk.accept('}');
}

function readNested(walk: Walk): void {
  if (!walk.enter()) return;
  readBlock(walk);
  walk.leave();
}

function readStatement(walk: Walk): void {
  const start = walk.position;
  const { token } = walk;
  if (token === undefined) return;
  walk.statementAt = start;
  if (token.kind === 'html') walk.position++;
  else if (token.kind === 'operator' && token.text === '{') {
    walk.position++;
    const { guards } = walk;
    walk.branches++;
    readNested(walk);
    walk.branches--;
    // What is checked inside of a block says nothing of what comes after it.
    walk.guards = guards;
  } else if (token.kind === 'name' && !readKeyword(walk, token.text)) readExpression(walk);
  else if (token.kind !== 'name') readExpression(walk);
  if (walk.position === start) walk.position++;
}

/** Reads a statement that begins with a keyword; false when the name is none. */
function readKeyword(walk: Walk, word: string): boolean {
  if (OF_CLASSES.has(word) && walk.peek(1)?.kind === 'variable' && walk.isOperator('=', 2)) {
    const name = walk.peek(1)?.text ?? '';
    walk.position += 3;
    walk.assign(`->${name}`, readExpression(walk, 4));
    return true;
  }
  if (LEADING.has(word)) {
    walk.position++;
    return true;
  }
  switch (word) {
    case 'function':
      if (walk.isOperator('(', 1) || (walk.isOperator('&', 1) && walk.isOperator('(', 2))) return false;
      walk.position++;
      walk.accept('&');
      readFunction(walk, walk.token?.text ?? '');
      return true;
    case 'foreach':
      walk.position++;
      readForeach(walk);
      return true;
    case 'return':
      walk.position++;
      readReturn(walk);
      return true;
    case 'echo':
      walk.position++;
      do {
        const { position: start } = walk;
        const at = walk.token?.at ?? 0;
        // Between the markup and the word stands the sign that ends a statement.
        const before = walk.tokens[walk.statementAt - 2];
        const value = readExpression(walk, 4);
        judgeJoinedAddress(walk, before, value, at);
        print(walk, value, at);
        judgeHash(walk, start, at);
      } while (walk.accept(','));
      return true;
    case 'global':
      walk.position++;
      readGlobal(walk);
      return true;
    case 'static':
      walk.position++;
      return true;
    case 'const':
      walk.position++;
      readConstant(walk);
      return true;
    case 'goto':
      walk.jumps++;
      walk.position += 2;
      return true;
    case 'namespace':
    case 'use':
      while (walk.token !== undefined && !walk.isOperator(';') && !walk.isOperator('{')) walk.position++;
      return true;
    default:
      if (!TYPES.has(word) || walk.peek(1)?.kind !== 'name') return false;
      while (walk.token !== undefined && !walk.isOperator('{') && !walk.isOperator(';')) walk.position++;
      return true;
  }
}

function readForeach(walk: Walk): void {
  walk.accept('(');
  const whole = readExpression(walk);
  if (!walk.isName('as')) return;
  walk.position++;
  const item: Value = whole.items ? from(originsOf(whole)) : from(whole.origins);
  while (
    walk.token !== undefined &&
    !walk.isOperator(')') &&
    !walk.isOperator(';') &&
    !walk.isOperator('{')
  ) {
    if (walk.token.kind === 'variable') walk.assign(walk.token.text, item);
    walk.position++;
  }
  walk.accept(')');
}

function readReturn(walk: Walk): void {
  if (walk.isOperator(';') || walk.token === undefined) return;
  const value = readExpression(walk);
  const origins = originsOf(value) & ~ORIGIN.assembled;
  // Of several values that are returned, one may be the parameter as it is.
  const mayBeWhole = origins & ORIGIN.parameter && !(origins & ORIGIN.request);
  // A property may hold what any parameter brought.
  const positions = origins & ORIGIN.parameter && !(origins & POSITIONS) ? POSITIONS : 0;
  if (walk.current) walk.current.returns |= positions | (mayBeWhole ? origins & ~ORIGIN.partial : origins);
}

function readGlobal(walk: Walk): void {
  while (walk.token?.kind === 'variable') {
    const { text } = walk.token;
    const known = walk.globals.get(text);
    if (known && walk.variables !== walk.globals) walk.assign(text, known);
    walk.position++;
    if (!walk.accept(',')) return;
  }
}

function readConstant(walk: Walk): void {
  while (walk.token?.kind === 'name') {
    const { text } = walk.token;
    walk.position++;
    if (!walk.accept('=')) continue;
    walk.constants.set(text, readExpression(walk, 4));
    if (!walk.accept(',')) return;
  }
}

/**
 * Reads a function from its name, or from its keyword when it has none, to its end. What its parameters reach
 * and what it returns is kept under its name.
 */
export function readFunction(walk: Walk, name: string): Value {
  // A closure gets a name of its own, which is also its value.
  const known = name === '' ? `{closure ${walk.position}}` : name;
  if (name !== '') walk.position++;
  else walk.accept('&');
  const parameters = readParameters(walk);
  const summary = walk.functions.get(known) ?? newSummary(parameters.length);
  walk.functions.set(known, summary);
  const captured = readCaptured(walk);
  while (
    walk.token !== undefined &&
    !walk.isOperator('{') &&
    !walk.isOperator(';') &&
    !walk.isOperator('=>')
  ) {
    walk.position++;
  }

  const { variables, scope, current, branches, guards, passwordBits } = walk;
  walk.passwordBits = passwordPositions(parameters);
  walk.branches = 0;
  walk.guards = new Set();
  walk.variables = new Map<string, Value>();
  walk.scope = `${scope}/${known}`;
  walk.current = summary;
  for (const [position, parameter] of parameters.entries()) {
    walk.variables.set(parameter, from(ORIGIN.parameter | positionOf(position)));
  }
  for (const variable of captured)
    walk.variables.set(variable, withoutPositions(variables.get(variable) ?? UNKNOWN));
  if (walk.accept('{')) readNested(walk);
  else if (walk.accept('=>')) readExpression(walk, 4);
  walk.variables = variables;
  walk.scope = scope;
  walk.current = current;
  walk.branches = branches;
  walk.guards = guards;
  walk.passwordBits = passwordBits;
  return name === '' ? constant(known) : UNKNOWN;
}

const newSummary = (parameters: number): FunctionSummary => ({
  reaches: new Map(),
  reachesWhole: new Set(),
  guards: new Set(),
  parameters,
  returns: 0,
});

function readParameters(walk: Walk): string[] {
  const names: string[] = [];
  if (!walk.accept('(')) return names;
  while (walk.token !== undefined && !walk.isOperator(')')) {
    const start = walk.position;
    if (walk.token.kind === 'variable') {
      names.push(walk.token.text);
      walk.position++;
    } else if (walk.accept('=')) readExpression(walk, 4);
    if (walk.position === start) walk.position++;
  }
  walk.accept(')');
  return names;
}

function readCaptured(walk: Walk): string[] {
  if (!walk.isName('use')) return [];
  walk.position++;
  return readParameters(walk);
}
