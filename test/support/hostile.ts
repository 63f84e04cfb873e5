import { expect } from 'bun:test';
import fc from 'fast-check';
import { foreignIn, tagsOf } from './markup.ts';

/** What would be an element or an attribute of its own, were it not escaped. */
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
/** A text that is made of them. */
export const hostile = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join('').trim().slice(0, 60))
  .filter((text) => text !== '' && text.isWellFormed());

/** Expects that every tag of a page is one of ours. */
export async function expectOwnMarkup(what: string, html: string): Promise<void> {
  const foreign = (await tagsOf(html)).map(foreignIn).filter((why) => why !== undefined);
  expect([what, foreign]).toEqual([what, []]);
}
