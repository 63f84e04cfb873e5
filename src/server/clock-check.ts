import { type Clock, DAY_MS, HOUR_MS, iso } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/**
 * Compares the clock with the newest data, once aloud.
 *
 * @param newest what the store had as its newest moment at the start, in milliseconds since the Unix epoch
 * @returns whether the clock is more than a day behind, and so cannot be right
 */
export function watchClock(newest: number, { now }: Clock, log: Log): () => boolean {
  const isBehind = () => now() < newest - DAY_MS;
  if (isBehind()) {
    log.warn('the clock is more than a day behind the newest data: set it; nothing is forgotten until then', {
      now: iso(now()),
      newest: iso(newest),
    });
  }
  return isBehind;
}

/**
 * Notices that the clock was set back, before the start or since: by more than an hour, which no daemon that keeps clocks right does
 * to one that was right. A clock that is set forward, and back again, was not.
 *
 * @param newest see {@link watchClock}
 */
export function watchForSetBack(newest: number, { now, monotonic }: Clock): () => boolean {
  const [startedAt, monotonicAtStart] = [now(), monotonic()];
  return () => {
    const least = Math.max(newest, startedAt + monotonic() - monotonicAtStart);
    return now() < least - HOUR_MS;
  };
}
