import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';

const HEARTBEAT_SECONDS_MIN = 300;
/** Of a license's rate limit, what the heartbeats of all of its sites may use: events and a tenant's own views need some too. */
const SHARE_MAX = 0.5;

/**
 * How long a site waits between two heartbeats.
 *
 * @param sites of its license
 * @param requestsPerMinute that its license may send
 * @returns whole seconds, at least 300
 */
export function heartbeatSeconds(sites: number, requestsPerMinute: number): number {
  const heartbeatsPerMinute = requestsPerMinute * SHARE_MAX;
  const seconds = Math.ceil((sites * (MINUTE_MS / SECOND_MS)) / heartbeatsPerMinute);
  return Math.max(HEARTBEAT_SECONDS_MIN, seconds);
}
