import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkPeriods, checksBetween, refusalReasons } from '../../../src/domain/license/check-counts.ts';
import { VERIFICATIONS } from '../../../src/domain/license/verification.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/clock.ts';

const NOW = Date.UTC(2026, 10, 28, 14, 5);
const HOUR = NOW - (NOW % HOUR_MS);
const hourly = fc.record({
  hour: fc.integer({ min: 0, max: 40 * 24 }).map((ago) => HOUR - ago * HOUR_MS),
  outcome: fc.constantFrom(...VERIFICATIONS),
  count: fc.integer({ min: 1, max: 1e6 }),
});

test('the intervals of a period add up to its sums for every length', () => {
  fc.assert(
    fc.property(
      fc.array(hourly),
      fc.constantFrom(HOUR_MS, 6 * HOUR_MS, DAY_MS),
      fc.integer({ min: 1, max: 40 }),
      (checks, stepMs, periods) => {
        const split = checkPeriods(checks, { periods, stepMs }, NOW);
        expect(split).toHaveLength(periods);
        const from = split[0]?.startsAt ?? 0;
        const sums = checksBetween(checks, from, NOW);
        expect(split.reduce((sum, { valid }) => sum + valid, 0)).toBe(sums.valid);
        expect(split.reduce((sum, { refused }) => sum + refused, 0)).toBe(sums.refused);
        const reasons = refusalReasons(checks, from);
        expect(reasons.reduce((sum, [, count]) => sum + count, 0)).toBe(sums.refused);
        expect(reasons.map(([, count]) => count)).toEqual(
          reasons.map(([, count]) => count).sort((a, b) => b - a),
        );
      },
    ),
  );
});

test('the last interval is the current one, and days begin at midnight UTC', () => {
  const days = checkPeriods([], { periods: 3, stepMs: DAY_MS }, NOW).map(
    ({ startsAt }) => new Date(startsAt),
  );
  expect(days.map((day) => day.toISOString().slice(0, 16))).toEqual([
    '2026-11-26T00:00',
    '2026-11-27T00:00',
    '2026-11-28T00:00',
  ]);
});
