import { WHOLE } from '../place.ts';
import { charsOf, setOf, shareOf } from '../words.ts';
import type { Overview } from './overview.ts';
import { PHP } from './signals.ts';
import type { PhpSurface, PhpToken } from './token.ts';
import type { Walk } from './walk.ts';

// Accented letters are excluded: many languages have them.
const LOOK_ALIKE = /^[O0_oIl1i]{4,}$|[\u0080-\u00bf\u0180-\uffff]/;
/** Names of formats and algorithms that end in a number. */
const NUMBERED =
  /^(?:md5|sha\d+|crc32|base64|utf(?:8|16)|x509|[hx]26[45]|mp[34]|ipv?[46]|u?int\d+|float\d+|oauth[12]|html5|es6|s3|ec2)/i;
const LETTERS_AND_DIGITS = /^(?=[a-z_]*[0-9]+[a-z_])[a-z0-9_]{5,}$/i;
const UNREADABLE_CHARS_MIN = 1_000;

/** From this share of texts without words, a file counts as packed. */
const PACKED_SHARE = 0.6;

/** Pictures, fonts and sounds as data URLs. */
const MEDIA = /^data:(?:image|font|audio|video)\//;

/** Words with separators between them, as in paths and names of classes. */
const WORDS = /[A-Za-z][a-z]{2,}(?=[/_.-]|$)/g;
const WORDS_SHARE = 0.5;

/** Whether a text has no words: the alphabet of an encoding, or bytes. */
function isPacked(text: string): boolean {
  if (MEDIA.test(text) || shareOf(text.slice(0, 400), WORDS) > WORDS_SHARE) return false;
  const sample = text.slice(0, 400).replace(/[\r\n]/g, '');
  if (/[ \t]/.test(sample)) return /[\u0000-\u0008\u0080-\u00ff\ufffd]{20}/.test(sample);
  return shareOf(sample, /[A-Za-z0-9+/=_-]+/g) > 0.97 || shareOf(sample, /[\u0080-\u00ff\ufffd]+/g) > 0.2;
}

/** Offset of unreadable text: one long piece, or most of the file in short pieces. */
export function unreadableAt(tokens: readonly PhpToken[], length: number): number | undefined {
  let packed = 0;
  for (const { kind, text, at } of tokens) {
    if (kind !== 'string' || text.length < 40 || !isPacked(text)) continue;
    if (text.length >= UNREADABLE_CHARS_MIN) return at;
    packed += text.length;
  }
  return packed >= UNREADABLE_CHARS_MIN && packed > length * PACKED_SHARE ? WHOLE : undefined;
}

/**
 * Counts the distinct prefixes, up to the first digits, of names with digits inside: random names have one each, while those of a
 * program share abbreviations.
 */
const unreadableStems = (names: ReadonlySet<string>): number =>
  new Set(
    [...names]
      .filter((name) => LETTERS_AND_DIGITS.test(name) && !NUMBERED.test(name))
      .map((name) => /^[^0-9]*[0-9]+/.exec(name)?.[0]),
  ).size;

/** Words and signs of a file with constants only, after a guard against direct calls. */
const DATA_WORDS = new Set(
  'return array true false null declare strict_types namespace static const unset list if defined php_sapi die exit'.split(
    ' ',
  ),
);
const DATA_SIGNS = setOf('; , = => ( ) [ ] { } & - ! && || !==');

/** Whether a file consists of constants: no calls, no operators. */
const isData = ({ tokens }: PhpSurface): boolean =>
  tokens.every(({ kind, text }, index) => {
    const before = tokens[index - 1];
    switch (kind) {
      case 'string':
      case 'number':
      case 'variable':
        return true;
      case 'name':
        return DATA_WORDS.has(text) || before?.text === 'namespace';
      case 'operator':
        return DATA_SIGNS.has(text) && (text !== '(' || before?.kind === 'name');
      default:
        return false;
    }
  });

const COMMENT_LINE = /^[ \t]*\/\/.*$/gm;

/** From this share of signs, a file counts as written without letters. */
const SIGNS_SHARE = 0.55;
const LETTERS = /[A-Za-z0-9\s]+/g;

/** A sample of this size already contains enough letters in most files. */
const FIRST_PART = 0.65;

/** Whether more than half of a file's beginning is neither letters, digits nor space. */
function isMostlySigns(source: string): boolean {
  const start = source.slice(0, 20_000);
  const code = start.includes('//') ? start.replace(COMMENT_LINE, '') : start;
  const first = code.slice(0, code.length * FIRST_PART);
  if (charsOf(first, LETTERS) > code.length * (1 - SIGNS_SHARE + 0.01)) return false;
  // Most files have enough ASCII letters; testing for all alphabets is slow.
  if (1 - shareOf(code, LETTERS) <= SIGNS_SHARE) return false;
  return (code.match(/[^\p{L}\p{M}\p{N}\s]/gu)?.length ?? 0) > code.length * SIGNS_SHARE;
}

/** Judges the style of a file: whether people were meant to read it. */
export function judgeReadability(
  walk: Walk,
  surface: PhpSurface,
  source: string,
  { variables: names, escapes, unreadable }: Overview,
): void {
  const { tokens } = surface;
  const share = (pattern: RegExp) =>
    [...names].filter((name) => pattern.test(name)).length / Math.max(1, names.size);
  if (names.size >= 3 && share(LOOK_ALIKE) > 0.3) walk.report(PHP.oddNames, WHOLE);
  else if (names.size >= 6 && unreadableStems(names) > names.size * 0.5) walk.report(PHP.oddNames, WHOLE);
  if (walk.jumps >= 8 && walk.jumps > tokens.length * 0.01) walk.report(PHP.jumps, WHOLE);
  if (escapes >= 20 && escapes * 4 > source.length * 0.08) walk.report(PHP.escapedStrings, WHOLE);
  if (walk.characterCodes >= 15) walk.report(PHP.characterCodes, WHOLE);
  // Constants alone are data for an including file; the value of a variable may be decoded later.
  if (unreadable !== undefined && !(names.size === 0 && isData(surface)))
    walk.report(PHP.compactCode, unreadable);
  if (tokens.length >= 30 && surface.hasCode && isMostlySigns(source) && !isData(surface))
    walk.report(PHP.noLetters, WHOLE);
  if (names.has('GLOBALS')) judgeGlobals(walk, surface);
}

const WORD = /[a-z]{5}/i;
const isUnreadable = (name: string): boolean =>
  LOOK_ALIKE.test(name) || (LETTERS_AND_DIGITS.test(name) && !WORD.test(name));

/** Reports functions and texts in `$GLOBALS` under unreadable names. */
function judgeGlobals(walk: Walk, { tokens }: PhpSurface): void {
  const unreadable = tokens.filter(({ kind, text }, index) => {
    if (kind !== 'variable' || text !== 'GLOBALS') return false;
    const key = tokens[index + 2];
    return key?.escaped || isUnreadable(key?.text ?? '');
  });
  if (unreadable.length >= 5) walk.report(PHP.globalsMaze, WHOLE);
}
