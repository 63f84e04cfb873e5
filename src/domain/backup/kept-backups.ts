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
 * Which of some backups stay: the last of each of the newest days and weeks in which any was made, and the newest in any case. Days
 * without one count for nothing, so that a host which was off for a month loses none.
 *
 * @param moments when they were made, in milliseconds since the Unix epoch, in any order
 */
export function keptBackups(moments: readonly number[], { daily, weekly }: Keeping): ReadonlySet<number> {
  const newestFirst = [...moments].sort((a, b) => b - a);
  return new Set([
    ...newestFirst.slice(0, 1),
    ...lastOfEach(newestFirst, (at) => Math.floor(at / DAY_MS)).slice(0, daily),
    ...lastOfEach(newestFirst, (at) => Math.floor((at - MONDAY_MS) / WEEK_MS)).slice(0, weekly),
  ]);
}

const lastOfEach = (newestFirst: readonly number[], spanOf: (at: number) => number): number[] =>
  newestFirst.filter((at, index) => index === 0 || spanOf(newestFirst[index - 1] ?? at) !== spanOf(at));
