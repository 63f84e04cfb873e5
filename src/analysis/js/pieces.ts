import type { JsToken } from './lexer.ts';

// Detects code that is split and padded to prevent searches. Texts and numbers are given by their token indices.

/** Whether a text is compared, or is a key in an object or a case of a switch. */
export function isCompared(tokens: readonly JsToken[], at: number): boolean {
  const [before, next] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? ''];
  if (next === ':') return before === '{' || before === ',' || before === 'case';
  return COMPARES.test(before) || COMPARES.test(next);
}

const COMPARES = /^[!=]==?$/;

const PIECE_CHARS_MAX = 8;
/** From this share of keys, the texts are data, as in JSON. */
const LABELS_SHARE = 0.2;
const labelsOf = (tokens: readonly JsToken[], strings: readonly number[]): number =>
  strings.filter((at) => tokens[at + 1]?.text === ':').length;

const REPEATED_MIN = 100;
const PAIRS_MIN = 60;
/** Values that tables repeat: abbreviations, names of character sets, colours. */
const KIND = /^(?:[A-Z]{1,4}|[a-z]{2,}\d*[a-z]?|#[\da-f]{3,8})$/;
const KINDS_SHARE = 0.9;

/** Whether few different short texts are repeated, like an alphabet for assembling code. */
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
      // (0, module.call)() is how compilers call imports.
      tokens[at]?.text !== '0',
  ).length;
  return pairs >= PAIRS_MIN && pairs * 6 > tokens.length * 0.4;
}

/** Counts numbers written as texts and converted where they are used. */
export const digitTexts = (tokens: readonly JsToken[], strings: readonly number[]): number =>
  strings.filter((at) => {
    const { text } = tokens[at] as JsToken;
    if (at < 1 || at >= tokens.length - 2 || text.length > 10 || !/^\d+$/.test(text)) return false;
    const isPlus = tokens[at - 1]?.text === '+' && /^[(,=]$/.test(tokens[at - 2]?.text ?? '');
    return isPlus || (/^[-|*]$/.test(tokens[at + 1]?.text ?? '') && tokens[at + 2]?.kind === 'number');
  }).length;

/** Counts comma expressions of texts, of which only the last has an effect. */
export const literalLists = (tokens: readonly JsToken[], strings: readonly number[]): number =>
  strings.filter(
    (at) =>
      tokens[at - 1]?.text === '(' &&
      tokens[at + 1]?.text === ',' &&
      tokens[at + 2]?.kind === 'string' &&
      // After a closing bracket, it is a call.
      tokens[at - 2]?.kind === 'sign' &&
      !')]'.includes(tokens[at - 2]?.text ?? ''),
  ).length;
