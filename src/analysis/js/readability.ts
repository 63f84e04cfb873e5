import { WHOLE } from '../place.ts';
import { shareOf, wordsIn } from '../words.ts';
import type { Report } from './calls.ts';
import type { JsText } from './fold.ts';
import type { JsSurface, JsToken } from './lexer.ts';
import { packedAt } from './packer.ts';
import {
  areAssignedPieces,
  digitTexts,
  isCodeInPieces,
  isPadded,
  isRepeated,
  isSeparated,
  literalChoices,
  literalLists,
  literalTests,
} from './pieces.ts';
import { JS } from './signals.ts';

const RANDOM_NAME = /^_0x[0-9a-f]{4,6}$/;
const SMALL_PIECE = 3;
const SMALL_SHARE = 0.1;
const NOT_ASCII = /[^\0-\x7f]/;
/** What holds numbers that stay numbers: tables of a codec, memory of a compiled program. */
const TYPED_ARRAY = /^(?:Uint|Int|Float)(?:8|16|32|64)(?:Clamped)?Array$/;
/** The path of a vector drawing: commands of one letter and numbers. */
const DRAWING = /^[Mm][\d.,-][MmLlHhVvCcSsQqTtAaZz\d.,-]*$/;

/** Comparisons of constants in so many tokens are left by settings of a build. */
const TESTS_SHARE = 0.002;
const LETTERS = /^[a-z]+$/i;
const OPENS_ITEM = new Set(['{', ',']);
/** Whether a text is short for the name that it has in a table, as codes of countries are. */
function isAbbreviation(tokens: readonly JsToken[], at: number): boolean {
  const [opening, name, colon, text] = tokens.slice(Math.max(0, at - 3), at + 1);
  return (
    OPENS_ITEM.has(opening?.text ?? '') &&
    colon?.text === ':' &&
    name?.kind === 'name' &&
    name.text.length > (text?.text.length ?? 0) &&
    LETTERS.test(`${name.text}${text?.text}`)
  );
}

/** What stands before and behind an item of a list. */
const LISTS = new Set(['[', ',']);
const LISTED = new Set([']', ',']);
const BRACKETS = ['![]', '+[]', '!!['];

/** Judges how a script is written: whether anybody was meant to read it. */
export function judgeReadability(
  source: string,
  { tokens, escapes, commentChars }: JsSurface,
  texts: readonly JsText[],
  report: Report,
): void {
  const names: JsToken[] = [];
  const strings: JsToken[] = [];
  let numbers = 0;
  for (const token of tokens) {
    if (token.kind === 'name') names.push(token);
    else if (token.kind === 'string') strings.push(token);
    else if (token.kind === 'number') numbers++;
  }
  if (names.filter(({ text }) => text.startsWith('_0x') && RANDOM_NAME.test(text)).length >= 10)
    report(JS.obfuscator, names[0]?.at ?? 0);
  if (digitTexts(tokens) >= 12) report(JS.obfuscator, strings[0]?.at ?? 0);
  if (escapes >= 30 && escapes * 4 > source.length * 0.2) report(JS.escapedTexts, strings[0]?.at ?? 0);
  const pieces = texts.reduce(
    (sum, { pieces: count, text }) => sum + (count > 2 && text.length / count <= SMALL_PIECE * 2 ? count : 0),
    0,
  );
  if (pieces >= 40 && pieces * 3 > strings.length)
    report(JS.fragments, texts.find((text) => text.pieces > 2)?.at ?? 0);
  const small = tokens.filter(
    ({ kind, text }, at) =>
      kind === 'string' &&
      !(text === '' && tokens[at - 1]?.text === ':') &&
      text.length <= SMALL_PIECE &&
      // Pictures of one character are no pieces of code, nor is what a letter with an accent is written as.
      !NOT_ASCII.test(text) &&
      // What a number stands for is a table, of keys or states.
      !(
        tokens[at - 1]?.text === ':' &&
        (tokens[at - 2]?.kind === 'number' || NOT_ASCII.test(tokens[at - 2]?.text ?? ''))
      ) &&
      !(LISTS.has(tokens[at - 1]?.text ?? '') && LISTED.has(tokens[at + 1]?.text ?? '')) &&
      !isAbbreviation(tokens, at),
  ).length;
  if (small >= 50 && small > strings.length * 0.5 && small > tokens.length * SMALL_SHARE)
    report(JS.fragments, strings[0]?.at ?? 0);
  if (
    numbers >= 150 &&
    numbers > tokens.length * 0.35 &&
    !names.some(({ text }) => TYPED_ARRAY.test(text)) &&
    names.some(({ text }) => text === 'fromCharCode' || text === 'eval')
  )
    report(JS.codeNumbers, WHOLE);
  const packs = tokens.findIndex(({ text }, at) => text === 'eval' && packedAt(tokens, at) !== undefined);
  if (packs >= 0) report(JS.packer, tokens[packs]?.at ?? 0);
  if (/\/\*@cc_on\s/.test(source)) report(JS.conditional, source.indexOf('/*@cc_on'));
  if (literalTests(tokens) >= Math.max(6, tokens.length * TESTS_SHARE) || literalChoices(tokens) >= 3)
    report(JS.literalTests, strings[0]?.at ?? 0);
  if (isRepeated(tokens, strings)) report(JS.repeatedTexts, strings[0]?.at ?? 0);
  if (isCodeInPieces(tokens, strings) || areAssignedPieces(tokens, strings))
    report(JS.codeInPieces, strings[0]?.at ?? 0);
  const padded = strings.filter(({ text }) => isPadded(text));
  const separated = strings.find(({ text }) => isSeparated(text));
  if (separated) report(JS.paddedTexts, separated.at);
  if (literalLists(tokens) > Math.max(8, tokens.length * 0.01)) report(JS.junk, strings[0]?.at ?? 0);
  if (
    wordsIn(source, BRACKETS) > 0 &&
    (source.slice(0, 60_000).match(/!\[\]|\+\[\]|!!\[/g)?.length ?? 0) >= 8
  )
    report(JS.symbolsOnly, WHOLE);
  if (
    commentChars > source.length * 0.6 &&
    source.length > 2_000 &&
    !/@(?:param|license|since|return)|Copyright|Licen[cs]e/i.test(source)
  )
    report(JS.junkComments, WHOLE);
  if (padded.length >= 3 || padded.some(({ text }) => text.length > 400))
    report(JS.paddedTexts, padded[0]?.at ?? 0);
  const packed = strings.find(
    ({ text }) =>
      text.length >= 800 && !/[ \t<>]/.test(text.slice(0, 300)) && !DRAWING.test(text.slice(0, 300)),
  );
  if (packed) report(JS.packedText, packed.at);
  if (randomShare(names) > 0.45) report(JS.randomNames, names[0]?.at ?? 0);
  const sample = source.slice(0, 20_000);
  if (source.includes('ﾟΘﾟ')) report(JS.symbolsOnly, WHOLE);
  if (sample.length >= 200 && shareOf(sample, /[[\]()!+{}]+/g) > 0.75) report(JS.symbolsOnly, WHOLE);
  if (
    commentChars > source.length * 0.15 &&
    /\*\s*@(?:param|return|type|license|since|module|author)|\bLicensed\b|Copyright/i.test(source)
  )
    report(JS.documented, WHOLE);
  if (
    names.some(
      ({ text }) =>
        text === 'module' || text === 'define' || text === 'jQuery' || text === 'exports' || text === 'wp',
    )
  )
    report(JS.library, WHOLE);
}

/** The share of declared names that look like rolled letters, among enough of them. */
function randomShare(names: readonly JsToken[]): number {
  const distinct = new Set(names.map(({ text }) => text).filter((text) => text.length >= 5));
  if (distinct.size < 8) return 0;
  let random = 0;
  for (const name of distinct) if (isRandom(name)) random++;
  return random / distinct.size;
}

function isRandom(name: string): boolean {
  if (/[a-z][0-9]+[a-z]/i.test(name) && name.length >= 6) return true;
  if (/[bcdfghjklmnpqrstvwxz]{5}/i.test(name)) return true;
  const changes = name.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0;
  return name.length >= 6 && changes / name.length > 0.5;
}
