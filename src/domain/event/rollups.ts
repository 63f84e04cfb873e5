import { DAY_MS, utcDay, utcDayNumber } from '../../lib/clock.ts';
import { SEVERITIES, type Severity } from '../severity.ts';

/** How many events of each severity. */
export type SeverityCounts = Readonly<Record<Severity, number>>;

/** The events of one UTC day, counted in days since 1970-01-01. */
export interface DayCounts extends SeverityCounts {
  readonly day: number;
}

/** Days that analytics looks back, today included. */
export const BUCKET_DAYS = 30;

export const NO_EVENTS: SeverityCounts = { info: 0, low: 0, medium: 0, high: 0, critical: 0 };

export const totalOf = (counts: SeverityCounts): number =>
  SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0);

/** Adds up counts. */
export const sumCounts = (all: readonly SeverityCounts[]): SeverityCounts => {
  const sum = { ...NO_EVENTS };
  for (const counts of all) for (const severity of SEVERITIES) sum[severity] += counts[severity];
  return sum;
};

/** Events by the day on which they occurred, so that one that arrives late counts where it belongs. */
export function countByDay(
  events: Iterable<{ readonly occurredAt: number; readonly severity: Severity }>,
): DayCounts[] {
  const days = new Map<number, Record<Severity, number> & { day: number }>();
  for (const { occurredAt, severity } of events) {
    const day = utcDayNumber(occurredAt);
    const known = days.get(day);
    const counts = known ?? { day, ...NO_EVENTS };
    counts[severity] += 1;
    if (known === undefined) days.set(day, counts);
  }
  return [...days.values()];
}

/** The first of the days that analytics looks back to. */
export const firstBucketDay = (nowMs: number): number => utcDayNumber(nowMs) - BUCKET_DAYS + 1;

/** One bucket for each of the last 30 days, oldest first; a day without events has zeros. */
export function dailyBuckets(known: readonly DayCounts[], nowMs: number): DayCounts[] {
  const byDay = new Map(known.map((counts) => [counts.day, counts]));
  return Array.from({ length: BUCKET_DAYS }, (_, index) => {
    const day = firstBucketDay(nowMs) + index;
    return byDay.get(day) ?? { day, ...NO_EVENTS };
  });
}

/** A day's name, `YYYY-MM-DD`. */
export const dayName = (day: number): string => utcDay(day * DAY_MS);
