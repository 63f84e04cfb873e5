import { describe, expect, test } from 'bun:test';
import { anyLimits, dueAt, isOverdue, limitsFrom, renewLimits } from '../../../src/domain/risk/day-limits.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';

const DAY = (day: number) => day * DAY_MS;

describe('the start of a shorter deadline', () => {
  test('is the moment of each new limit, and stays for existing ones', () => {
    const calm = renewLimits('60_days', [], 1);
    expect(calm).toEqual([null, null, 1]);
    const urgent = renewLimits('3_days', [calm], 2);
    expect(urgent).toEqual([2, 2, 1]);
    expect(renewLimits('3_days_forensics', [urgent], 3)).toEqual([2, 2, 1]);
    expect(renewLimits('14_days', [urgent], 4)).toEqual([null, 2, 1]);
    expect(renewLimits('upgrade', [urgent], 5)).toEqual([null, null, null]);
    expect(renewLimits('3_days', [renewLimits('14_days', [urgent], 4)], 6)).toEqual([6, 2, 1]);
  });

  test('is the earliest of several sources, and no earlier than its other conditions', () => {
    expect(
      renewLimits(
        '14_days',
        [
          [null, 5, 2],
          [null, 3, 3],
        ],
        9,
      ),
    ).toEqual([null, 3, 2]);
    expect(anyLimits([[null, 5, 2], [7, null, 3], []])).toEqual([7, 5, 2]);
    expect(limitsFrom([null, 5, 2], 4)).toEqual([null, 5, 4]);
  });
});

describe('the time for a fix', () => {
  const SEEN = Date.UTC(2026, 2, 28, 12);

  test('runs from the later of first seen and the start of a limit, in days of 24 hours', () => {
    expect(dueAt([SEEN - DAY(9), null, null], SEEN)).toBe(Date.UTC(2026, 2, 31, 12));
    expect(dueAt([null, SEEN + DAY(5), null], SEEN)).toBe(SEEN + DAY(19));
    expect(dueAt([null, null, null], SEEN)).toBeNull();
  });

  test('ends with the limit that ends first, so that more urgency never extends it', () => {
    const late = [null, SEEN, SEEN];
    expect(dueAt(late, SEEN)).toBe(SEEN + DAY(14));
    expect(dueAt([SEEN + DAY(13), SEEN, SEEN], SEEN)).toBe(SEEN + DAY(14));
    expect(dueAt([SEEN + DAY(2), SEEN, SEEN], SEEN)).toBe(SEEN + DAY(5));
  });

  test('is over from the first moment after it on; without a deadline nothing is overdue', () => {
    const due = dueAt([null, null, SEEN], SEEN) as number;
    expect([due - 1, due, due + 1].map((now) => isOverdue(due, now))).toEqual([false, false, true]);
    expect(isOverdue(null, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
