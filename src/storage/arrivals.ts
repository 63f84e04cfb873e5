import type { SiteEvent } from '../domain/events.ts';
import type { Database } from './database.ts';

/** The events that one request added: those with ids from the first to the last. */
export interface Arrival {
  readonly licenseId: number;
  readonly siteId: number;
  readonly receivedAt: number;
  readonly firstEventId: number;
  readonly lastEventId: number;
}

/** Keeps for each request which events it added; its functions are parts of the jobs that add and remove them. */
export function keepArrivals(db: Database) {
  const add = db.$client.prepare(`
    insert into arrivals
      (first_event_id, last_event_id, license_id, site_id, received_at, oldest_occurred_at, newest_occurred_at)
      values (:firstEventId, :lastEventId, :licenseId, :siteId, :receivedAt, :oldest, :newest)
  `);
  const drop = db.$client.prepare(`
    delete from arrivals where first_event_id <= ?
      and not exists (select 1 from events where id between first_event_id and last_event_id)
  `);

  return {
    addArrival(arrival: Arrival, added: readonly Pick<SiteEvent, 'occurredAt'>[]): void {
      const moments = added.map(({ occurredAt }) => occurredAt);
      add.run({ ...arrival, oldest: Math.min(...moments), newest: Math.max(...moments) });
    },

    /** Drops what has no events left, after events up to an id were removed. */
    dropArrivals(removedUpToId: number): void {
      drop.run(removedUpToId);
    },
  };
}
