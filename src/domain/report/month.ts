import { DAY_MS, utcDayNumber } from '../../lib/clock.ts';
import { ALERT_OPEN_DAYS, type AlertFacts } from '../site/alerts.ts';

/** A month in UTC. */
export interface Month {
  /** Such as `2026-11`. */
  readonly name: string;
  /** Milliseconds since the Unix epoch; the end is not included. */
  readonly from: number;
  readonly until: number;
}

export const MONTH_PATTERN = '^20[0-9]{2}-(0[1-9]|1[0-2])$';
const MONTH = new RegExp(MONTH_PATTERN);

const monthAt = (year: number, index: number): Month => {
  const from = Date.UTC(year, index);
  return { name: new Date(from).toISOString().slice(0, 7), from, until: Date.UTC(year, index + 1) };
};

/** The month of a moment. */
export const monthOf = (at: number): Month => {
  const date = new Date(at);
  return monthAt(date.getUTCFullYear(), date.getUTCMonth());
};

/** @returns undefined for what is no month */
export const monthNamed = (name: string): Month | undefined =>
  MONTH.test(name) ? monthOf(Date.parse(`${name}-01T00:00:00Z`)) : undefined;

export const monthBefore = ({ from }: Month): Month => monthOf(from - 1);

/** The days of a month, counted since 1970-01-01. */
export const daysOf = ({ from, until }: Month): number[] =>
  Array.from({ length: (until - from) / DAY_MS }, (_, index) => utcDayNumber(from) + index);

/** The open time of an alert, by its newest events and its resolution. */
export interface AlertSpan {
  readonly subject: string;
  readonly severity: 'high' | 'critical';
  /** Its newest event. */
  readonly openedAt: number;
  /** Null = it is open. */
  readonly closedAt: number | null;
}

/**
 * How long an alert was open after its newest event: until its site reported it resolved, or until alerts close without new events.
 *
 * @returns undefined for one that was not open in the month
 */
export function alertSpan(facts: AlertFacts, { from, until }: Month, now: number): AlertSpan | undefined {
  const { subject, criticalAt, highAt, resolvedAt } = facts;
  const openedAt = Math.max(criticalAt ?? 0, highAt ?? 0);
  if (openedAt === 0 || openedAt >= until) return undefined;
  const endsAt = Math.min(
    openedAt + ALERT_OPEN_DAYS * DAY_MS,
    resolvedAt !== null && resolvedAt >= openedAt ? resolvedAt : Number.POSITIVE_INFINITY,
  );
  if (endsAt < from) return undefined;
  const severity =
    criticalAt !== null && criticalAt >= openedAt - ALERT_OPEN_DAYS * DAY_MS ? 'critical' : 'high';
  return { subject, severity, openedAt, closedAt: endsAt <= now ? endsAt : null };
}
