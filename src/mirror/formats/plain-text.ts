const TITLE_CHARACTERS_MAX = 300;
const NOTICE_CHARACTERS_MAX = 2_048;
/** What of a text is looked at for so many characters of it: markup takes room that is not shown. */
const MARKUP_FACTOR = 4;

/** Tags and comments alone: `<= 1.2` is none. No `<` is read twice. */
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
/** Also what turns the order of a text round, and halves of pairs. */
const GAPS = /[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]+/gu;

/** A title as plain text in one line: 300 characters at most, without markup. */
export const plainTitle = (text: string): string => plain(text, TITLE_CHARACTERS_MAX);

/** The same for the notice of a license: 2,048 characters at most. */
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
