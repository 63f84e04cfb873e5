import { expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { exactTime, relativeTime } from '../../src/pages/time.tsx';

const NOW = Date.UTC(2026, 10, 28, 14, 5);

test.each([
  [0, 'just now'],
  [-MINUTE_MS + 1, 'just now'],
  [-MINUTE_MS, '1 min ago'],
  [-8 * MINUTE_MS, '8 min ago'],
  [-HOUR_MS + 1, '59 min ago'],
  [-HOUR_MS, '1 h ago'],
  [-DAY_MS, '1 day ago'],
  [-2 * DAY_MS, '2 days ago'],
  [-7 * DAY_MS, '21 Nov 2026'],
  [3 * DAY_MS + HOUR_MS, 'in 3 days'],
  [90 * MINUTE_MS, 'in 1 h'],
  [9 * DAY_MS, '7 Dec 2026'],
])('a moment %i ms from now is shown as "%s"', (distance, words) => {
  expect(relativeTime(NOW + distance, NOW)).toBe(words);
});

test('the exact time names its zone', () => {
  expect(exactTime(NOW)).toBe('28 Nov 2026, 14:05 UTC');
  expect(exactTime(0)).toBe('1 Jan 1970, 00:00 UTC');
});
