import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { canonicalEmail } from '../../../src/domain/license/email.ts';

test.each([
  ['A.B+c@Example.COM', 'a.b@example.com'],
  [' a@b.co ', 'a@b.co'],
  ['one.two+tag@gmail.com', 'onetwo@gmail.com'],
  ['o.n.e.t.w.o@GoogleMail.com', 'onetwo@gmail.com'],
  ['one.two@pm.me', 'onetwo@proton.me'],
  ['one-t_wo+x@protonmail.com', 'onetwo@proton.me'],
  ['one.two@workspace.com', 'one.two@workspace.com'],
  ['ｏｎｅ＋ｔａｇ＠ｍａｉｌ．ｃｏｍ', 'one@mail.com'],
  ['oﬃce@mail.com', 'office@mail.com'],
  ['GROẞ@mail.com', 'gross@mail.com'],
  ['groß@mail.com', 'gross@mail.com'],
  ['ΟΔΟΣ@mail.com', 'οδος@mail.com'],
  ['οδοσ@mail.com', 'οδος@mail.com'],
  ['cafe\u0301@mail.com', 'café@mail.com'],
])('the canonical form of %p is %p', (text, canonical) => {
  expect(canonicalEmail(text)).toBe(canonical);
});

test.each([
  '+tag@b.co',
  '...@gmail.com',
  'a b@c.de',
  'a@',
  'a@b@c.de',
  'ａ＠b@c.de',
  'a(comment)@b.co',
  `${'a'.repeat(65)}@b.co`,
  `a@${'b'.repeat(254)}`,
  ...[
    '\u200b',
    '\u200d',
    '\u00ad',
    '\u2060',
    '\ufe0f',
    '\u034f',
    '\u115f',
    '\u202e',
    '\u{e0061}',
    '\u0000',
  ].map((invisible) => `on${invisible}e@mail.com`),
])('%p is not an e-mail address', (text) => {
  expect(canonicalEmail(text)).toBeUndefined();
});

test('a canonical form is its own, and that of every spelling by width, case and tag', () => {
  const wide = (text: string) =>
    text.replace(/[!-~]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0));
  const local = fc.stringMatching(/^[a-zA-Zà-öß]{1,20}$/);
  const spelling = fc.constantFrom<(text: string) => string>(
    wide,
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    (text) => text.normalize('NFD'),
    (text) => text.replace('@', '+tag@'),
  );
  fc.assert(
    fc.property(local, fc.array(spelling, { maxLength: 4 }), (name, spellings) => {
      const email = `${name}@mail.com`;
      const canonical = canonicalEmail(email) ?? '';
      expect(canonicalEmail(canonical)).toBe(canonical);
      expect(canonicalEmail(spellings.reduce((text, spell) => spell(text), email))).toBe(canonical);
    }),
  );
});

test('the canonical form of any accepted address is its own', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (name) => {
      const canonical = canonicalEmail(`${name}@mail.com`);
      if (canonical !== undefined) expect(canonicalEmail(canonical)).toBe(canonical);
    }),
    { numRuns: 2_000 },
  );
});
