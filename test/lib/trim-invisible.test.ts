import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { removeInvisible, trimInvisible } from '../../src/lib/trim-invisible.ts';

// Unicode's White_Space and Default_Ignorable_Code_Point, and the blank of Braille.
const INVISIBLE = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => /\p{White_Space}|\p{Default_Ignorable_Code_Point}|\u2800/u.test(character),
);
const around = fc.array(fc.constantFrom(...INVISIBLE), { maxLength: 5 }).map((some) => some.join(''));
const seen = fc.string({ unit: 'grapheme-ascii' }).filter((text) => text === text.trim());

test('invisible characters around a text are ignored, and those inside stay', () => {
  fc.assert(
    fc.property(around, seen, around, seen, around, (left, first, middle, last, right) => {
      const text = first && last ? first + middle + last : first;
      expect(trimInvisible(left + text + right)).toBe(text);
    }),
  );
});

test('a text of invisible characters alone is empty', () => {
  expect(INVISIBLE.filter((character) => trimInvisible(character) !== '')).toEqual([]);
  expect(trimInvisible(INVISIBLE.join(''))).toBe('');
});

test('every other character counts', () => {
  const others = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => !INVISIBLE.includes(character),
  );
  expect(others.filter((character) => trimInvisible(character) === '')).toEqual([]);
});

test('a code loses them inside as well', () => {
  expect(removeInvisible('\ufeff 123\u2009456\u200b\n')).toBe('123456');
});
