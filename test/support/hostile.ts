import { expect } from 'bun:test';
import fc from 'fast-check';
import { foreignIn, tagsOf } from './markup.ts';

/** Markup that would be an element or an attribute if it were not escaped. */
const PIECES = [
  ...[
    '<zzlive>',
    '"><zzlive>',
    "'><zzlive>",
    '" zzlive="',
    "' zzlive='",
    ' zzlive=1 ',
    '<',
    '>',
    '"',
    "'",
    '&',
    '`',
  ],
  ...[
    '<!--',
    '-->',
    '</title>',
    '</textarea>',
    '</script>',
    '<script>',
    '<svg onload=zz>',
    '<img src=x onerror=zz>',
  ],
  ...[
    'javascript:zz',
    '&#60;zzlive&#62;',
    '&lt;',
    '{{zz}}',
    '%3Czzlive%3E',
    '\\u003czzlive>',
    'é',
    '日本',
    '𝔵',
    ' ',
    'x',
  ],
];
/** A text composed of it. */
export const hostile = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join('').trim().slice(0, 60))
  .filter((text) => text !== '' && text.isWellFormed());

/** Expects that every tag of a page is one that Redoubt writes. */
export async function expectOwnMarkup(what: string, html: string): Promise<void> {
  const foreign = (await tagsOf(html)).map(foreignIn).filter((why) => why !== undefined);
  expect([what, foreign]).toEqual([what, []]);
}
