/** What begins with an ASCII character. */
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
/** What each ASCII character begins. */
export const FIRST = new Uint8Array(128);
/** Whether an ASCII character can be the second one of an operator, and of a cast. */
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
  // Operators that begin no longer one.
  else if (/[)[\]{},;~@]/.test(char)) FIRST[code] = BEGINS.alone;
  if (/[=>.&|?:+\-*<]/.test(char)) IS_SECOND[code] = 1;
  if (/[ \tsibaofd]/i.test(char)) IS_IN_CAST[code] = 1;
}
