import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createIdentities } from '../../src/domain/identity.ts';
import { decodeCursor, encodeCursor } from '../../src/http/cursor.ts';

const { cursorKey } = createIdentities(new Uint8Array(32).fill(7));
const KEY = cursorKey(1, 'events');
const refused = expect.objectContaining({ refused: 'INVALID_QUERY' });
const decoded = (key: Uint8Array, cursor: string) => {
  try {
    return decodeCursor(key, cursor);
  } catch (refusal) {
    return refusal;
  }
};

test('a cursor returns its position, for its own list and tenant only', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (position) => {
      const cursor = encodeCursor(KEY, position);
      expect(decodeCursor(KEY, cursor)).toBe(position);
      for (const other of [cursorKey(2, 'events'), cursorKey(1, 'sites')])
        expect(decoded(other, cursor)).toEqual(refused);
    }),
  );
});

test('a foreign cursor is refused', () => {
  fc.assert(fc.property(fc.string(), (text) => expect(decoded(KEY, text)).toEqual(refused)));
  for (const text of ['', 'A'.repeat(22), 'x'.repeat(4_000)]) expect(decoded(KEY, text)).toEqual(refused);
});

test('a cursor with additional characters or in another notation is refused', () => {
  const cursor = encodeCursor(KEY, 41);
  const changed = ['==', '=', '!', ' ', '\n', '.', '\u0000', 'é'].flatMap((added) => [
    cursor + added,
    added + cursor,
    cursor.slice(0, 7) + added + cursor.slice(7),
  ]);
  const lastBits = cursor.slice(0, -1) + String.fromCharCode(cursor.charCodeAt(21) + 1);
  for (const text of [...changed, lastBits]) expect(decoded(KEY, text)).toEqual(refused);
});

test('cursors of adjacent positions have nothing in common', () => {
  const bytes = (position: number) => [...Buffer.from(encodeCursor(KEY, position), 'base64url')];
  const [one, next] = [bytes(41), bytes(42)];
  expect(one.filter((byte, index) => byte === next[index]).length).toBeLessThan(6);
});
