import type { SiteEvent } from '../../domain/event/events.ts';

/**
 * Adds the events of several requests, in order, except duplicates of the same site.
 *
 * @returns for each request the ids of its events, in ascending order; undefined for a duplicate
 */
export type AddEvents = (requests: readonly NewEvents[]) => Promise<(number | undefined)[][]>;

export interface NewEvents {
  readonly licenseId: number;
  readonly siteId: number;
  readonly receivedAt: number;
  readonly events: readonly SiteEvent[];
}
