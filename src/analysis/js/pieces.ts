import type { JsToken } from './lexer.ts';

// How code is cut up and padded so that no word of it can be searched for. Texts and numbers are given by their places among the tokens.

/** Whether a text is compared with something, or names what stands behind it in a table. */
export function isCompared(tokens: readonly JsToken[], at: number): boolean {
  const [before, next] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? ''];
  if (next === ':') return before === '{' || before === ',' || before === 'case';
  return COMPARES.test(before) || COMPARES.test(next);
}

const COMPARES = /^[!=]==?$/;

const PIECE_CHARS_MAX = 8;
/** Share of the texts that are names of values from which on they are data, as in JSON. */
const LABELS_SHARE = 0.2;
const labelsOf = (tokens: readonly JsToken[], strings: readonly number[]): number =>
  strings.filter((at) => tokens[at + 1]?.text === ':').length;

const REPEATED_MIN = 100;
const PAIRS_MIN = 60;
/** What tables repeat: abbreviations of kinds, names of sets of characters, colours. */
const KIND = /^(?:[A-Z]{1,4}|[a-z]{2,}\d*[a-z]?|#[\da-f]{3,8})$/;
const KINDS_SHARE = 0.9;

/** Whether a list of short texts has the same ones again and again: an alphabet, not words. */
export function isRepeated(
  tokens: readonly JsToken[],
  strings: readonly number[],
  numbers: readonly number[],
): boolean {
  const short = strings
    .map((at) => tokens[at]?.text ?? '')
    .filter((text) => text !== '' && text.length <= PIECE_CHARS_MAX);
  if (
    short.length >= REPEATED_MIN &&
    short.length > tokens.length * 0.3 &&
    new Set(short).size < short.length * 0.45 &&
    labelsOf(tokens, strings) <= strings.length * LABELS_SHARE &&
    short.filter((text) => KIND.test(text)).length < short.length * KINDS_SHARE
  )
    return true;
  if (numbers.length < PAIRS_MIN) return false;
  const pairs = numbers.filter(
    (at) =>
      tokens[at - 1]?.text === '(' &&
      tokens[at + 1]?.text === ',' &&
      tokens[at + 2]?.kind === 'name' &&
      // (0, module.call)() is how a compiler calls what it imports.
      tokens[at]?.text !== '0',
  ).length;
  return pairs >= PAIRS_MIN && pairs * 6 > tokens.length * 0.4;
}

/** Numbers that are written as texts and made numbers again where they stand. */
export const digitTexts = (tokens: readonly JsToken[], strings: readonly number[]): number =>
  strings.filter((at) => {
    const { text } = tokens[at] as JsToken;
    if (at < 1 || at >= tokens.length - 2 || text.length > 10 || !/^\d+$/.test(text)) return false;
    const isPlus = tokens[at - 1]?.text === '+' && /^[(,=]$/.test(tokens[at - 2]?.text ?? '');
    return isPlus || (/^[-|*]$/.test(tokens[at + 1]?.text ?? '') && tokens[at + 2]?.kind === 'number');
  }).length;

/** Lists of texts in parentheses, of which only the last one counts. */
export const literalLists = (tokens: readonly JsToken[], strings: readonly number[]): number =>
  strings.filter(
    (at) =>
      tokens[at - 1]?.text === '(' &&
      tokens[at + 1]?.text === ',' &&
      tokens[at + 2]?.kind === 'string' &&
      // Behind a closing sign it is a call.
      tokens[at - 2]?.kind === 'sign' &&
      !')]'.includes(tokens[at - 2]?.text ?? ''),
  ).length;
