import { ORIGIN } from '../origin.ts';
import { readsCard } from './cards.ts';
import { readExpression } from './expressions.ts';
import { RUNS_CODE, RUNS_COMMAND } from './functions.ts';
import { noteInjection } from './injections.ts';
import { foldBinary } from './operators.ts';
import { takeVariables } from './request-variables.ts';
import { PHP } from './signals.ts';
import { notePath } from './stored-code.ts';
import { isFromCaller, isProperty } from './superglobals.ts';
import type { PhpToken } from './token.ts';
import { constant, from, ITEMS_MAX, originsOf, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** The assignable location of a value. */
export interface Place {
  readonly name: string;
  /** Constant key of the item; undefined if it is not constant. */
  readonly key?: string | undefined;
  readonly isItem: boolean;
}

/** Reads `$$name` or `${...}`, a variable with a computed name. */
export function readVariableVariable(walk: Walk): Place | undefined {
  const start = walk.token as PhpToken;
  walk.position++;
  let name: Value;
  if (walk.accept('{')) {
    name = readExpression(walk);
    walk.accept('}');
  } else if (walk.token?.kind === 'variable') {
    name = walk.recall(walk.variable(walk.token.text));
    walk.position++;
  } else if (walk.isOperator('$')) {
    const inner = readNestedVariable(walk);
    name = inner ? walk.recall(walk.variable(inner.name)) : UNKNOWN;
  } else return undefined;
  if (name.text === undefined) {
    if (name.origins & ORIGIN.request && walk.isOperator('=')) takeVariables(walk, [], start.at);
    return undefined;
  }
  if (isFromCaller(name.text)) hiddenSuperglobal(walk, start.at);
  return { name: name.text, isItem: false };
}

function readNestedVariable(walk: Walk): Place | undefined {
  if (!walk.enter()) return undefined;
  const place = readVariableVariable(walk);
  walk.leave();
  return place;
}

/** Reports request input read through an assembled name. */
export const hiddenSuperglobal = (walk: Walk, at: number) => walk.report(PHP.hiddenSuperglobal, at);

/** Reads the name of a member after `->` or `::`; undefined if it is unknown. */
export function readMember(walk: Walk, object: Value): string | undefined {
  const { token } = walk;
  if (token === undefined) return undefined;
  if (token.kind === 'name') {
    walk.position++;
    return token.text;
  }
  if (token.kind === 'variable') {
    walk.position++;
    // `X::$name` is a property; in `X::$name()` and `$o->$name`, the variable contains the name.
    if (walk.tokens[walk.position - 2]?.text === '::' && !walk.isOperator('(')) return token.text;
    return walk.recall(walk.variable(token.text)).text?.toLowerCase();
  }
  if (walk.accept('{')) {
    const name = readExpression(walk);
    walk.accept('}');
    return name.text?.toLowerCase();
  }
  return object === UNKNOWN ? undefined : '';
}

const SERVER_FROM_REQUEST = /^(?:HTTP_(?!HOST$)|QUERY_STRING$|PHP_AUTH_)/;
/** Names of form fields for passwords or card data. */
export const SECRET =
  /^payment$|^(?:user_?|log_?|my_?)?(?:pass(?:w(?:or)?d)?|passphrase|pwd|cvv2?|cvc2?|cc_?n(?:um(?:ber)?)?|card_?n(?:um(?:ber)?)?)\d?$/i;
const SERVER_ADDRESS =
  /^HTTP_(?:CLIENT_IP|CF_CONNECTING_IP|X_REAL_IP|(?:X_)?FORWARDED(?:_FOR)?|X_CLUSTER_CLIENT_IP)$/;

/** Evaluates an item of an array, or a character of a text. */
export function itemOf(walk: Walk, place: Place | undefined, value: Value, key: Value | undefined): Value {
  if (
    place !== undefined &&
    !place.isItem &&
    (place.name === '_SERVER' || place.name === 'HTTP_SERVER_VARS')
  ) {
    if (key?.text === undefined) return UNKNOWN;
    if (key.text === 'SCRIPT_FILENAME' || key.text === 'PATH_TRANSLATED') return constant('__FILE__');
    if (key.text === 'HTTP_USER_AGENT' || key.text === 'HTTP_REFERER') walk.note('readsVisitor');
    if (SERVER_ADDRESS.test(key.text) || SERVER_FROM_REQUEST.test(key.text)) walk.noteCallerRead();
    if (SERVER_ADDRESS.test(key.text)) return from(ORIGIN.request | ORIGIN.address);
    return from(SERVER_FROM_REQUEST.test(key.text) ? ORIGIN.request : ORIGIN.none);
  }
  if (place !== undefined && isFromCaller(place.name) && SECRET.test(key?.text ?? ''))
    walk.note('readsSecret');
  if (readsCard(walk, key?.text)) return from(originsOf(value) | ORIGIN.request);
  if (key?.text !== undefined) {
    const item = value.items?.get(key.text);
    if (item) return item;
    const earlier = place === undefined || place.isItem ? 0 : walk.earlierItem(place.name, key.text);
    if (value.rest !== undefined) return from(value.rest | earlier);
    if (value.text === '') return constant('', originsOf(value) | earlier);
    if (value.text === undefined) return from(originsOf(value) | earlier);
    // It was an array in the other reading order.
    if (!isOffset(key.text)) return from(originsOf(value));
    const char = value.text.at(Number(key.text));
    if (char !== undefined) return constant(char, value.origins | ORIGIN.assembled);
  }
  // A dispatch table from which the caller selects a function.
  const isPicked = key !== undefined && (key.origins & ORIGIN.request) !== 0 && containsRunner(value);
  if (isPicked) return from(originsOf(value) | ORIGIN.request);
  // A character selected at run time, which hides names in an alphabet.
  const isAlphabet = Boolean(value.text) || containsCharacters(value);
  return from(originsOf(value) | (isAlphabet ? ORIGIN.disguised : 0));
}

const isOffset = (key: string): boolean => Number.isInteger(Number(key));

const TABLE_MAX = 40;

/** Whether an array contains the name of a function that runs commands or code. */
function containsRunner({ items }: Value): boolean {
  if (items === undefined || items.size > TABLE_MAX) return false;
  for (const { text } of items.values())
    if (text !== undefined && (RUNS_COMMAND.has(text) || RUNS_CODE.has(text))) return true;
  return false;
}

const ALPHABET_MAX = 256;

function containsCharacters({ items }: Value): boolean {
  if (items === undefined || items.size < 3 || items.size > ALPHABET_MAX) return false;
  for (const { text } of items.values()) if (text === undefined || text.length > 1) return false;
  return true;
}

/** Assigns to a variable, property or item; returns the new value. */
export function assign(walk: Walk, place: Place, operator: string, before: Value, right: Value): Value {
  if (operator === '.=') noteInjection(walk, before, right);
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
  notePath(walk, place.name, value);
  return value;
}

const isUnset = (walk: Walk, name: string): boolean => !walk.isAssigned(name);

function assignItem(walk: Walk, place: Place, operator: string, assigned: Value): Value {
  const right = isProperty(place.name) ? walk.asStored(place.name, assigned) : assigned;
  const before = walk.variable(place.name);
  if (before.text && place.key !== undefined && isOffset(place.key)) {
    // It sets one character of a text.
    walk.assign(place.name, from(before.origins | originsOf(right) | ORIGIN.disguised));
    return right;
  }
  const rest = (before.rest ?? before.origins) | (place.key === undefined ? originsOf(right) : 0);
  const items = before.items instanceof Map ? (before.items as Map<string, Value>) : new Map<string, Value>();
  const key = place.key ?? String(items.size);
  const value =
    operator === '=' ? right : foldBinary(walk, operator.slice(0, -1), items.get(key) ?? UNKNOWN, right);
  if (items.size < ITEMS_MAX) items.set(key, value);
  if (place.key !== undefined) walk.noteItem(place.name, place.key, value.origins);
  walk.assign(place.name, { origins: before.origins | originsOf(right), items, rest });
  return value;
}
