import { ORIGIN } from '../origin.ts';
import { callFunction, callMethod, callValue, construct } from './calls.ts';
import { foldBinary, foldUnary } from './operators.ts';
import { PHP } from './signals.ts';
import { include, runCode, runCommand } from './sinks.ts';
import { readFunction } from './statements.ts';
import type { PhpToken, TemplatePart } from './token.ts';
import { constant, from, ITEMS_MAX, originsOf, UNKNOWN, type Value } from './value.ts';
import { isSuperglobal, type Walk } from './walk.ts';

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
const ASSIGNMENT = new Set([
  '=',
  '.=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '^=',
  '|=',
  '&=',
  '<<=',
  '>>=',
  '**=',
  '??=',
]);
const PREFIX = new Set(['@', '&', '!', '-', '+', '~', '++', '--', '...']);
const KEYWORD_PREFIX = new Set(['print', 'clone', 'throw', 'yield', 'from', 'await']);
const INCLUDES = new Set(['include', 'include_once', 'require', 'require_once']);

/** Where a value was read from, so that it can be assigned to. */
interface Place {
  readonly name: string;
  /** Constant keys below it; undefined for one that is not. */
  readonly key?: string | undefined;
  readonly isItem: boolean;
}

/** Reads one expression and works out what is known of its value. Always moves on. */
export function readExpression(walk: Walk, minimum = 0): Value {
  if (!walk.enter()) return UNKNOWN;
  let left = readUnary(walk);
  while (true) {
    const { token } = walk;
    const precedence =
      token?.kind === 'operator' || token?.kind === 'name' ? PRECEDENCE.get(token.text) : undefined;
    if (token === undefined || precedence === undefined || precedence < minimum) break;
    walk.position++;
    if (token.text === '?') left = readConditional(walk, left);
    else left = foldBinary(walk, token.text, left, readExpression(walk, precedence + 1));
  }
  walk.leave();
  return left;
}

function readConditional(walk: Walk, condition: Value): Value {
  const whenTrue = walk.isOperator(':') ? condition : readExpression(walk, 4);
  if (!walk.accept(':')) return whenTrue;
  const whenFalse = readExpression(walk, 6);
  return either(whenTrue, whenFalse);
}

/** What is known when it may be one or the other; the constant that is there is the likelier secret. */
function either(one: Value, other: Value): Value {
  const origins = one.origins | other.origins;
  const known = one.text ? one : other.text ? other : one.items ? one : other;
  return { ...known, origins };
}

function readUnary(walk: Walk): Value {
  const { token } = walk;
  if (token === undefined) return UNKNOWN;
  if (token.kind === 'operator' && PREFIX.has(token.text)) {
    walk.position++;
    return foldUnary(token.text, readExpression(walk, 18));
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
      return readExpression(walk, 1);
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
  const start = walk.token as PhpToken;
  let place: Place | undefined;
  let value: Value;
  if (start.kind === 'variable') {
    walk.position++;
    place = { name: start.text, isItem: false };
    value = walk.variable(start.text);
  } else if (start.kind === 'operator' && start.text === '$') {
    place = readVariableVariable(walk);
    value = place ? walk.variable(place.name) : UNKNOWN;
    if (place === undefined) value = from(ORIGIN.none);
  } else value = readPrimary(walk, start);

  while (true) {
    const { token } = walk;
    if (token === undefined || token.kind !== 'operator') return value;
    if (token.text === '[' || (token.text === '{' && place !== undefined && isOffset(walk))) {
      walk.position++;
      const closing = token.text === '[' ? ']' : '}';
      const key = walk.isOperator(closing) ? undefined : readExpression(walk);
      walk.accept(closing);
      if (place?.name === 'GLOBALS' && !place.isItem && key?.text !== undefined) {
        if (isSuperglobal(key.text) && key.origins !== 0) hiddenSuperglobal(walk, token.at);
        place = { name: key.text, isItem: false };
        value = walk.globals.get(key.text) ?? walk.variable(key.text);
        continue;
      }
      value = itemOf(walk, place, value, key);
      place = place && { name: place.name, key: key?.text, isItem: true };
    } else if (token.text === '(') {
      const args = readArguments(walk);
      value = callValue(walk, value, args, token.at, start.kind === 'variable' || start.kind === 'operator');
      place = undefined;
    } else if (token.text === '->' || token.text === '?->' || token.text === '::') {
      walk.position++;
      const member = readMember(walk, value);
      if (walk.isOperator('(')) {
        const args = readArguments(walk);
        value = member === undefined ? UNKNOWN : callMethod(walk, member, args, token.at, value);
        place = undefined;
      } else {
        place = member === undefined ? undefined : { name: `->${member}`, isItem: false };
        value = place ? walk.variable(place.name) : UNKNOWN;
        if (token.text === '::' && member !== undefined) value = walk.globals.get(`#${member}`) ?? value;
      }
    } else if (token.text === '++' || token.text === '--') {
      walk.position++;
      if (place && !place.isItem) walk.assign(place.name, foldUnary(token.text, value));
    } else if (place && ASSIGNMENT.has(token.text)) {
      walk.position++;
      walk.accept('&');
      const right = readExpression(walk, 4);
      value = assign(walk, place, token.text, value, right);
      return value;
    } else return value;
  }
}

/** Whether the brace that follows a variable holds an offset, as PHP 7 still wrote it, and opens no block. */
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

function readVariableVariable(walk: Walk): Place | undefined {
  const start = walk.token as PhpToken;
  walk.position++;
  let name: Value;
  if (walk.accept('{')) {
    name = readExpression(walk);
    walk.accept('}');
  } else if (walk.token?.kind === 'variable') {
    name = walk.variable(walk.token.text);
    walk.position++;
  } else if (walk.isOperator('$')) {
    const inner = readNestedVariable(walk);
    name = inner ? walk.variable(inner.name) : UNKNOWN;
  } else return undefined;
  if (name.text === undefined) return undefined;
  if (isSuperglobal(name.text)) hiddenSuperglobal(walk, start.at);
  return { name: name.text, isItem: false };
}

function readNestedVariable(walk: Walk): Place | undefined {
  if (!walk.enter()) return undefined;
  const place = readVariableVariable(walk);
  walk.leave();
  return place;
}

const hiddenSuperglobal = (walk: Walk, at: number) => walk.report(PHP.hiddenSuperglobal, at);

function readMember(walk: Walk, object: Value): string | undefined {
  const { token } = walk;
  if (token === undefined) return undefined;
  if (token.kind === 'name') {
    walk.position++;
    return token.text;
  }
  if (token.kind === 'variable') {
    walk.position++;
    // `X::$name` is a property; `$o->$name` is named by the variable.
    if (walk.tokens[walk.position - 2]?.text === '::') return token.text;
    return walk.variable(token.text).text?.toLowerCase();
  }
  if (walk.accept('{')) {
    const name = readExpression(walk);
    walk.accept('}');
    return name.text?.toLowerCase();
  }
  return object === UNKNOWN ? undefined : '';
}

const SERVER_FROM_REQUEST = /^(?:HTTP_(?!HOST$)|QUERY_STRING$|PHP_AUTH_)/;

function itemOf(walk: Walk, place: Place | undefined, value: Value, key: Value | undefined): Value {
  if (
    place !== undefined &&
    !place.isItem &&
    (place.name === '_SERVER' || place.name === 'HTTP_SERVER_VARS')
  ) {
    if (key?.text === undefined) return UNKNOWN;
    if (key.text === 'SCRIPT_FILENAME' || key.text === 'PATH_TRANSLATED') return constant('__FILE__');
    if (key.text === 'HTTP_USER_AGENT' || key.text === 'HTTP_REFERER') walk.visitorReads++;
    return from(SERVER_FROM_REQUEST.test(key.text) ? ORIGIN.request : ORIGIN.none);
  }
  if (key?.text !== undefined) {
    const item = value.items?.get(key.text);
    if (item) return item;
    const index = Number(key.text);
    if (value.text !== undefined && Number.isInteger(index)) {
      const char = value.text.at(index);
      if (char !== undefined) return constant(char, value.origins | ORIGIN.assembled);
    }
  }
  // A character picked at run time: how names are hidden in an alphabet.
  const isAlphabet = value.text !== undefined || isOfCharacters(value);
  return from(originsOf(value) | (isAlphabet ? ORIGIN.disguised : 0));
}

const ALPHABET_MAX = 256;

function isOfCharacters({ items }: Value): boolean {
  if (items === undefined || items.size < 3 || items.size > ALPHABET_MAX) return false;
  for (const { text } of items.values()) if (text === undefined || text.length > 1) return false;
  return true;
}

function assign(walk: Walk, place: Place, operator: string, before: Value, right: Value): Value {
  if (place.isItem) return assignItem(walk, place, operator, right);
  const value =
    operator === '=' || operator === '??='
      ? right
      : foldBinary(
          walk,
          operator.slice(0, -1),
          operator === '.=' && isUnset(walk, place.name) ? { text: '', origins: before.origins } : before,
          right,
        );
  walk.assign(place.name, value);
  return value;
}

const isUnset = (walk: Walk, name: string): boolean => !walk.isAssigned(name);

function assignItem(walk: Walk, place: Place, operator: string, right: Value): Value {
  const before = walk.variable(place.name);
  const items = before.items instanceof Map ? (before.items as Map<string, Value>) : new Map<string, Value>();
  const key = place.key ?? String(items.size);
  const value =
    operator === '=' ? right : foldBinary(walk, operator.slice(0, -1), items.get(key) ?? UNKNOWN, right);
  if (items.size < ITEMS_MAX) items.set(key, value);
  walk.assign(place.name, { origins: before.origins | originsOf(right), items });
  return value;
}

/** The arguments of a call; stands behind the closing parenthesis afterwards. */
export function readArguments(walk: Walk): Value[] {
  walk.accept('(');
  const args: Value[] = [];
  while (walk.token !== undefined && !walk.isOperator(')') && !walk.isOperator(';')) {
    const before = walk.position;
    // A named argument.
    if (walk.token.kind === 'name' && walk.isOperator(':', 1)) walk.position += 2;
    args.push(readExpression(walk));
    if (!walk.accept(',') && walk.position === before) walk.position++;
  }
  walk.accept(')');
  return args;
}

function readArray(walk: Walk, closing: string): Value {
  const items = new Map<string, Value>();
  let origins = 0;
  while (walk.token !== undefined && !walk.isOperator(closing) && !walk.isOperator(';')) {
    const before = walk.position;
    if (walk.accept(',')) continue;
    let value = readExpression(walk);
    let key = String(items.size);
    if (walk.accept('=>')) {
      key = value.text ?? key;
      value = readExpression(walk);
    }
    origins |= value.origins;
    if (items.size < ITEMS_MAX) items.set(key, value);
    if (walk.position === before) walk.position++;
  }
  walk.accept(closing);
  const result: Value = { origins, items };
  // `[$a, $b] = ...` and list(...): the parts take the origins of the whole; names are not followed further.
  return result;
}

function readTemplateValue(walk: Walk, parts: readonly TemplatePart[]): Value {
  let value: Value = constant('');
  for (const part of parts) {
    const piece = 'text' in part ? constant(part.text) : walk.variable(part.variable);
    value = foldBinary(walk, '.', value, piece.text === undefined ? from(originsOf(piece)) : piece);
  }
  return value;
}

function readPrimary(walk: Walk, token: PhpToken): Value {
  walk.position++;
  switch (token.kind) {
    case 'string':
      return constant(token.text, token.escaped ? ORIGIN.disguised : ORIGIN.none);
    case 'number':
      return constant(token.text);
    case 'template':
      return readTemplateValue(walk, token.parts ?? []);
    case 'command': {
      runCommand(walk, token.parts ? readTemplateValue(walk, token.parts) : constant(token.text), token.at);
      return UNKNOWN;
    }
    case 'name':
      return readNamed(walk, token);
    case 'operator':
      break;
    default:
      return UNKNOWN;
  }
  if (token.text === '(') {
    const value = readExpression(walk);
    walk.accept(')');
    return value;
  }
  if (token.text === '[') return readArray(walk, ']');
  if (token.text === '#' && walk.isOperator('[')) {
    walk.position++;
    readArray(walk, ']');
    return UNKNOWN;
  }
  // Whoever called must find its own closing mark.
  if (')]};,'.includes(token.text)) walk.position--;
  return UNKNOWN;
}

function readNamed(walk: Walk, token: PhpToken): Value {
  switch (token.text) {
    case 'eval':
    case 'array':
    case 'list':
      if (!walk.isOperator('(')) return UNKNOWN;
      if (token.text !== 'eval') {
        walk.position++;
        return readArray(walk, ')');
      }
      walk.position++;
      runCode(walk, readExpression(walk), token.at);
      walk.accept(')');
      return UNKNOWN;
    case 'new':
      return construct(walk, token.at);
    case 'function':
    case 'fn':
      return readFunction(walk, '');
    case 'true':
      return constant('1');
    case 'false':
    case 'null':
      return constant('');
    case '__file__':
      return constant('__FILE__');
    case 'static':
    case 'exit':
    case 'die':
      return UNKNOWN;
    default:
      break;
  }
  if (walk.isOperator('(')) {
    if (walk.isOperator('...', 1) && walk.isOperator(')', 2)) {
      walk.position += 3;
      return constant(token.text);
    }
    const args = readArguments(walk);
    return callFunction(walk, token.text, args, token.at);
  }
  // An unknown constant is its own name (until PHP 8).
  return walk.globals.get(`#${token.text}`) ?? (token.text.length <= 3 ? constant(token.text) : UNKNOWN);
}
