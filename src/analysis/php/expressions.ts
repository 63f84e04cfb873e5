import { ORIGIN } from '../origin.ts';
import { judgeJoinedAddress } from './addresses.ts';
import { callValue } from './calls.ts';
import { include } from './includes.ts';
import { noteInjection } from './injections.ts';
import { callMethod } from './methods.ts';
import { foldBinary, foldUnary } from './operators.ts';
import { assign, hiddenSuperglobal, itemOf, type Place, readMember, readVariableVariable } from './places.ts';
import { POSTFIX, POSTFIX_BY_SIGN } from './postfix.ts';
import { readArguments, readPrimary } from './primaries.ts';
import { print } from './sinks.ts';
import { isFromCaller } from './superglobals.ts';
import type { PhpToken } from './token.ts';
import { from, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Binary operators by precedence, loosest first (PHP manual, operator precedence). */
const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  Object.entries({
    or: 1,
    xor: 2,
    and: 3,
    '?': 5,
    '??': 6,
    '||': 7,
    '&&': 8,
    '|': 9,
    '^': 10,
    '&': 11,
    '==': 12,
    '!=': 12,
    '===': 12,
    '!==': 12,
    '<>': 12,
    '<=>': 12,
    '<': 13,
    '>': 13,
    '<=': 13,
    '>=': 13,
    '.': 14,
    '<<': 15,
    '>>': 15,
    '+': 16,
    '-': 16,
    '*': 17,
    '/': 17,
    '%': 17,
    instanceof: 18,
    '**': 19,
  }),
);
/** Operators that evaluate their right side conditionally. */
const DECIDES = new Set(['?', '&&', '||', 'and', 'or']);
const PREFIX = new Set(['@', '&', '!', '-', '+', '~', '++', '--', '...']);
const KEYWORD_PREFIX = new Set(['print', 'clone', 'throw', 'yield', 'from', 'await']);
const INCLUDES = new Set(['include', 'include_once', 'require', 'require_once']);

/** Reads and evaluates one expression. Always advances. */
export function readExpression(walk: Walk, minimum = 0): Value {
  if (!walk.enter()) return UNKNOWN;
  const { tokens, callerReads } = walk;
  let left = readUnary(walk);
  while (true) {
    const token = tokens[walk.position];
    if (token === undefined || (token.kind !== 'operator' && token.kind !== 'name')) break;
    const precedence = PRECEDENCE.get(token.text);
    if (precedence === undefined || precedence < minimum) break;
    const before = tokens[walk.position - 1];
    walk.position++;
    if (DECIDES.has(token.text)) walk.noteGate(callerReads);
    if (token.text === '?') left = readConditional(walk, left);
    else {
      const right = readExpression(walk, precedence + 1);
      if (token.text === '.') {
        judgeJoinedAddress(walk, before, right, token.at);
        noteInjection(walk, left, right);
      }
      left = foldBinary(walk, token.text, left, right);
    }
  }
  walk.leave();
  return left;
}

function readConditional(walk: Walk, condition: Value): Value {
  const whenTrue = walk.isOperator(':') ? condition : readExpression(walk, 4);
  if (!walk.accept(':')) return whenTrue;
  const whenFalse = readExpression(walk, 6);
  return merged(whenTrue, whenFalse);
}

/** Merges the values of two alternatives; prefers constants, which are more likely the secret. */
function merged(one: Value, other: Value): Value {
  const origins = one.origins | other.origins;
  const known = one.text ? one : other.text ? other : one.items ? one : other;
  return { ...known, origins };
}

function readUnary(walk: Walk): Value {
  const token = walk.tokens[walk.position];
  if (token === undefined) return UNKNOWN;
  if (token.kind === 'variable' || token.kind === 'string') return readPostfix(walk);
  if (token.kind === 'operator' && PREFIX.has(token.text)) {
    walk.position++;
    return foldUnary(walk, token.text, readExpression(walk, 18));
  }
  if (token.kind === 'cast') {
    walk.position++;
    const value = readExpression(walk, 18);
    return /int|bool|float|double/i.test(token.text)
      ? { ...(value.text === undefined ? {} : { text: value.text }), origins: 0 }
      : value;
  }
  if (token.kind === 'name') {
    if (KEYWORD_PREFIX.has(token.text) && !walk.isOperator('(', 1)) {
      walk.position++;
      const value = readExpression(walk, 1);
      if (token.text === 'print') print(walk, value, token.at);
      else if (token.text === 'yield' && walk.current) walk.current.returns |= value.origins & ORIGIN.request;
      return value;
    }
    if (INCLUDES.has(token.text)) {
      walk.position++;
      const file = readExpression(walk, 5);
      include(walk, file, token.at);
      return UNKNOWN;
    }
  }
  return readPostfix(walk);
}

function readPostfix(walk: Walk): Value {
  const { tokens } = walk;
  const start = tokens[walk.position] as PhpToken;
  // A text that grows by `.=` is not recalled each time.
  const isStatement = walk.position === walk.statementAt;
  let place: Place | undefined;
  let value: Value;
  if (start.kind === 'variable') {
    walk.position++;
    place = { name: start.text, isItem: false };
    value = walk.variable(start.text);
  } else if (start.kind === 'operator' && start.text === '$') {
    place = readVariableVariable(walk);
    value = place ? walk.variable(place.name) : UNKNOWN;
    // The name is not set in the file, so its source is hidden.
    if (value.text === '') value = from(value.origins | ORIGIN.disguised);
  } else value = readPrimary(walk, start);

  while (true) {
    const token = tokens[walk.position];
    const postfix = token?.kind === 'operator' ? POSTFIX_BY_SIGN.get(token.text) : undefined;
    if (token === undefined || postfix === undefined || postfix === POSTFIX.ends) return walk.recall(value);
    if (postfix === POSTFIX.closes)
      return value.text && place && isMeasured(walk) ? value : walk.recall(value);
    if (postfix === POSTFIX.item || (postfix === POSTFIX.brace && place !== undefined && isOffset(walk))) {
      walk.position++;
      const closing = postfix === POSTFIX.item ? ']' : '}';
      const key = walk.isOperator(closing) ? undefined : readExpression(walk);
      walk.accept(closing);
      if (place?.name === 'GLOBALS' && !place.isItem && key?.text !== undefined) {
        if (isFromCaller(key.text) && key.origins !== 0) hiddenSuperglobal(walk, token.at);
        place = { name: key.text, isItem: false };
        value = walk.globals.get(key.text) ?? walk.variable(key.text);
        continue;
      }
      // Reading one character is cheap, however long the text is.
      value = itemOf(walk, place, key?.text === undefined ? walk.recall(value) : value, key);
      place = place && { name: place.name, key: key?.text, isItem: true };
    } else if (postfix === POSTFIX.call) {
      const args = readArguments(walk);
      value = callValue(
        walk,
        walk.recall(value),
        args,
        token.at,
        start.kind === 'variable' || start.kind === 'operator',
      );
      place = undefined;
    } else if (postfix === POSTFIX.member) {
      walk.position++;
      const member = readMember(walk, value);
      if (walk.isOperator('(')) {
        const args = readArguments(walk);
        value = member === undefined ? UNKNOWN : callMethod(walk, member, args, token.at, value);
        place = undefined;
      } else {
        place = member === undefined ? undefined : { name: `->${member}`, isItem: false };
        value = fieldOf(value, place ? walk.variable(place.name) : UNKNOWN);
        if (token.text === '::' && member !== undefined) value = walk.constants.get(member) ?? value;
      }
    } else if (postfix === POSTFIX.step) {
      walk.position++;
      if (place && !place.isItem) walk.assign(place.name, foldUnary(walk, token.text, value));
    } else if (place && postfix === POSTFIX.assigns) {
      walk.position++;
      walk.accept('&');
      const right = readExpression(walk, 4);
      value = assign(walk, place, token.text, value, right);
      return isStatement ? value : walk.recall(value);
    } else return walk.recall(value);
  }
}

/** A field of an object that the caller sent also comes from the caller. */
const fieldOf = ({ origins }: Value, field: Value): Value =>
  origins & ORIGIN.request ? { ...field, origins: field.origins | ORIGIN.request } : field;

/** Whether a variable is the only argument of a function that does not read the whole text. */
const isMeasured = ({ tokens, position }: Walk): boolean =>
  tokens[position - 2]?.text === '(' && MEASURES.has(tokens[position - 3]?.text ?? '');
const MEASURES = new Set(['strlen', 'ord', 'count', 'sizeof']);

/** Whether the brace after a variable is an offset, as in PHP up to 7, rather than a block. */
function isOffset(walk: Walk): boolean {
  const next = walk.peek(1);
  const after = walk.peek(2);
  if (next === undefined || after === undefined) return false;
  if (walk.peek(-1)?.text === ')') return false;
  return (
    (next.kind === 'number' || next.kind === 'variable' || next.kind === 'string') &&
    after.kind === 'operator' &&
    '}+-*%'.includes(after.text)
  );
}
