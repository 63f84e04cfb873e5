import { ORIGIN, POSITIONS } from '../origin.ts';
import { judgeJoinedAddress } from './addresses.ts';
import { readFunction } from './definitions.ts';
import { readExpression } from './expressions.ts';
import { LEADING, OF_CLASSES, TYPES } from './keywords.ts';
import { judgeHash } from './settings.ts';
import { print } from './sinks.ts';
import { isFromCaller } from './superglobals.ts';
import { from, originsOf, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Reads all statements. */
export function readStatements(walk: Walk): void {
  while (walk.token !== undefined) readStatement(walk);
}

/** Reads a block up to its closing brace. */
function readBlock(walk: Walk): void {
  while (walk.position < walk.tokens.length && !walk.isOperator('}')) readStatement(walk);
  walk.accept('}');
}

/** Reads a block, one level down. */
export function readNested(walk: Walk): void {
  if (!walk.enter()) return;
  readBlock(walk);
  walk.leave();
}

/** Reads one statement of any kind. Always advances. */
function readStatement(walk: Walk): void {
  const start = walk.position;
  const token = walk.tokens[start];
  if (token === undefined) return;
  walk.statementAt = start;
  if (token.kind === 'variable') readExpression(walk);
  else if (token.kind === 'name') {
    if (!readKeyword(walk, token.text)) readExpression(walk);
  } else if (token.kind === 'html') walk.position++;
  else if (token.kind === 'operator' && token.text === '{') {
    walk.position++;
    const { guards } = walk;
    walk.branches++;
    readNested(walk);
    walk.branches--;
    // Checks inside a block do not apply after it.
    walk.guards = guards;
  } else readExpression(walk);
  if (walk.position === start) walk.position++;
}

/** Words before a condition. */
const ASKS = new Set(['if', 'elseif', 'switch', 'while']);

/** Reads a statement that begins with a keyword; false for other words. */
function readKeyword(walk: Walk, word: string): boolean {
  if (OF_CLASSES.has(word) && walk.peek(1)?.kind === 'variable' && walk.isOperator('=', 2)) {
    readProperty(walk, 1);
    return true;
  }
  if (LEADING.has(word)) {
    walk.position++;
    if (ASKS.has(word) && walk.isOperator('(')) {
      const { callerReads } = walk;
      readExpression(walk);
      walk.noteGate(callerReads);
    }
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
        // The token between the markup and `echo` is a semicolon.
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
      // Outside of functions it is a property of a class.
      if (walk.scope === '' && walk.token?.kind === 'variable' && walk.isOperator('=', 1))
        readProperty(walk, 0);
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
      walk.classes.add(walk.peek(1)?.text ?? '');
      while (walk.token !== undefined && !walk.isOperator('{') && !walk.isOperator(';')) walk.position++;
      return true;
  }
}

/** Reads the initial value of a property, whose name is `ahead` tokens away. */
function readProperty(walk: Walk, ahead: number): void {
  const name = `->${walk.peek(ahead)?.text ?? ''}`;
  walk.position += ahead + 2;
  const value = readExpression(walk, 4);
  walk.assign(name, value);
  if (value.text || value.items?.size) walk.declared.set(name, value);
}

function readForeach(walk: Walk): void {
  walk.accept('(');
  const whole = readExpression(walk);
  if (!walk.isName('as')) return;
  walk.position++;
  // In a list of names, a superglobal counts.
  const named = [...(whole.items?.values() ?? [])].find(
    ({ text }) => text !== undefined && isFromCaller(text),
  );
  const item: Value = named ?? from(originsOf(whole));
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
  const origins = originsOf(readExpression(walk)) & ~ORIGIN.assembled;
  // One of several return values may be the unchanged parameter.
  const mayBeWhole = origins & ORIGIN.parameter && !(origins & ORIGIN.request);
  // A property may contain any parameter.
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
