import type { JsToken } from './lexer.ts';
import { expressionEnd, type Scopes, type Signs } from './scopes.ts';

/** Properties of a variable's value, as bits. */
export const VALUE = {
  /** A decoded text. */
  decoded: 1,
  /** Decoded from data in the script itself. */
  ownDecoded: 2,
  /** A function that runs a text. */
  runs: 4,
  /** A function that converts codes to text. */
  coder: 8,
  /** A decoding function of the script. */
  decoder: 16,
  /** A long text or a list of numbers in the script. */
  data: 32,
  /** A response of another host. */
  answer: 64,
} as const;

const CODERS = new Set(['fromCharCode', 'fromCodePoint', 'atob']);
const RUNNERS = new Set(['eval', 'Function', 'execScript']);
const ENCODES = new Set(['btoa', 'createObjectURL', 'Blob', 'Uint8Array']);
/** Encodings as the second argument of functions that read bytes. */
const BYTES = new Set(['base64', 'hex']);
const LOOPS = new Set(['for', 'while', 'do', 'map', 'forEach', 'replace', 'reduce', 'from']);
const PARTS = new Set(['charAt', 'substr', 'substring', 'slice']);
const ANSWERS = new Set(['responseText', 'responseBody']);
/** Maximum distance in tokens between a call and its callback. */
const CALLBACK_TOKENS = 6;
/** Maximum number of tokens visited in an expression, without lists and functions. */
const EXPRESSION_STEPS_MAX = 200;
const DATA_CHARS_MIN = 24;
const DATA_NUMBERS_MIN = 12;
const RUNNER_TOKENS_MAX = 40;
const DECODER_TOKENS_MAX = 500;

/** Properties of the values in a script. */
export interface Values {
  /** By variable number. */
  readonly known: Uint8Array;
  /** Union of all variables. */
  readonly all: number;
  /** Properties of the expression from `start` to `end`, exclusive. */
  of(start: number, end: number): number;
}

/** Tracks decoded texts, and functions that run texts, through variables. */
export function valuesOf(tokens: readonly JsToken[], { targets }: Signs, scopes: Scopes): Values {
  const known = new Uint8Array(scopes.variables);
  const { variableOf, closing, functions, scopeOf } = scopes;
  let all = 0;
  const learn = (variable: number, value: number) => {
    known[variable] = (known[variable] as number) | value;
    all |= value;
  };

  const isCoder = (at: number): boolean =>
    tokens[at + 1]?.text === '(' &&
    (CODERS.has(tokens[at]?.text ?? '') || ((known[variableOf[at] as number] ?? 0) & VALUE.coder) !== 0);

  /** Whether the function at an index is a callback that maps items of a list. */
  const isOfItems = (at: number): boolean => {
    const open = tokens[at]?.text === ')' ? at - 3 : at - 1;
    return [open, open + 1].some(
      (each) => tokens[each]?.text === '(' && LOOPS.has(tokens[each - 1]?.text ?? ''),
    );
  };
  /** Index of the body of an unrelated function, which is skipped; -1 for a callback, which is part of the expression. */
  const bodyOf = (at: number): number => {
    for (let before = at - 1; before > at - CALLBACK_TOKENS && before > 0; before--)
      if (tokens[before]?.text === '(' && LOOPS.has(tokens[before - 1]?.text ?? '')) return -1;
    const open = tokens[at + 1]?.text === '(' ? at + 1 : at + 2;
    const body = (closing[open] ?? 0) + 1;
    return tokens[open]?.text === '(' && tokens[body]?.text === '{' ? body : -1;
  };

  const of = (start: number, end: number): number => {
    let value = 0;
    let holdsData = false;
    let isDecoding = false;
    const isOfText = tokens[start]?.kind === 'string' && tokens[start + 1]?.text === '.';
    let steps = 0;
    for (let at = start; at < end && steps < EXPRESSION_STEPS_MAX; at++, steps++) {
      const { kind, text } = tokens[at] as JsToken;
      if (kind === 'string') {
        holdsData ||= text.length >= DATA_CHARS_MIN;
        if (BYTES.has(text) && tokens[at - 1]?.text === ',' && tokens[at + 1]?.text === ')') {
          value |= VALUE.decoded;
          isDecoding = true;
        }
      }
      if (kind !== 'name') {
        if (text === '=>' && !isOfItems(at - 1)) return value;
        if (text === '[' && kind === 'sign' && (closing[at] as number) - at > DATA_NUMBERS_MIN * 2)
          if (tokens[at + 1]?.kind === 'number' && tokens[at + 2]?.text === ',') {
            holdsData = true;
            at = closing[at] as number;
          }
        continue;
      }
      if (ENCODES.has(text)) return 0;
      const body = text === 'function' ? bodyOf(at) : -1;
      if (body >= 0) {
        at = closing[body] as number;
        continue;
      }
      const held = known[variableOf[at] as number] ?? 0;
      if (held & VALUE.data) holdsData = true;
      if (ANSWERS.has(text)) value |= VALUE.answer;
      const isCall = tokens[at + 1]?.text === '(';
      if (isCoder(at) || (isCall && held & VALUE.decoder)) {
        value |= VALUE.decoded;
        // Literal codes are texts and judged as texts.
        isDecoding ||= tokens[at + 2]?.kind !== 'number';
      } else if (tokens[at - 1]?.text !== '.')
        value |= held & (VALUE.decoded | VALUE.ownDecoded | VALUE.answer);
      if (isOfText && isCall && text === 'replace') value |= VALUE.decoded;
      if (text === 'reverse' && tokens[at + 4]?.text === 'join') value |= VALUE.decoded;
    }
    return isDecoding && holdsData ? value | VALUE.ownDecoded : value;
  };

  const aliasOf = (start: number, end: number): number => {
    const last = tokens[end - 1];
    if (last?.kind !== 'name' || end - start > 5) return 0;
    const isPath = tokens.slice(start, end).every(({ kind, text }) => kind === 'name' || text === '.');
    if (!isPath) return 0;
    if (RUNNERS.has(last.text)) return VALUE.runs;
    if (CODERS.has(last.text)) return VALUE.coder;
    return (known[variableOf[end - 1] as number] ?? 0) & (VALUE.runs | VALUE.coder | VALUE.decoder);
  };

  const isData = (start: number, end: number): boolean => {
    const first = tokens[start];
    if (first?.kind === 'string') return first.text.length >= DATA_CHARS_MIN;
    return first?.text === '[' && end - start > DATA_NUMBERS_MIN * 2 && tokens[start + 1]?.kind === 'number';
  };

  /** Marks a function that only runs its argument. */
  const markRunner = (scope: number) => {
    const { nameAt = -1, start = 0, end = 0 } = functions[scope] ?? {};
    const named = variableOf[nameAt] ?? -1;
    if (named >= 0 && end - start < RUNNER_TOKENS_MAX) learn(named, VALUE.runs);
  };

  const markDecoders = () => {
    const codes = new Uint8Array(functions.length);
    const loops = new Uint8Array(functions.length);
    for (let at = 0; at < tokens.length; at++) {
      const { kind, text } = tokens[at] as JsToken;
      if (kind !== 'name') continue;
      const scope = scopeOf[at] as number;
      if (tokens[at + 1]?.text === '(' && (isCoder(at) || isPartCollected(tokens, at))) codes[scope] = 1;
      if (text === 'return' || LOOPS.has(text)) loops[scope] = 1;
      if (RUNNERS.has(text) && tokens[at + 2]?.kind === 'name') markRunner(scope);
    }
    for (let scope = functions.length - 1; scope > 0; scope--) {
      const each = functions[scope];
      if (each === undefined || !codes[scope]) continue;
      const isSmall = each.end - each.start < DECODER_TOKENS_MAX;
      if (each.nameAt < 0 && isSmall) codes[each.parent] = 1;
      const named = variableOf[each.nameAt] ?? -1;
      if (named >= 0 && isSmall && loops[scope]) learn(named, VALUE.decoder);
    }
  };

  const follow = () => {
    for (const at of targets) {
      const variable = at < tokens.length - 2 ? (variableOf[at] ?? -1) : -1;
      if (variable < 0) continue;
      const sign = tokens[at + 1]?.text;
      const isPush = sign === '.' && tokens[at + 2]?.text === 'push' && tokens[at + 3]?.text === '(';
      if (sign !== '=' && sign !== '+=' && !isPush) continue;
      const start = at + (isPush ? 4 : 2);
      const end = expressionEnd(tokens, closing, start);
      let value = of(start, end);
      const isAdded =
        sign === '=' && tokens[start]?.text === tokens[at]?.text && tokens[start + 1]?.text === '+';
      if ((sign === '+=' || isAdded) && isStepped(tokens, isAdded ? start + 2 : start))
        value |= VALUE.decoded;
      if (sign === '=') value |= aliasOf(start, end) | (isData(start, end) ? VALUE.data : 0);
      // Different objects may have a property of the same name.
      if (tokens[at - 1]?.text === '.') value &= VALUE.runs | VALUE.decoder;
      if (value !== 0 && tokens[start]?.text !== 'function') learn(variable, value);
    }
  };
  follow();
  markDecoders();
  // Data alone decodes nothing.
  if ((all & ~VALUE.data) !== 0) follow();
  return { known, all, of };
}

/** Whether characters are extracted from a text one by one and concatenated. */
const isPartCollected = (tokens: readonly JsToken[], at: number): boolean =>
  PARTS.has(tokens[at]?.text ?? '') && tokens[at - 3]?.text === '+=' && tokens[at + 1]?.text === '(';

const LOOP_TOKENS = 40;

/** Whether an expression reads characters of a text in a loop with a step other than 1. */
function isStepped(tokens: readonly JsToken[], start: number): boolean {
  const isCall = tokens[start + 1]?.text === '.' && PARTS.has(tokens[start + 2]?.text ?? '');
  if (!isCall && tokens[start + 1]?.text !== '[') return false;
  const index = tokens[start + (isCall ? 4 : 2)];
  if (index?.kind !== 'name') return false;
  const end = Math.min(tokens.length - 2, start + LOOP_TOKENS);
  for (let at = Math.max(0, start - LOOP_TOKENS); at < end; at++) {
    if (tokens[at]?.text !== index.text || tokens[at + 1]?.text !== '+=') continue;
    return tokens[at + 2]?.text !== '1';
  }
  return false;
}
