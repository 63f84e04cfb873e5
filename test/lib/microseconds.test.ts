import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { isoMicroseconds, parseMicroseconds } from '../../src/lib/microseconds.ts';

test('a moment in microseconds is written with six digits, and read as it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8_000_000_000_000_000 }), (at) => {
      const text = isoMicroseconds(at);
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      expect(parseMicroseconds(text)).toBe(at);
    }),
  );
});

test.each([
  ['2026-11-30T00:00:00Z', Date.UTC(2026, 10, 30) * 1_000],
  ['1970-01-01T00:00:00.1Z', 100_000],
  ['1970-01-01T00:00:00.0000019Z', 1],
  ['1970-01-01T01:00:00.000002+01:00', 2],
  ['1969-12-31T23:59:59Z', undefined],
  ['1970-01-01', undefined],
])('%s is %p microseconds', (text, at) => {
  expect(parseMicroseconds(text)).toBe(at);
});
