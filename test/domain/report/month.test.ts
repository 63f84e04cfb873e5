import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { alertSpan, daysOf, monthBefore, monthNamed, monthOf } from '../../../src/domain/report/month.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/clock.ts';

const moment = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2099, 11, 31) });

test('each moment is in one month, whose name leads to it, and months follow each other', () => {
  fc.assert(
    fc.property(moment, (at) => {
      const month = monthOf(at);
      expect(month.from <= at && at < month.until).toBe(true);
      expect(monthNamed(month.name)).toEqual(month);
      expect(monthBefore(month).until).toBe(month.from);
      expect(daysOf(month).length * DAY_MS).toBe(month.until - month.from);
    }),
  );
});

test.each(['', '2026', '2026-13', '2026-00', '2026-1', '1999-12', '2026-11-01', '2026-11\n'])(
  '%p is no month',
  (name) => {
    expect(monthNamed(name)).toBeUndefined();
  },
);

const MONTH = monthOf(Date.UTC(2026, 10, 1));
const NOW = Date.UTC(2026, 10, 29);
const facts = (criticalAt: number | null, highAt: number | null, resolvedAt: number | null) => ({
  subject: 'malware',
  criticalAt,
  highAt,
  resolvedAt,
});
const AT = Date.UTC(2026, 10, 10);

test.each([
  ['resolved', facts(AT, null, AT + HOUR_MS), { severity: 'critical', openedAt: AT, closedAt: AT + HOUR_MS }],
  ['left alone', facts(null, AT, null), { severity: 'high', openedAt: AT, closedAt: AT + 7 * DAY_MS }],
  ['open', facts(NOW - DAY_MS, null, null), { openedAt: NOW - DAY_MS, closedAt: null }],
  ['told again after', facts(AT, AT + 1, AT - 1), { severity: 'critical', openedAt: AT + 1 }],
  ['of another month, open into this one', facts(MONTH.from - 1, null, null), { openedAt: MONTH.from - 1 }],
])('an alert that was %s is in the report of its month', (_, alert, span) => {
  expect(alertSpan(alert, MONTH, NOW)).toMatchObject(span);
});

test.each([
  ['closed before the month', facts(MONTH.from - 2 * HOUR_MS, null, MONTH.from - HOUR_MS)],
  ['reported after the month', facts(MONTH.until, null, null)],
  ['never high', facts(null, null, AT)],
])('an alert that was %s is not', (_, alert) => {
  expect(alertSpan(alert, MONTH, NOW)).toBeUndefined();
});
