import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { base62, base62Bytes } from '../../src/lib/base62.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const decoded = (text: string) =>
  [...text].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);

describe('base 62', () => {
  test.each([
    [0n, 1, '0'],
    [61n, 1, 'z'],
    [62n, 2, '10'],
    [62n ** 6n - 1n, 6, 'zzzzzz'],
    [7n, 4, '0007'],
  ])('writes %p in %p characters as %p', (value, width, text) => {
    expect(base62(value, width)).toBe(text);
  });

  test('has exactly its width and returns its value, so that no two values look alike', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 62n ** 10n - 1n }), (value) => {
        const text = base62(value, 10);
        expect([text.length, decoded(text)]).toEqual([10, value]);
      }),
    );
  });

  test('refuses a value that does not fit its width', () => {
    expect(() => base62(62n, 1)).toThrow(RangeError);
    expect(() => base62(-1n, 1)).toThrow(RangeError);
  });

  test('reads bytes as one big-endian number; 24 of them always fit 33 characters', () => {
    expect(base62Bytes(new Uint8Array([1, 0]), 2)).toBe(base62(256n, 2));
    expect(base62Bytes(new Uint8Array(24).fill(255), 33)).toHaveLength(33);
  });
});
