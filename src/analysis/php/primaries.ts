import { ORIGIN } from '../origin.ts';
import { judgeScriptAddress } from './addresses.ts';
import { callFunction } from './calls.ts';
import { noteRefusal } from './checks.ts';
import { readFunction } from './definitions.ts';
import { readExpression } from './expressions.ts';
import { RUNS_CODE, RUNS_COMMAND } from './functions.ts';
import { noteInjection } from './injections.ts';
import { construct } from './methods.ts';
import { foldBinary } from './operators.ts';
import { itemOf } from './places.ts';
import { print, runCode, runCommand } from './sinks.ts';
import { isFromCaller } from './superglobals.ts';
import type { PhpToken, TemplatePart } from './token.ts';
import { constant, from, ITEMS_MAX, originsOf, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Whether a token ends a list: its closing bracket, or the end of the statement. */
const isEnd = ({ kind, text }: PhpToken, closing: string): boolean =>
  kind === 'operator' && (text === closing || text === ';');

/** Reads the arguments of a call; the walk is then after the closing parenthesis. */
export function readArguments(walk: Walk): Value[] {
  const { position: start, tokens } = walk;
  walk.accept('(');
  const args: Value[] = [];
  let isNamed = false;
  while (true) {
    const before = walk.position;
    const token = tokens[before];
    if (token === undefined || isEnd(token, ')')) break;
    if (token.kind === 'name' && walk.isOperator(':', 1)) {
      isNamed = true;
      walk.position += 2;
    }
    const isSpread = walk.isOperator('...');
    const value = readExpression(walk);
    args.push(value);
    // A spread argument may also fill the following positions.
    if (isSpread) args.push(value, value);
    if (!walk.accept(',') && walk.position === before) walk.position++;
  }
  walk.accept(')');
  walk.namesArguments = isNamed;
  walk.argumentsAt = start;
  return args;
}

function readArray(walk: Walk, closing: string): Value {
  const items = new Map<string, Value>();
  let targets: Map<string, string> | undefined;
  let place = 0;
  let origins = 0;
  while (true) {
    const before = walk.position;
    let target = walk.tokens[before];
    if (target === undefined || isEnd(target, closing)) break;
    if (walk.accept(',')) {
      place++;
      continue;
    }
    let value = readExpression(walk);
    let key = String(items.size);
    if (walk.accept('=>')) {
      // A key from the request can be read back as a value.
      if (value.text === undefined) origins |= originsOf(value) & ORIGIN.request;
      key = value.text ?? key;
      place = -1;
      target = walk.token;
      value = readExpression(walk);
    }
    if (target?.kind === 'variable') {
      targets ??= new Map();
      targets.set(place < 0 ? key : String(place), target.text);
    }
    origins |= value.origins;
    if (items.size < ITEMS_MAX) items.set(key, value);
    if (walk.position === before) walk.position++;
  }
  walk.accept(closing);
  if (targets === undefined || !walk.isOperator('=')) return { origins, items };
  walk.position++;
  return assignParts(walk, targets, readExpression(walk, 4));
}

/** Assigns the items of an array: `[$a, $b] = ...` and `list(...)`. */
function assignParts(walk: Walk, targets: ReadonlyMap<string, string>, whole: Value): Value {
  for (const [key, name] of targets) walk.assign(name, whole.items?.get(key) ?? from(originsOf(whole)));
  return whole;
}

/** Evaluates a variable in a template; a superglobal with its key. */
function interpolated(walk: Walk, { variable: name, key }: { variable: string; key?: string }): Value {
  const value = walk.variable(name);
  return key !== undefined && isFromCaller(name)
    ? itemOf(walk, { name, isItem: false }, value, constant(key))
    : value;
}

function readTemplateValue(walk: Walk, parts: readonly TemplatePart[], at: number): Value {
  let value: Value = constant('');
  let before = '';
  for (const part of parts) {
    const piece = 'text' in part ? constant(part.text) : interpolated(walk, part);
    if (before !== '') judgeScriptAddress(walk, before, piece, at);
    noteInjection(walk, value, piece);
    value = foldBinary(walk, '.', value, piece.text === undefined ? from(originsOf(piece)) : piece);
    before = 'text' in part ? part.text : '';
  }
  return value;
}

/** Reads a literal, a name or a parenthesised expression. */
export function readPrimary(walk: Walk, token: PhpToken): Value {
  walk.position++;
  switch (token.kind) {
    case 'string':
      return constant(token.text, token.escaped ? ORIGIN.disguised : ORIGIN.none);
    case 'number':
      return constant(token.text);
    case 'template':
      return readTemplateValue(walk, token.parts ?? [], token.at);
    case 'command': {
      runCommand(
        walk,
        token.parts ? readTemplateValue(walk, token.parts, token.at) : constant(token.text),
        token.at,
      );
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
  // Leave the closing bracket to the caller.
  if (')]};,'.includes(token.text)) walk.position--;
  return UNKNOWN;
}

const WORD = /\p{L}{3}/u;

/** Whether the last arguments are an error message: words of the program without tags. */
function isMessage({ tokens, argumentsAt, position }: Walk): boolean {
  const texts = tokens
    .slice(argumentsAt, position)
    .filter(({ kind }) => kind === 'string' || kind === 'template')
    .flatMap(({ text, parts }) => parts?.map((part) => ('text' in part ? part.text : '')) ?? [text]);
  return texts.some((text) => WORD.test(text)) && !texts.some((text) => text.includes('<'));
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
    case '__class__':
    case '__function__':
    case '__method__':
      return constant(token.text.toUpperCase());
    case 'exit':
    case 'die':
      // The argument is printed, unless it is an error message.
      for (const last of walk.isOperator('(') ? readArguments(walk) : [])
        if (!isMessage(walk)) print(walk, last, token.at);
      return UNKNOWN;
    case 'static':
      return UNKNOWN;
    default:
      break;
  }
  if (walk.isOperator('(')) {
    if (walk.isOperator('...', 1) && walk.isOperator(')', 2)) {
      walk.position += 3;
      return constant(token.text);
    }
    const { position: start } = walk;
    const acts = walk.facts.has('actsOutside');
    const args = readArguments(walk);
    if (!acts) noteRefusal(walk, token.text, start);
    return callFunction(walk, token.text, args, token.at);
  }
  // An unknown constant evaluates to its name (until PHP 8).
  const isOwnName = token.text.length <= 3 || RUNS_CODE.has(token.text) || RUNS_COMMAND.has(token.text);
  return walk.constants.get(token.text) ?? (isOwnName ? constant(token.text) : UNKNOWN);
}
