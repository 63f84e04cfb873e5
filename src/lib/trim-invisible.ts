/** Invisible characters: White_Space and Default_Ignorable_Code_Point of the Basic Multilingual Plane, and the Braille blank. */
const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
];

/** White space as in JavaScript's `\s` and `trim`, as a character class for patterns that other languages also read. */
export const WHITE_SPACE =
  '\\u0009-\\u000d \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
/** All invisible characters as a character class. */
export const INVISIBLE = RANGES.map(([first, last]) =>
  first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`,
).join('');

/** Matches a text without visible characters. */
export const INVISIBLE_PATTERN = `^[${INVISIBLE}]*$`;
/** Matches a text with a visible character. */
export const VISIBLE_PATTERN = `[^${INVISIBLE}]`;

/** Visible ASCII characters, with which keys and tokens begin and end, are decided without a search. */
const isInvisible = (code: number): boolean =>
  !(code > 0x20 && code < 0x7f) && RANGES.some(([first, last]) => code >= first && code <= last);

/** Removes surrounding invisible characters, which copying, files and shells add to keys, tokens and codes. */
export function trimInvisible(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isInvisible(text.charCodeAt(start))) start++;
  while (end > start && isInvisible(text.charCodeAt(end - 1))) end--;
  return end - start === text.length ? text : text.slice(start, end);
}

/** Removes all invisible characters from a code, because people type codes in groups. */
export const removeInvisible = (text: string): string =>
  Array.from(text)
    .filter((character) => trimInvisible(character) !== '')
    .join('');
