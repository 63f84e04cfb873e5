import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  DAY_MS,
  HOUR_MS,
  iso,
  isoOrNull,
  SECOND_MS,
  secondsToUtcMidnight,
  steady,
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

  test('ends after exactly the returned seconds: the last millisecond before still belongs to it', () => {
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

describe('a steady clock', () => {
  /** Its readings while time passes, a second at a time, next to a clock that is sometimes set. */
  const readings = (seconds: number, setTo: Record<number, number>) => {
    let [wall, monotonic] = [DAY_MS, 0];
    const clock = steady({ now: () => wall, monotonic: () => monotonic });
    return Array.from({ length: seconds }, (_, second) => {
      wall = setTo[second] ?? wall + SECOND_MS;
      monotonic += SECOND_MS;
      return clock.now() - DAY_MS;
    });
  };

  test('runs at half speed while the host’s is slightly behind, then with it', () => {
    expect(readings(8, { 0: DAY_MS, 2: DAY_MS - SECOND_MS })).toEqual([
      0, 1_000, 1_500, 2_000, 2_500, 3_000, 3_000, 4_000,
    ]);
  });

  test('follows immediately when the host’s jumps ahead, or back by an hour', () => {
    expect(readings(3, { 0: DAY_MS, 1: 3 * DAY_MS, 2: 3 * DAY_MS - HOUR_MS })).toEqual([
      0,
      2 * DAY_MS,
      2 * DAY_MS - HOUR_MS,
    ]);
  });
});

test('the monotonic clock never goes back', () => {
  const readings = Array.from({ length: 1_000 }, () => systemClock.monotonic());
  expect(readings).toEqual(readings.toSorted((a, b) => a - b));
});
