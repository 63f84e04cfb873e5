import { WHOLE } from '../place.ts';
import { shareOf, wordsIn } from '../words.ts';
import type { Report } from './calls.ts';
import type { JsText } from './fold.ts';
import { CONDITIONAL, type JsToken } from './lexer.ts';
import { packedAt } from './packer.ts';
import {
  areAssignedPieces,
  digitTexts,
  isCodeInPieces,
  isCompared,
  isPadded,
  isRepeated,
  isSeparated,
  literalChoices,
  literalLists,
  literalTests,
  SIGNS,
} from './pieces.ts';
import { areRandom, countRandom } from './random-names.ts';
import { JS } from './signals.ts';

const SMALL_PIECE = 3;
const SMALL_SHARE = 0.1;
const NOT_ASCII = /[^\0-\x7f]/;
/** What holds numbers that stay numbers: tables of a codec, memory of a compiled program. */
const TYPED_ARRAY = /^(?:Uint|Int|Float)(?:8|16|32|64)(?:Clamped)?Array$/;
/** The path of a vector drawing: commands of one letter and numbers. */
const DRAWING = /^[Mm][\d.,-][MmLlHhVvCcSsQqTtAaZz\d.,-]*$/;
/** A list of words, as what rates passwords has them. */
const LIST_ITEMS_MIN = 20;
const LIST_CHARS = 600;
const ITEM_CHARS_MAX = 40;
function isList(text: string): boolean {
  const items = text.slice(0, LIST_CHARS).split(',', LIST_ITEMS_MIN + 1);
  const words = items.filter((item) => /[a-z]{2}/i.test(item)).length;
  return (
    items.length > LIST_ITEMS_MIN &&
    items.every(({ length }) => length <= ITEM_CHARS_MAX) &&
    words * 2 >= LIST_ITEMS_MIN
  );
}
const MEDIA = /^data:(?:image|font|audio|video)\//;
/** A certificate or a key as files have it. */
const CERTIFICATE = '-----BEGIN ';

/** Comparisons of constants in so many tokens are left by settings of a build. */
const TESTS_SHARE = 0.002;
const LETTERS = /^[a-z]+$/i;
const DIGITS = /^\d+$/;
/** Signs alone that are joined are a pattern: the operators of a language. */
const LETTER = /[a-z]/i;
const OPENS_ITEM = new Set(['{', ',']);
/** Whether a text is short for the name that it has in a table, as codes of countries are. */
function isAbbreviation(tokens: readonly JsToken[], at: number): boolean {
  if (tokens[at - 1]?.text !== ':' || !OPENS_ITEM.has(tokens[at - 3]?.text ?? '')) return false;
  const [name, text] = [tokens[at - 2], tokens[at]?.text ?? ''];
  if (name?.kind !== 'name' || !LETTERS.test(name.text + text)) return false;
  return name.text.length > text.length || name.text.toUpperCase() === text;
}

/** What stands before and behind an item of a list. */
const LISTS = new Set(['[', ',']);
const LISTED = new Set([']', ',']);
/** The same of what a function is given. */
const GIVES = new Set(['(', ',']);
const GIVEN = new Set([')', ',']);
/** A line of a comment that begins with a word or a sign of code. */
const DOCUMENTED_LINE = /^[ \t]{0,40}(?:\*|\/\/)[ \t]*[^\s*/][^\n]{3,200}/gm;
const DOCUMENTED_LINES_MIN = 4;
const BRACKETS = ['![]', '+[]', '!!['];
/** Names by which a library is bound into a page or a program. */
const LIBRARIES = ['module', 'define', 'jQuery', 'exports', 'wp'];
/** No shorter text is padded, separated or packed. */
const LONG_CHARS_MIN = 24;
/** Characters of a script that are looked at for their kinds, and the share of signs from which on it has no words. */
const SAMPLE_CHARS = 20_000;
const SIGNS_SHARE = 0.75;

/** A script, or a part of one, as it is written. */
export interface Writing {
  readonly source: string;
  /** Where it begins in the script. */
  readonly startsAt: number;
  readonly tokens: readonly JsToken[];
  /** Its texts put together. */
  readonly texts: readonly JsText[];
  /** Numeric escapes of ASCII characters. */
  readonly escapes: number;
  /** Characters in comments. */
  readonly commentChars: number;
}

/** Judges how a script is written: whether anybody was meant to read it. */
export function judgeReadability(writing: Writing, report: Report): void {
  const { source, startsAt, tokens, texts, escapes, commentChars } = writing;
  const names = new Set<string>();
  let nameAt: number | undefined;
  let nameChars = 0;
  // Most of what is looked for begins with a text or a number, and few tokens are one.
  const strings: number[] = [];
  const numbers: number[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const { kind, text, at } = tokens[index] as JsToken;
    if (kind === 'name') {
      nameAt ??= at;
      names.add(text);
      if (at + text.length <= startsAt + SAMPLE_CHARS) nameChars += text.length;
    } else if (kind === 'string') strings.push(index);
    else if (kind === 'number') numbers.push(index);
  }
  const firstName = nameAt ?? 0;
  const firstString = tokens[strings[0] ?? -1]?.at ?? 0;
  if (countRandom(tokens, names) >= 10) report(JS.obfuscator, firstName);
  if (digitTexts(tokens, strings) >= 12) report(JS.obfuscator, firstString);
  if (escapes >= 30 && escapes * 4 > source.length * 0.2) report(JS.escapedTexts, firstString);
  let pieces = 0;
  for (const { pieces: count, text } of texts)
    if (count > 2 && text.length / count <= SMALL_PIECE * 2 && LETTER.test(text)) pieces += count;
  if (pieces >= 40 && pieces * 3 > strings.length)
    report(JS.fragments, texts.find((text) => text.pieces > 2)?.at ?? 0);
  const small = strings.filter((at) => isSmallPiece(tokens, at)).length;
  if (small >= 50 && small > strings.length * 0.5 && small > tokens.length * SMALL_SHARE)
    report(JS.fragments, firstString);
  if (
    numbers.length >= 150 &&
    numbers.length > tokens.length * 0.35 &&
    ![...names].some((name) => TYPED_ARRAY.test(name)) &&
    (names.has('eval') || (names.has('fromCharCode') && !areSteps(tokens, numbers)))
  )
    report(JS.codeNumbers, WHOLE);
  const packs = names.has('eval')
    ? tokens.findIndex(({ text }, at) => text === 'eval' && packedAt(tokens, at) !== undefined)
    : -1;
  if (packs >= 0) report(JS.packer, tokens[packs]?.at ?? 0);
  const conditional = source.includes(CONDITIONAL) && /\/\*@cc_on\s(?!\s{0,4}!\s{0,4}@\*\/)/.test(source);
  if (conditional) report(JS.conditional, startsAt + source.indexOf(CONDITIONAL));
  if (
    literalTests(tokens, strings) >= Math.max(6, tokens.length * TESTS_SHARE) ||
    literalChoices(tokens, numbers) >= 3
  )
    report(JS.literalTests, firstString);
  if (isRepeated(tokens, strings, numbers)) report(JS.repeatedTexts, firstString);
  if (isCodeInPieces(tokens, strings) || areAssignedPieces(tokens, strings))
    report(JS.codeInPieces, firstString);
  if (literalLists(tokens, strings) > Math.max(8, tokens.length * 0.01)) report(JS.junk, firstString);
  if (
    wordsIn(source, BRACKETS) > 0 &&
    (source.slice(0, 60_000).match(/!\[\]|\+\[\]|!!\[/g)?.length ?? 0) >= 8
  )
    report(JS.symbolsOnly, WHOLE);
  if (
    commentChars > source.length * 0.6 &&
    source.length > 2_000 &&
    !/@(?:param|license|since|return)|Copyright|Licen[cs]e/i.test(source) &&
    new Set(source.match(DOCUMENTED_LINE)).size < DOCUMENTED_LINES_MIN
  )
    report(JS.junkComments, WHOLE);
  judgeLongTexts(tokens, strings, report);
  if (areRandom(names)) report(JS.randomNames, firstName);
  const sample = source.slice(0, SAMPLE_CHARS);
  if (source.includes('ﾟΘﾟ')) report(JS.symbolsOnly, WHOLE);
  // Where names take so much, signs do not take the rest and more.
  const mayBeSigns = sample.length >= 200 && nameChars < sample.length * (1 - SIGNS_SHARE);
  if (mayBeSigns && shareOf(sample, /[[\]()!+{}]+/g) > SIGNS_SHARE) report(JS.symbolsOnly, WHOLE);
  if (
    commentChars > source.length * 0.15 &&
    /\*\s*@(?:param|return|type|license|since|module|author)|\bLicensed\b|Copyright/i.test(source)
  )
    report(JS.documented, WHOLE);
  if (LIBRARIES.some((name) => names.has(name))) report(JS.library, WHOLE);
}

/** Texts that are long enough to be judged each by itself. */
function judgeLongTexts(tokens: readonly JsToken[], strings: readonly number[], report: Report): void {
  const long = strings.map((at) => tokens[at] as JsToken).filter(({ text }) => text.length >= LONG_CHARS_MIN);
  const separated = long.find(({ text }) => isSeparated(text));
  if (separated) report(JS.paddedTexts, separated.at);
  const padded = long.filter(({ text }) => isPadded(text));
  if (padded.length >= 3 || padded.some(({ text }) => text.length > 400))
    report(JS.paddedTexts, padded[0]?.at ?? 0);
  const packed = long.find(
    ({ text }) =>
      text.length >= 800 &&
      !/[ \t<>]/.test(text.slice(0, 300)) &&
      !DRAWING.test(text.slice(0, 300)) &&
      !isList(text) &&
      !text.includes(CERTIFICATE) &&
      !MEDIA.test(text),
  );
  if (packed) report(JS.packedText, packed.at);
}

/** Numbers below this one are steps and states more often than characters. */
const STEP_MAX = 9;
const STEPS_SHARE = 0.4;

/** Whether numbers are those of a table that says which characters are of a kind. */
const areSteps = (tokens: readonly JsToken[], numbers: readonly number[]): boolean =>
  numbers.filter((at) => Number(tokens[at]?.text) < STEP_MAX).length > numbers.length * STEPS_SHARE;

/** Whether a text is a small piece, and nothing that ordinary programs write down in few characters. */
function isSmallPiece(tokens: readonly JsToken[], at: number): boolean {
  const { text } = tokens[at] as JsToken;
  // Pictures of one character are no pieces of code, nor is what a letter with an accent is written as.
  if (text.length > SMALL_PIECE || NOT_ASCII.test(text)) return false;
  const [before, next] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? ''];
  if (before === ':') {
    if (text === '') return false;
    // What a number stands for is a table, of keys or states.
    const key = tokens[at - 2];
    if (key?.kind === 'number' || NOT_ASCII.test(key?.text ?? '')) return false;
    // Sizes of a drawing are written as texts.
    if (key?.kind === 'name' && DIGITS.test(text)) return false;
  }
  if (isCompared(tokens, at)) return false;
  if (GIVES.has(before) && GIVEN.has(next) && (text.trim() === '' || SIGNS.test(text))) return false;
  return !(LISTS.has(before) && LISTED.has(next)) && !isAbbreviation(tokens, at);
}
