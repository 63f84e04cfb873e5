import { Type as t } from '@sinclair/typebox';
import { BUCKET_DAYS, type DayCounts, dailyBuckets, dayName } from '../../domain/event/rollups.ts';
import { typed } from '../../http/contract/answers.ts';
import { count } from '../../http/fields.ts';
import { utcDayNumber } from '../../lib/clock.ts';

const ofSeverity = count('events of this severity');
export const severityCounts = {
  info: ofSeverity,
  low: ofSeverity,
  medium: ofSeverity,
  high: ofSeverity,
  critical: ofSeverity,
};

export const DayBuckets = t.Array(
  typed('DayCounts', { date: t.String({ format: 'date', description: 'UTC date' }), ...severityCounts }),
  {
    minItems: BUCKET_DAYS,
    maxItems: BUCKET_DAYS,
    description: 'event counts of the last 30 UTC days by time of occurrence, oldest first',
  },
);

/** Converts stored day counts to {@link DayBuckets}; missing days are zero. */
export const dayBuckets = (known: readonly DayCounts[], nowMs: number) =>
  dailyBuckets(known, nowMs).map(({ day, ...counts }) => ({ date: dayName(day), ...counts }));

/** Example of the contract: one event on one day. */
export const EXAMPLE_COUNTS = { info: 0, low: 0, medium: 0, high: 1, critical: 0 };
const EXAMPLE_DAY = Date.UTC(2026, 10, 22);
export const EXAMPLE_BUCKETS = dayBuckets(
  [{ day: utcDayNumber(EXAMPLE_DAY), ...EXAMPLE_COUNTS }],
  EXAMPLE_DAY,
);
