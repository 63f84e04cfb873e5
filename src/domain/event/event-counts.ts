import { SEVERITIES, type Severity } from '../severity.ts';

/** Events of one severity that arrived within an hour. */
export interface HourlyEvents {
  /** When the hour began, in milliseconds since the Unix epoch. */
  readonly hour: number;
  readonly severity: Severity;
  readonly count: number;
}

/** The events of a period, by severity. */
export interface EventPeriod extends Readonly<Record<Severity, number>> {
  readonly startsAt: number;
}

/** Sums from one moment until another, that not included. */
export const eventsBetween = (events: readonly HourlyEvents[], from: number, until: number): number =>
  events.reduce((sum, { hour, count }) => (hour >= from && hour < until ? sum + count : sum), 0);

/**
 * Splits the time before a moment into periods of equal length, the oldest first; the last one is not over.
 *
 * @param stepMs a whole number of hours, or of days in UTC
 */
export function eventPeriods(
  events: readonly HourlyEvents[],
  { periods, stepMs }: { readonly periods: number; readonly stepMs: number },
  now: number,
): EventPeriod[] {
  const last = now - (now % stepMs);
  const byPeriod = Map.groupBy(events, ({ hour }) => hour - (hour % stepMs));
  return Array.from({ length: periods }, (_, index) => last - (periods - 1 - index) * stepMs).map(
    (startsAt) => {
      const counts = { info: 0, low: 0, medium: 0, high: 0, critical: 0 };
      for (const { severity, count } of byPeriod.get(startsAt) ?? [])
        if (SEVERITIES.includes(severity)) counts[severity] += count;
      return { startsAt, ...counts };
    },
  );
}

/** How many events of a type there are. */
export interface TypeCount {
  readonly type: string;
  readonly count: number;
}

/** The most frequent types, so many; of equally many by name. */
export function topTypes(counts: readonly TypeCount[], limit: number): TypeCount[] {
  const sums = new Map<string, number>();
  for (const { type, count } of counts) sums.set(type, count + (sums.get(type) ?? 0));
  return [...sums]
    .map(([type, count]) => ({ type, count }))
    .sort((one, other) => other.count - one.count || (one.type < other.type ? -1 : 1))
    .slice(0, limit);
}
