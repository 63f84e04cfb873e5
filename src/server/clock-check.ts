import { type Clock, DAY_MS, HOUR_MS, iso, SECOND_MS } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { CLOCK_ACCEPTED } from '../operator/clock-accepted.ts';
import type { Database } from '../storage/engine/database.ts';
import { readNewestMoment } from '../storage/installation/newest-moment.ts';
import { hasEntrySince, readAuditRange } from '../storage/operators/audit.ts';

/** The newest stored moment in milliseconds since the Unix epoch, as of the start or of the last accepted clock. */
export interface KnownMoment {
  newest: number;
}

/**
 * Compares the clock with the newest stored moment; logs a mismatch at the start.
 *
 * @param known updated when an operator accepts the clock
 * @param accepted the newest moment, if an operator has accepted the clock since the start. Called only while the clock is behind
 * @returns whether the clock is wrong: more than a day behind stored data
 */
export function watchClock(
  known: KnownMoment,
  { now, monotonic }: Clock,
  log: Log,
  accepted: () => Promise<number | undefined> = async () => undefined,
): () => boolean {
  let nextAskAt = -Infinity;
  const ask = async () => {
    try {
      known.newest = (await accepted()) ?? known.newest;
    } catch {
      // Retried after a second.
    }
  };
  const isBehind = () => {
    const behind = now() < known.newest - DAY_MS;
    if (behind && monotonic() >= nextAskAt) {
      nextAskAt = monotonic() + SECOND_MS;
      void ask();
    }
    return behind;
  };
  if (isBehind()) {
    log.warn(
      'the clock is more than a day behind the newest data: retention is paused. Set the clock or, if it is right, run redoubt clock accept',
      {
        now: iso(now()),
        newest: iso(known.newest),
      },
    );
  }
  return isBehind;
}

/**
 * Detects that the clock was set back by more than an hour, before or after the start. Time synchronization makes no such
 * corrections to a correct clock. A clock that was set forward and then corrected is not reported.
 *
 * @param known see {@link watchClock}
 */
export function watchForSetBack(known: Readonly<KnownMoment>, { now, monotonic }: Clock): () => boolean {
  const [startedAt, monotonicAtStart] = [now(), monotonic()];
  return () => {
    const least = Math.max(known.newest, startedAt + monotonic() - monotonicAtStart);
    return now() < least - HOUR_MS;
  };
}

/** Watches the clock against the newest stored moment, until an operator accepts the clock. */
export async function watchClocks(db: Database, clock: Clock, log: Log) {
  const known = { newest: await readNewestMoment(db) };
  const { newestId } = await readAuditRange(db);
  const accepted = async () =>
    (await hasEntrySince(db, CLOCK_ACCEPTED, newestId)) ? readNewestMoment(db) : undefined;
  return {
    isClockBehind: watchClock(known, clock, log, accepted),
    isClockSetBack: watchForSetBack(known, clock),
  };
}
