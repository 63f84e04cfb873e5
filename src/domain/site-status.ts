import { HOUR_MS } from '../lib/clock.ts';

/** From most to least recently heard of. */
export const SITE_STATUSES = ['active', 'stale', 'silent'] as const;
export type SiteStatus = (typeof SITE_STATUSES)[number];

/**
 * How long after a site was last heard of it ceases to be `active` or `stale`. Heartbeats are due every five
 * minutes, but on quiet sites plugins run only when somebody visits: an hour forgives that, a day does not.
 */
const UNTIL_MS = { active: HOUR_MS, stale: 24 * HOUR_MS } as const;

export function siteStatus(lastSeenAt: number, nowMs: number): SiteStatus {
  const quietMs = nowMs - lastSeenAt;
  if (quietMs < UNTIL_MS.active) return 'active';
  return quietMs < UNTIL_MS.stale ? 'stale' : 'silent';
}

/** Moments after one, up to and including another. */
export interface Span {
  readonly after: number;
  readonly upTo: number;
}

export const ANY_TIME: Span = { after: Number.MIN_SAFE_INTEGER, upTo: Number.MAX_SAFE_INTEGER };

/** When a site of a status, or of any, was last heard of. */
export function lastSeenOf(status: SiteStatus | undefined, nowMs: number): Span {
  const [active, stale] = [nowMs - UNTIL_MS.active, nowMs - UNTIL_MS.stale];
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

/** When a site that is not silent was last heard of. */
export const lastSeenOfReporting = (nowMs: number): Span => ({ ...ANY_TIME, after: nowMs - UNTIL_MS.stale });
