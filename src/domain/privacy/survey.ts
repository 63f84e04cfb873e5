/** What occurs in a text, as a set of bits: decides which rules can match it at all. */
export type Signs = number;

export const AT: Signs = 1 << 0;
export const COLON: Signs = 1 << 1;
export const TWO_COLONS: Signs = 1 << 2;
export const DOT: Signs = 1 << 3;
export const TWO_DOTS: Signs = 1 << 4;
export const SLASH: Signs = 1 << 5;
export const PERCENT: Signs = 1 << 6;
export const EQUALS: Signs = 1 << 7;
export const SPACE: Signs = 1 << 8;
export const FOUR_HYPHENS: Signs = 1 << 9;
export const DIGIT: Signs = 1 << 10;
export const EIGHT_DIGITS: Signs = 1 << 11;
/** A run of base64 characters of at least so many. */
export const RUN_OF_8: Signs = 1 << 12;
/** Fifteen characters: no provider's token is shorter. */
export const LONG: Signs = 1 << 13;
export const RUN_OF_20: Signs = 1 << 14;
/** Something that plainText would change. */
export const ODD_CHARACTER: Signs = 1 << 15;
/** Four runs of digits. */
export const FOUR_NUMBERS: Signs = 1 << 16;
export const BRACKET: Signs = 1 << 17;

/** One pass over a text. */
export function survey(text: string): Signs {
  let signs = 0;
  let digits = 0;
  let numbers = 0;
  let lastDigit = -2;
  let dots = 0;
  let colons = 0;
  let hyphens = 0;
  let run = 0;
  let longestRun = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const role = code < 0x80 ? (ROLES[code] ?? 0) : ODD_CHARACTER;
    if (role & IN_RUN) {
      if (++run > longestRun) longestRun = run;
    } else run = 0;
    if (role === IN_RUN) continue;
    if (role & DIGIT) {
      digits++;
      if (lastDigit !== i - 1) numbers++;
      lastDigit = i;
    } else if (code === 0x2e) dots++;
    else if (code === 0x3a) colons++;
    else if (code === 0x2d) hyphens++;
    signs |= role;
  }
  if (digits >= 8) signs |= EIGHT_DIGITS;
  if (numbers >= 4) signs |= FOUR_NUMBERS;
  if (dots >= 2) signs |= TWO_DOTS;
  if (colons >= 2) signs |= TWO_COLONS;
  if (hyphens >= 4) signs |= FOUR_HYPHENS;
  if (text.length >= 15) signs |= LONG;
  if (longestRun >= 20) signs |= RUN_OF_8 | RUN_OF_20;
  else if (longestRun >= 8) signs |= RUN_OF_8;
  return signs & ~(IN_RUN | HYPHEN);
}

/** Whether a text is a moment in ISO 8601, the one value of a valid body that is full of digits and signs. */
export const isTimestamp = (text: string): boolean =>
  text.length >= 10 && text.length <= 35 && text.charCodeAt(4) === 0x2d && TIMESTAMP.test(text);

const TIMESTAMP =
  /^[12]\d{3}-[01]\d-[0-3]\d(?:[Tt ][0-2]\d:[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?(?:[Zz]|[+-][01]\d:?[0-5]\d)?)?$/;

const IN_RUN: Signs = 1 << 18;
const HYPHEN: Signs = 1 << 19;

/** What each ASCII character tells. */
const ROLES = new Int32Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z0-9+/_-]/.test(character)) ROLES[code] = IN_RUN;
  if (code < 0x20 || code === 0x7f) ROLES[code] = ODD_CHARACTER;
}
for (const [characters, role] of [
  ['0123456789', IN_RUN | DIGIT],
  ['-', IN_RUN | HYPHEN],
  ['/', IN_RUN | SLASH],
  ['\\', SLASH],
  ['@', AT],
  [':', COLON],
  ['.', DOT],
  ['%', PERCENT],
  ['=', EQUALS],
  [' \t\n\r', SPACE],
  ['[({<', BRACKET],
] as const) {
  for (const character of characters) ROLES[character.charCodeAt(0)] = role;
}
