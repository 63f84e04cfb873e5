import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { mayHoldBrokenText, placeOfBrokenText } from '../../src/http/broken-text.ts';

const isBroken = (text: string) => text.includes('\0') || !text.isWellFormed();
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [name, ...textsIn(each)]);
};
const piece = fc.constantFrom('\0', '\ud83d', '\ude00', '\\', '\\u0000', 'u0000', '\\ud83d', 'x', '"');
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
const { body } = fc.letrec((tie) => ({
  body: fc.dictionary(
    text,
    fc.oneof({ maxDepth: 3 }, text, tie('body'), fc.array(tie('body'), { maxLength: 2 })),
  ),
}));

test('in any body, a broken text is found exactly when there is one', () =>
  fc.assert(
    fc.asyncProperty(body, async (value) => {
      const holds = textsIn(value).some(isBroken);
      expect((await placeOfBrokenText(value as object)) !== undefined).toBe(holds);
      if (holds) expect(mayHoldBrokenText(JSON.stringify(value))).toBe(true);
    }),
  ));

test('the field names that lead to it are returned', async () => {
  expect(await placeOfBrokenText({ a: 1, b: [{}, { c: ['x', '\0'] }] })).toEqual(['b', '1', 'c', '1']);
});

test('an exempt field may contain it at the top only', async () => {
  expect(await placeOfBrokenText({ content: '\0' }, ['content'])).toBeUndefined();
  expect(await placeOfBrokenText({ a: { content: '\0' } }, ['content'])).toEqual(['a', 'content']);
});

test('an exempt field of each item may contain it, and no other field and no other place', async () => {
  const spared = ['items', '*', 'content'];
  const items = [{ content: '\0' }, { content: '\ud800' }];
  expect(await placeOfBrokenText({ items }, spared)).toBeUndefined();
  expect(await placeOfBrokenText({ items: [...items, { id: '\0' }] }, spared)).toEqual(['items', '2', 'id']);
  expect(await placeOfBrokenText({ items, content: '\0' }, spared)).toEqual(['content']);
});

test('a hundred thousand texts let other requests take turns', async () => {
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  });
  await placeOfBrokenText({ texts: Array.from({ length: 100_000 }, () => '') });
  clearInterval(count);
  expect(turns).toBeGreaterThan(0);
});
