import { DAY_MS } from '../../lib/clock.ts';

/** For how many days and weeks a backup is kept: of each, the last one that was made. */
export interface Keeping {
  readonly daily: number;
  readonly weekly: number;
}

const WEEK_MS = 7 * DAY_MS;
/** The first Monday, 1970-01-05: weeks are those of ISO 8601, all in UTC. */
const MONDAY_MS = 4 * DAY_MS;

/**
 * Which of some backups stay: the last of each of the newest days and weeks in which any was made, and the one of now in any case. Days
 * without one count for nothing, so that a host which was off for a month loses none. What a wrong clock has dated later than now
 * stays, and takes nobody's place.
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
