import { WHOLE } from '../place.ts';
import { shareOf, wordsIn } from '../words.ts';
import type { Report } from './calls.ts';
import { CONDITIONAL, type JsToken } from './lexer.ts';
import { countRandom } from './obfuscated-names.ts';
import { packedAt } from './packer.ts';
import { digitTexts, isRepeated, literalLists } from './pieces.ts';
import { JS } from './signals.ts';

/** An SVG path: one-letter commands and numbers. */
const DRAWING = /^[Mm][\d.,-][MmLlHhVvCcSsQqTtAaZz\d.,-]*$/;
/** A word list, such as those of password meters. */
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
/** A PEM certificate or key. */
const CERTIFICATE = '-----BEGIN ';

/** A comment line that begins with a word or code. */
const DOCUMENTED_LINE = /^[ \t]{0,40}(?:\*|\/\/)[ \t]*[^\s*/][^\n]{3,200}/gm;
const DOCUMENTED_LINES_MIN = 4;
const BRACKETS = ['![]', '+[]', '!!['];
/** Names that bind a library to a page or program. */
const LIBRARIES = ['module', 'define', 'jQuery', 'exports', 'wp'];
/** Sample size in characters, and the share of signs above which a script has no words. */
const SAMPLE_CHARS = 20_000;
const SIGNS_SHARE = 0.75;

/** A script, or a part of one, as it is written. */
export interface Writing {
  readonly source: string;
  /** Its offset in the script. */
  readonly startsAt: number;
  readonly tokens: readonly JsToken[];
  /** Characters in comments. */
  readonly commentChars: number;
}

/** Judges the style of a script: whether people were meant to read it. */
export function judgeReadability(writing: Writing, report: Report): void {
  const { source, startsAt, tokens, commentChars } = writing;
  const names = new Set<string>();
  let nameAt: number | undefined;
  let nameChars = 0;
  // Most checks begin with a text or a number, so only these tokens are visited.
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
  const packs = names.has('eval')
    ? tokens.findIndex(({ text }, at) => text === 'eval' && packedAt(tokens, at) !== undefined)
    : -1;
  if (packs >= 0) report(JS.packer, tokens[packs]?.at ?? 0);
  const conditionalAt = conditionalCodeAt(source);
  if (conditionalAt !== undefined) report(JS.conditional, startsAt + conditionalAt);
  if (isRepeated(tokens, strings, numbers)) report(JS.repeatedTexts, firstString);
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
  const sample = source.slice(0, SAMPLE_CHARS);
  if (source.includes('ﾟΘﾟ')) report(JS.symbolsOnly, WHOLE);
  // A cheap test first: with this many characters in names, the signs cannot exceed the share.
  const mayBeSigns = sample.length >= 200 && nameChars < sample.length * (1 - SIGNS_SHARE);
  if (mayBeSigns && shareOf(sample, /[[\]()!+{}]+/g) > SIGNS_SHARE) report(JS.symbolsOnly, WHOLE);
  if (
    commentChars > source.length * 0.15 &&
    /\*\s*@(?:param|return|type|license|since|module|author)|\bLicensed\b|Copyright/i.test(source)
  )
    report(JS.documented, WHOLE);
  if (LIBRARIES.some((name) => names.has(name))) report(JS.library, WHOLE);
}

/** Browser detection in such a comment, in one or two lines. */
const BROWSER_TEST = /^\s{0,4}!|@_jscript|\bdocument\b|XMLHttp|\bi?s?(?:ms)?ie\d?\b/i;
const BROWSER_TEST_CHARS_MAX = 600;

/** Offset of a conditional comment with code for old Internet Explorer, except browser detection. */
function conditionalCodeAt(source: string): number | undefined {
  let at = source.indexOf(CONDITIONAL);
  for (; at >= 0; at = source.indexOf(CONDITIONAL, at + 1)) {
    const start = at + CONDITIONAL.length;
    const end = source.indexOf('@*/', start - 1);
    const isShort = end >= 0 && end - start <= BROWSER_TEST_CHARS_MAX;
    if (/\s/.test(source[start] ?? '') && !(isShort && BROWSER_TEST.test(source.slice(start, end))))
      return at;
    if (end < 0) return undefined;
    at = end;
  }
  return undefined;
}

/** Reports a long text that is not a list, drawing, picture or certificate. */
function judgeLongTexts(tokens: readonly JsToken[], strings: readonly number[], report: Report): void {
  const texts = strings.map((at) => tokens[at] as JsToken);
  const packed = texts.find(
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
