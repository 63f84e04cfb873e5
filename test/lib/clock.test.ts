import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  DAY_MS,
  iso,
  isoOrNull,
  SECOND_MS,
  secondsToUtcMidnight,
  systemClock,
  utcDay,
} from '../../src/lib/clock.ts';

const moment = fc.integer({ min: 0, max: Date.UTC(9999, 0) });

describe('the UTC day', () => {
  test.each([
    [0, '1970-01-01'],
    [Date.UTC(2024, 1, 29, 23, 59, 59, 999), '2024-02-29'],
    [Date.UTC(2024, 2, 1), '2024-03-01'],
  ])('of %p is %p', (atMs, day) => {
    expect(utcDay(atMs)).toBe(day);
  });

  test('ends after exactly the seconds told: the last millisecond before still belongs to it', () => {
    fc.assert(
      fc.property(moment, (atMs) => {
        const seconds = secondsToUtcMidnight(atMs);
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeWithin(1, DAY_MS / SECOND_MS + 1);
        expect(utcDay(atMs + seconds * SECOND_MS)).not.toBe(utcDay(atMs));
        expect(utcDay(atMs + (seconds - 1) * SECOND_MS - 1)).toBe(utcDay(atMs - (seconds === 1 ? 1 : 0)));
      }),
    );
  });
});

test('a moment is written as ISO 8601 in UTC with milliseconds, and no moment as null', () => {
  expect([iso(0), isoOrNull(1), isoOrNull(null)]).toEqual([
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:00:00.001Z',
    null,
  ]);
});

test('the monotonic clock never goes back', () => {
  const readings = Array.from({ length: 1_000 }, () => systemClock.monotonic());
  expect(readings).toEqual(readings.toSorted((a, b) => a - b));
});
