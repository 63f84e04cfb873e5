const TITLE_CHARACTERS_MAX = 300;
const NOTICE_CHARACTERS_MAX = 2_048;
/** Input characters processed per output character, because markup is removed. */
const MARKUP_FACTOR = 4;

/** Matches tags and comments only, not `<= 1.2`. Linear: scans no `<` twice. */
const TAGS = /<(?:\/?[a-z]|!--)[^<>]*>/gi;
const ENTITIES = /&(?:(amp|lt|gt|quot|apos|nbsp)|#([0-9]{1,7})|#x([0-9a-f]{1,6}));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
/** White space and unsafe characters: control characters, bidirectional controls and lone surrogates. */
const GAPS = /[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]+/gu;

/** Converts a title to one line of plain text with at most 300 characters. */
export const plainTitle = (text: string): string => plain(text, TITLE_CHARACTERS_MAX);

/** Like `plainTitle`, for license notices of at most 2,048 characters. */
export const plainNotice = (text: string): string => plain(text, NOTICE_CHARACTERS_MAX);

function plain(text: string, most: number): string {
  const line = text
    .slice(0, most * MARKUP_FACTOR)
    .replace(TAGS, ' ')
    .replace(ENTITIES, characterOf)
    .replace(GAPS, ' ')
    .trim();
  if (line.length <= most) return line;
  return `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function characterOf(entity: string, name?: string, decimal?: string, hexadecimal?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}
