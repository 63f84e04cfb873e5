import { DAY_MS, HOUR_MS, SECOND_MS } from '../../lib/clock.ts';

/** By the time since their last report. */
export const SITE_STATUSES = ['active', 'stale', 'silent'] as const;
export type SiteStatus = (typeof SITE_STATUSES)[number];

/**
 * How long after its last report a site ceases to be `active` or `stale`. On quiet sites plugins run only during a visit: an
 * hour allows for that, a day does not. With long intervals, some heartbeats may fail.
 */
const untilMs = (heartbeatSeconds: number) => ({
  active: Math.max(HOUR_MS, 3 * heartbeatSeconds * SECOND_MS),
  stale: Math.max(DAY_MS, 12 * heartbeatSeconds * SECOND_MS),
});

/** @param heartbeatSeconds between two heartbeats of this site */
export function siteStatus(lastSeenAt: number, nowMs: number, heartbeatSeconds: number): SiteStatus {
  const quietMs = nowMs - lastSeenAt;
  const until = untilMs(heartbeatSeconds);
  if (quietMs < until.active) return 'active';
  return quietMs < until.stale ? 'stale' : 'silent';
}

/** How long after it was last seen a site is `silent`, in milliseconds. */
export const silentAfterMs = (heartbeatSeconds: number): number => untilMs(heartbeatSeconds).stale;

/** Moments after one, up to and including another. */
export interface Span {
  readonly after: number;
  readonly upTo: number;
}

export const ANY_TIME: Span = { after: Number.MIN_SAFE_INTEGER, upTo: Number.MAX_SAFE_INTEGER };

/** When a site of a status, or of any, last reported. */
export function lastSeenOf(status: SiteStatus | undefined, nowMs: number, heartbeatSeconds: number): Span {
  const until = untilMs(heartbeatSeconds);
  const [active, stale] = [nowMs - until.active, nowMs - until.stale];
  switch (status) {
    case 'active':
      return { ...ANY_TIME, after: active };
    case 'stale':
      return { after: stale, upTo: active };
    case 'silent':
      return { ...ANY_TIME, upTo: stale };
    case undefined:
      return ANY_TIME;
  }
}

/** When a site that is not silent last reported. */
export const lastSeenOfReporting = (nowMs: number, heartbeatSeconds: number): Span => ({
  ...ANY_TIME,
  after: nowMs - untilMs(heartbeatSeconds).stale,
});
