import { shareOf } from '../words.ts';
import type { JsToken } from './lexer.ts';

// How code is cut up and padded so that no word of it can be searched for. Texts and numbers are given by their places among the tokens.

/**
 * Whether a text has a sign of code among other characters; numbers, lengths and single signs are what programs compare with, paths what they load, names of
 * characters in HTML have a semicolon each, and abbreviations a full stop.
 */
const isLikeCode = (text: string): boolean =>
  text.length > 1 &&
  /[(){};=]|\w\.|\.\w|["']/.test(text) &&
  !/^(?:[\d.]+(?:\p{L}{1,4}|%)?|&#?\w+;|\p{L}+\.|\.{1,2}\/[\w./-]+)$/u.test(text) &&
  !SIGNS.test(text);

/** Operators, and signs of regular expressions that a program puts together. */
export const SIGNS = /^[()[\]?:*|$^+\\/#.,!=<>&%~-]+$/;

/** Whether a text is compared with something, or names what stands behind it in a table. */
export function isCompared(tokens: readonly JsToken[], at: number): boolean {
  const [before, next] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? ''];
  if (next === ':') return before === '{' || before === ',' || before === 'case';
  return COMPARES.test(before) || COMPARES.test(next);
}

const COMPARES = /^[!=]==?$/;

const CODE_PIECES_MIN = 40;
const PIECE_CHARS_MAX = 8;
/** Code that is cut up has as many different pieces as statements; selectors and attributes that a program adds are few. */
const OWN_PIECES_MIN = 16;
/** A statement ends in one of these, or a block begins. */
const STATEMENT = /[;{}]/;
const STATEMENTS_SHARE = 0.12;

/** Whether most texts are short and look like cut-up code. */
export function isCodeInPieces(tokens: readonly JsToken[], all: readonly number[]): boolean {
  if (all.length < CODE_PIECES_MIN) return false;
  const strings = all.filter((at) => tokens[at + 1]?.text !== ':');
  const short = strings.filter((at) => {
    const { length = 0 } = tokens[at]?.text ?? '';
    return length > 0 && length <= PIECE_CHARS_MAX;
  });
  if (short.length < CODE_PIECES_MIN || short.length < strings.length * 0.8) return false;
  const likeCode = short.filter((at) => isLikeCode(tokens[at]?.text ?? '') && !isCompared(tokens, at));
  if (likeCode.length <= short.length * 0.2) return false;
  const own = [...new Set(likeCode.map((at) => tokens[at]?.text ?? ''))];
  return (
    own.length >= OWN_PIECES_MIN &&
    own.filter((text) => STATEMENT.test(text)).length > own.length * STATEMENTS_SHARE
  );
}

/** Ends of tags, and calls of a method, which take the text itself away. */
const NO_END = new Set(['/', '>', '.']);
/** Whether a token can follow an assigned text in a script: in markup it is the next attribute or the end of the tag. */
const endsAssignment = (token: JsToken | undefined): boolean =>
  token === undefined ||
  (token.kind === 'sign' && !NO_END.has(token.text)) ||
  token.text === 'var' ||
  token.text === 'let' ||
  token.text === 'const';

const ASSIGNED_MIN = 25;
const OWN_NAMES_SHARE = 0.7;

const lettersOf = (text: string): string => text.replace(/[^A-Za-z\d]/g, '').toLowerCase();

/** Whether a text says what its name says, as constants do: `FILL_COLOR = 'fill'`. */
function isNamedAfter(name: string, text: string): boolean {
  const [of, what] = [lettersOf(name), lettersOf(text)];
  return what.length > 1 && (of.includes(what) || (of.length > 1 && what.includes(of)));
}

/** Whether most texts are short and each is given a name of its own. */
export function areAssignedPieces(tokens: readonly JsToken[], strings: readonly number[]): boolean {
  if (strings.length < ASSIGNED_MIN) return false;
  const isAssigned = (at: number): boolean => {
    const { length = 0 } = tokens[at]?.text ?? '';
    return (
      length > 0 &&
      length <= PIECE_CHARS_MAX &&
      tokens[at - 1]?.text === '=' &&
      tokens[at - 2]?.kind === 'name' &&
      tokens[at - 3]?.text !== '.' &&
      endsAssignment(tokens[at + 1]) &&
      !isNamedAfter(tokens[at - 2]?.text ?? '', tokens[at]?.text ?? '')
    );
  };
  const assigned = strings.filter(isAssigned);
  if (assigned.length < ASSIGNED_MIN || assigned.length <= strings.length * 0.6) return false;
  // What is given to the same names in several branches are settings.
  return new Set(assigned.map((at) => tokens[at - 2]?.text)).size > assigned.length * OWN_NAMES_SHARE;
}

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

/** Different comparisons in which both sides are constants: a build leaves the same few again and again. */
export function literalTests(tokens: readonly JsToken[], strings: readonly number[]): number {
  const tests = new Set<string>();
  for (const at of strings) {
    if (at >= tokens.length - 4) break;
    const [sign, other] = [tokens[at + 1]?.text ?? '', tokens[at + 2]];
    const isSearch = sign === '.' && other?.text === 'indexOf' && tokens[at + 4]?.kind === 'string';
    const isTest =
      other?.kind === 'string' && COMPARES.test(sign) && !ASSERTS.test(tokens[at - 2]?.text ?? '');
    const compared = isSearch ? tokens[at + 4] : other;
    if (isSearch || isTest) tests.add(`${tokens[at]?.text}\n${compared?.text}`);
  }
  return tests.size;
}

/** Tests of programs compare constants as well. */
const ASSERTS = /^(?:expect|assert|ok|equal|is)$/;

/** Choices between two texts by a comparison of two numbers. */
export const literalChoices = (tokens: readonly JsToken[], numbers: readonly number[]): number =>
  numbers.filter(
    (at) =>
      at < tokens.length - 5 &&
      tokens[at + 2]?.kind === 'number' &&
      tokens[at - 1]?.text === '(' &&
      tokens[at + 3]?.text === '?' &&
      tokens[at + 4]?.kind === 'string' &&
      /^[<>]=?$/.test(tokens[at + 1]?.text ?? ''),
  ).length;

/** Numbers that are written as texts and made numbers again where they stand. */
export const digitTexts = (tokens: readonly JsToken[], strings: readonly number[]): number =>
  strings.filter((at) => {
    const { text } = tokens[at] as JsToken;
    if (at < 1 || at >= tokens.length - 2 || text.length > 10 || !/^\d+$/.test(text)) return false;
    const isPlus = tokens[at - 1]?.text === '+' && /^[(,=]$/.test(tokens[at - 2]?.text ?? '');
    return isPlus || (/^[-|*]$/.test(tokens[at + 1]?.text ?? '') && tokens[at + 2]?.kind === 'number');
  }).length;

const UNIT_CHARS = 6;
const UNIT_STARTS = [0, 2, 3, 5];

/** A checksum, or a number of cryptography. */
const DIGEST = /^(?:0x)?[0-9a-f]{32,}$/i;

/** Bytes in base64, as a font has them: three zeros in a row. */
const BYTES = /^(?:[A-Za-z\d+/]{4}){6,}={0,2}$/;

/** Whether a text is the same characters again and again with a little between. */
export function isPadded(text: string): boolean {
  if (text.length < 24 || text.length > 40_000 || /\s/.test(text.slice(0, 200))) return false;
  if (DIGEST.test(text) || (text.includes('AAA') && BYTES.test(text))) return false;
  return UNIT_STARTS.some((start) => {
    const unit = text.slice(start, start + UNIT_CHARS);
    const between = text.split(unit).slice(1, -1);
    const isEven = between.every(({ length }) => Math.abs(length - (between[0]?.length ?? 0)) <= 2);
    return between.length >= 3 && isEven && /[A-Za-z]{3}/.test(unit) && text.length / between.length < 24;
  });
}

const SEPARATED_CHARS_MIN = 200;
const DOUBLED_SHARE = 0.1;
const DIFFERENT_SHARE = 0.95;
/** A number, perhaps at an end of a list. */
const NUMBER = /^[[\]{}]{0,4}\d+[[\]{}]{0,4}$/;
const NUMBERS_SHARE = 0.8;
const LINES_MAX = 8;
/** White space at the beginnings and ends of lines. */
const MARGINS = /(?:^|\n)[ \t]+|[ \t]{2,}(?=\n)/g;

/** Whether one and the same character stands between all others of a text. */
export function isSeparated(text: string): boolean {
  if (text.length < SEPARATED_CHARS_MIN) return false;
  const counts = new Map<string, number>();
  const sample = text.slice(0, 2_000);
  for (const char of sample) counts.set(char, (counts.get(char) ?? 0) + 1);
  const [most = '', times = 0] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
  if (/[A-Za-z0-9]/.test(most) || counts.size <= 5) return false;
  // A table has many lines.
  if (most === ' ' && sample.split('\n', LINES_MAX + 1).length > LINES_MAX) return false;
  if (most === ' ') return !/<\w/.test(sample) && shareOf(sample.replace(MARGINS, '\n'), / +/g) > 0.5;
  if (times <= sample.length * 0.33) return false;
  const items = sample.split(most);
  // Where it stands twice it separates the items of a list that leaves some out, and no two pieces of code are different only in lists.
  const doubled = items.filter((item, at) => item === '' && at > 0 && at < items.length - 1).length;
  if (items.filter((item) => NUMBER.test(item)).length > items.length * NUMBERS_SHARE) return false;
  return doubled < times * DOUBLED_SHARE && new Set(items).size < items.length * DIFFERENT_SHARE;
}

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
