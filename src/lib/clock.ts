/** The time source of the service, which tests can control. */
export interface Clock {
  /** Wall-clock time in whole milliseconds since the Unix epoch; may jump. */
  now(): number;
  /** Milliseconds since an arbitrary start; never goes back. */
  monotonic(): number;
}

/** Runs a task after a delay in milliseconds; returns a function that cancels it. */
export type After = (delayMs: number, task: () => void) => () => void;

export const systemAfter: After = (delayMs, task) => {
  const timer = setTimeout(task, delayMs);
  return () => clearTimeout(timer);
};

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Removes small backward steps of less than an hour from a clock: while it is behind, time passes at half speed until it has
 * caught up. So later events have later times.
 */
export function steady(clock: Clock): Clock {
  let shownMs = -Infinity;
  let readAtMs = 0;
  return {
    monotonic: clock.monotonic,
    now() {
      const [wallMs, monotonicMs] = [clock.now(), clock.monotonic()];
      const isBehind = wallMs < shownMs && shownMs - wallMs < HOUR_MS;
      shownMs = isBehind ? shownMs + (monotonicMs - readAtMs) / 2 : wallMs;
      readAtMs = monotonicMs;
      return Math.floor(shownMs);
    },
  };
}

export const systemClock: Clock = steady({ now: () => Date.now(), monotonic: () => performance.now() });

/** The UTC calendar day of a moment, as `YYYY-MM-DD`. */
export const utcDay = (atMs: number): string => iso(atMs).slice(0, 10);

/** A moment in milliseconds since the Unix epoch, as ISO 8601 in UTC. */
export const iso = (atMs: number): string => new Date(atMs).toISOString();

/** A moment in whole seconds for file names, such as `20261124T031426Z`. */
export const isoInName = (atMs: number): string => iso(atMs).replace(/[-:]|[.]\d+/g, '');

export const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : iso(atMs));

/** The UTC calendar day of a moment, in days since 1970-01-01; negative before. */
export const utcDayNumber = (atMs: number): number => Math.floor(atMs / DAY_MS);

/** The next UTC midnight after a moment. */
export const nextUtcMidnight = (atMs: number): number => (utcDayNumber(atMs) + 1) * DAY_MS;

/** Whole seconds from a moment to the next UTC midnight, rounded up: at least 1. */
export const secondsToUtcMidnight = (atMs: number): number =>
  Math.ceil((nextUtcMidnight(atMs) - atMs) / SECOND_MS);
