import { ORIGIN, POSITIONS } from '../origin.ts';
import { judgeJoinedAddress } from './addresses.ts';
import { readFunction } from './definitions.ts';
import { readExpression } from './expressions.ts';
import { LEADING, OF_CLASSES, TYPES } from './keywords.ts';
import { runCondition, runLoop } from './loops.ts';
import { judgeHash } from './settings.ts';
import { print } from './sinks.ts';
import { from, originsOf, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Reads everything up to the end of the tokens. */
export function readStatements(walk: Walk): void {
  while (walk.token !== undefined) readStatement(walk);
}

/** Reads a block up to its closing brace. */
function readBlock(walk: Walk): void {
  const { tokens, runs } = walk;
  while (walk.position < tokens.length && !walk.isOperator('}') && runs.leaving === undefined)
    readStatement(walk);
  walk.accept('}');
}

/** Reads a block, one level down. */
export function readNested(walk: Walk): void {
  if (!walk.enter()) return;
  readBlock(walk);
  walk.leave();
}

/** Reads one statement, whatever it is. Always moves on. */
export function readStatement(walk: Walk): void {
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
    // What is checked inside of a block says nothing of what comes after it.
    walk.guards = guards;
  } else readExpression(walk);
  if (walk.position === start) walk.position++;
}

/** Reads a statement that begins with a keyword; false when the name is none. */
function readKeyword(walk: Walk, word: string): boolean {
  if (OF_CLASSES.has(word) && walk.peek(1)?.kind === 'variable' && walk.isOperator('=', 2)) {
    readProperty(walk, 1);
    return true;
  }
  if ((word === 'for' || word === 'while') && runLoop(walk, word)) return true;
  if (word === 'if' && runCondition(walk)) return true;
  if (walk.runs.isRunning) leave(walk, word);
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
      if (runLoop(walk, word)) return true;
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
      while (walk.token !== undefined && !walk.isOperator('{') && !walk.isOperator(';')) walk.position++;
      return true;
  }
}

/** Reads what a class sets a property to, whose name stands some tokens ahead. */
function readProperty(walk: Walk, ahead: number): void {
  const name = `->${walk.peek(ahead)?.text ?? ''}`;
  walk.position += ahead + 2;
  const value = readExpression(walk, 4);
  walk.assign(name, value);
  if (value.text || value.items?.size) walk.declared.set(name, value);
}

/** Notes a word that leaves the loop or the function that is gone through, or what cannot be gone through. */
function leave({ runs }: Walk, word: string): void {
  if (word === 'break' || word === 'continue') runs.leaving = word;
  else if (word === 'switch' || word === 'do' || word === 'goto') runs.leaving = 'unknown';
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
  const { runs } = walk;
  const isEmpty = walk.isOperator(';') || walk.token === undefined;
  const value = isEmpty ? UNKNOWN : readExpression(walk);
  if (runs.isRunning) {
    runs.returned = value;
    runs.leaving ??= 'return';
    return;
  }
  if (isEmpty) return;
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
