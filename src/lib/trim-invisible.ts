const INVISIBLE =
  '\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u00ad\\u061c\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff';

/** The form of a text that shows nothing. */
export const INVISIBLE_PATTERN = `^[${INVISIBLE}]*$`;
/** The form of a text that shows something. */
export const VISIBLE_PATTERN = `[^${INVISIBLE}]`;

/** Characters that show nothing: white space (Unicode), byte order mark, zero-width and direction marks. */
function isInvisible(code: number): boolean {
  if (code < 0x7f) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x1680) return code === 0xa0 || code === 0x85 || code === 0xad || code === 0x61c;
  return (
    (code >= 0x2000 && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x205f && code <= 0x206f) ||
    code === 0x1680 ||
    code === 0x180e ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** A text without the invisible characters around it, which copying, files and shells add to keys, tokens and codes. */
export function trimInvisible(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isInvisible(text.charCodeAt(start))) start++;
  while (end > start && isInvisible(text.charCodeAt(end - 1))) end--;
  return end - start === text.length ? text : text.slice(start, end);
}

/** A code without any invisible characters: people type codes in groups. */
export const removeInvisible = (text: string): string =>
  Array.from(text)
    .filter((character) => trimInvisible(character) !== '')
    .join('');
