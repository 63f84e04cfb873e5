/** ASCII classes of a UTF-16 code; NaN, which charCodeAt gives beyond the end, is in none. */

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

export const isLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);

export const isLetterOrDigit = (code: number): boolean => isDigit(code) || isLetter(code);

export const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);
