import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { keptBackups } from '../../../src/domain/backup/kept-backups.ts';
import '../../support/properties.ts';

const DAY = 86_400_000;
const at = (day: string) => Date.parse(`${day}T02:00:00Z`);
const days = (moments: ReadonlySet<number>) =>
  [...moments].map((moment) => new Date(moment).toISOString().slice(0, 10)).sort();

test('of a daily backup the last 7 days are retained, and the last of each of 4 weeks', () => {
  const made = Array.from({ length: 60 }, (_, day) => at('2026-11-24') - day * DAY);
  expect(days(keptBackups(made, at('2026-11-24'), { daily: 7, weekly: 4 }))).toEqual([
    // Sundays, when weeks end; this week's is its last so far.
    ...['2026-11-08', '2026-11-15', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'],
    ...['2026-11-23', '2026-11-24'],
  ]);
});

test('of several backups in a day the last is retained, and days without one do not count', () => {
  const [first, second, older] = [at('2026-11-24'), at('2026-11-24') + 1, at('2026-08-01')];
  expect(keptBackups([first, older, second], second, { daily: 2, weekly: 0 })).toEqual(
    new Set([second, older]),
  );
});

test('the newest is always retained, and at most as many as days and weeks together', () => {
  const moments = fc.uniqueArray(fc.integer({ min: 0, max: 400 * DAY }), { minLength: 1, maxLength: 50 });
  const count = fc.nat({ max: 9 });
  fc.assert(
    fc.property(moments, count, count, (made, daily, weekly) => {
      const now = Math.max(...made);
      const kept = keptBackups(made, now, { daily, weekly });
      expect(kept.has(now)).toBe(true);
      expect(kept.size).toBeLessThanOrEqual(Math.max(1, daily + weekly));
      // A second run without new backups retains the same.
      expect(keptBackups([...kept], now, { daily, weekly })).toEqual(kept);
    }),
  );
});

test('a backup dated in the future uses no place, and is not removed', () => {
  const [now, later, before] = [at('2026-11-24'), at('2027-11-24'), at('2026-11-23')];
  expect(keptBackups([later, later + 1, now, before], now, { daily: 1, weekly: 0 })).toEqual(
    new Set([later, later + 1, now]),
  );
});
