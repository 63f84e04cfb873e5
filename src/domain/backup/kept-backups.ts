import { DAY_MS } from '../../lib/clock.ts';

/** For how many days and weeks a backup is retained: the last one of each. */
export interface Keeping {
  readonly daily: number;
  readonly weekly: number;
}

const WEEK_MS = 7 * DAY_MS;
/** The first Monday, 1970-01-05: weeks are those of ISO 8601, all in UTC. */
const MONDAY_MS = 4 * DAY_MS;

/**
 * Selects the backups to retain: the last of each of the newest days and weeks with a backup, and the newest one. Days without
 * one do not count, so that a host which was off for a month loses none. A backup dated later than now, by a wrong clock, is
 * retained and does not count.
 *
 * @param moments when they were made, in milliseconds since the Unix epoch, in any order
 * @param now when the newest was made
 */
export function keptBackups(
  moments: readonly number[],
  now: number,
  { daily, weekly }: Keeping,
): ReadonlySet<number> {
  const newestFirst = moments.filter((at) => at <= now).sort((a, b) => b - a);
  return new Set([
    ...moments.filter((at) => at >= now),
    ...lastOfEach(newestFirst, (at) => Math.floor(at / DAY_MS)).slice(0, daily),
    ...lastOfEach(newestFirst, (at) => Math.floor((at - MONDAY_MS) / WEEK_MS)).slice(0, weekly),
  ]);
}

const lastOfEach = (newestFirst: readonly number[], spanOf: (at: number) => number): number[] =>
  newestFirst.filter((at, index) => index === 0 || spanOf(newestFirst[index - 1] ?? at) !== spanOf(at));
