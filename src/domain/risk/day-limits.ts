import { DAY_MS } from '../../lib/clock.ts';
import { DEADLINE_TERMS, type Deadline } from './deadline.ts';

/** The times that deadlines give, in days of 24 hours. */
export const DAY_LIMITS = [3, 14, 60] as const;

/**
 * Since when the limit was continuously at most so many days: for each of {@link DAY_LIMITS}, in milliseconds since the Unix
 * epoch; null = it is longer. A higher urgency leaves the longer limits unchanged, so it never gives more time.
 */
export type LimitsSince = readonly (number | null)[];

/** The limits for publicly reachable components, and for others. */
export interface LimitsByReach {
  readonly open: LimitsSince;
  readonly closed: LimitsSince;
}

/**
 * The limits from the current deadline.
 *
 * @param before the previous limits, under any of several names; none = the first deadline
 */
export const renewLimits = (deadline: Deadline, before: readonly LimitsSince[], nowMs: number): LimitsSince =>
  DAY_LIMITS.map((limit, at) =>
    (DEADLINE_TERMS[deadline].days ?? Number.POSITIVE_INFINITY) > limit
      ? null
      : Math.min(nowMs, ...before.flatMap((limits) => limits[at] ?? [])),
  );

/** Limits that hold together with something else, since that began. */
export const limitsFrom = (limits: LimitsSince, moment: number): LimitsSince =>
  limits.map((since) => (since === null ? null : Math.max(since, moment)));

/** Limits that hold for any of several reasons. */
export const anyLimits = (all: readonly LimitsSince[]): LimitsSince =>
  DAY_LIMITS.map((_, at) => least(all.flatMap((limits) => limits[at] ?? [])));

/**
 * The deadline, in milliseconds since the Unix epoch; null without a limit. Each limit runs from when the vulnerability was
 * first seen on the site or from when it began, whichever is later: an old vulnerability is not overdue on the day on which a
 * catalog adds it. The earliest end counts.
 */
export const dueAt = (limits: LimitsSince, firstSeenAt: number): number | null =>
  least(
    DAY_LIMITS.flatMap((limit, at) => {
      const since = limits[at] ?? null;
      return since === null ? [] : Math.max(firstSeenAt, since) + limit * DAY_MS;
    }),
  );

/** Whether that time has passed. */
export const isOverdue = (due: number | null, nowMs: number): boolean => due !== null && nowMs > due;

const least = (moments: readonly number[]): number | null =>
  moments.length === 0 ? null : Math.min(...moments);
