import type { LimitsSince } from '../../domain/risk/day-limits.ts';
import type { KnownVulnerability } from '../../domain/vulnerability/known.ts';

/** Since when a vulnerability has which deadline. */
export type StandingLimits = Pick<KnownVulnerability, 'limits' | 'limitsIfExploited'>;

/** Their text in a snapshot. */
export const storeLimits = ({ limits, limitsIfExploited }: StandingLimits): string =>
  JSON.stringify([limits.open, limits.closed, limitsIfExploited.open, limitsIfExploited.closed]);

/** Parses that text. */
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
