import type { SiteEvent } from '../../domain/event/events.ts';

/**
 * Adds the events of any number of requests, one after another, but for those that their site has sent before.
 *
 * @returns of each request the ids of its events, each larger than those before it; undefined for one that is there already
 */
export type AddEvents = (requests: readonly NewEvents[]) => Promise<(number | undefined)[][]>;

export interface NewEvents {
  readonly licenseId: number;
  readonly siteId: number;
  readonly receivedAt: number;
  readonly events: readonly SiteEvent[];
}
