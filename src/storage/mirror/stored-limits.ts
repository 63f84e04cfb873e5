import type { LimitsSince } from '../../domain/risk/day-limits.ts';
import type { KnownVulnerability } from '../../domain/vulnerability/known.ts';

/** Since when there is so little time for a vulnerability. */
export type StandingLimits = Pick<KnownVulnerability, 'limits' | 'limitsIfExploited'>;

/** The text in which they stand in a snapshot. */
export const storeLimits = ({ limits, limitsIfExploited }: StandingLimits): string =>
  JSON.stringify([limits.open, limits.closed, limitsIfExploited.open, limitsIfExploited.closed]);

/** What such a text tells. */
export function parseLimits(text: string): StandingLimits {
  const [open, closed, openIfExploited, closedIfExploited] = JSON.parse(text) as [
    LimitsSince,
    LimitsSince,
    LimitsSince,
    LimitsSince,
  ];
  return {
    limits: { open, closed },
    limitsIfExploited: { open: openIfExploited, closed: closedIfExploited },
  };
}
