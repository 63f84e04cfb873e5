/** Token classes by the first character. */
export const BEGINS = {
  operator: 0,
  space: 1,
  name: 2,
  digit: 3,
  quote: 4,
  comment: 5,
  alone: 6,
  dollar: 7,
} as const;
/** Token class of each ASCII character. */
export const FIRST = new Uint8Array(128);
/** ASCII characters that can be second in an operator, or part of a cast. */
export const IS_SECOND = new Uint8Array(128);
export const IS_IN_CAST = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  if (code < 32) FIRST[code] = BEGINS.space;
  else if (/[A-Za-z_\\]/.test(char)) FIRST[code] = BEGINS.name;
  else if (/[0-9]/.test(char)) FIRST[code] = BEGINS.digit;
  else if (/["'`]/.test(char)) FIRST[code] = BEGINS.quote;
  else if (/[#/]/.test(char)) FIRST[code] = BEGINS.comment;
  else if (char === '$') FIRST[code] = BEGINS.dollar;
  // Operators that are always one character.
  else if (/[)[\]{},;~@]/.test(char)) FIRST[code] = BEGINS.alone;
  if (/[=>.&|?:+\-*<]/.test(char)) IS_SECOND[code] = 1;
  if (/[ \tsibaofd]/i.test(char)) IS_IN_CAST[code] = 1;
}
