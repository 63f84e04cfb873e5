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

/** When a site of a status was last heard of: after one moment, up to and including another. */
export function lastSeenOf(status: SiteStatus | undefined, nowMs: number): { after: number; upTo: number } {
  const [active, stale] = [nowMs - UNTIL_MS.active, nowMs - UNTIL_MS.stale];
  switch (status) {
    case 'active':
      return { after: active, upTo: Number.MAX_SAFE_INTEGER };
    case 'stale':
      return { after: stale, upTo: active };
    case 'silent':
      return { after: Number.MIN_SAFE_INTEGER, upTo: stale };
    case undefined:
      return { after: Number.MIN_SAFE_INTEGER, upTo: Number.MAX_SAFE_INTEGER };
  }
}
