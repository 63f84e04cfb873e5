import type { SiteEvent } from '../domain/event/events.ts';
import type { Database } from './engine/database.ts';
import { prepare } from './engine/statement.ts';

/** The events that one request added: those with ids from the first to the last. */
export interface EventSpan {
  readonly firstEventId: number;
  readonly lastEventId: number;
}

export interface Arrival extends EventSpan {
  readonly licenseId: number;
  readonly siteId: number;
  readonly receivedAt: number;
}

/** Keeps for each request which events it added; its functions are parts of the jobs that add and remove them. */
export function keepArrivals(db: Database) {
  const add = prepare(
    db,
    `
    insert into arrivals
      (first_event_id, last_event_id, license_id, site_id, received_at, oldest_occurred_at, newest_occurred_at)
      values (:firstEventId, :lastEventId, :licenseId, :siteId, :receivedAt, :oldest, :newest)
    `,
  );
  const oldest = prepare<EventSpan>(
    db,
    `
    select first_event_id as firstEventId, last_event_id as lastEventId from arrivals
      where received_at < :receivedBefore order by received_at limit :limit
    `,
  );
  const drop = prepare(db, 'delete from arrivals where first_event_id = ?');

  return {
    async addArrival(arrival: Arrival, added: readonly Pick<SiteEvent, 'occurredAt'>[]): Promise<void> {
      const moments = added.map(({ occurredAt }) => occurredAt);
      await add.run({ ...arrival, oldest: Math.min(...moments), newest: Math.max(...moments) });
    },

    /** The oldest requests received before a moment: as many as it takes to have so many events, if there are. */
    async oldestArrivals(receivedBefore: number, events: number): Promise<EventSpan[]> {
      const arrivals = await oldest.all({ receivedBefore, limit: events });
      let count = 0;
      const enough = arrivals.findIndex(({ firstEventId, lastEventId }) => {
        count += lastEventId - firstEventId + 1;
        return count >= events;
      });
      return enough === -1 ? arrivals : arrivals.slice(0, enough + 1);
    },

    /** Drops a request whose events are removed. */
    async dropArrival({ firstEventId }: EventSpan): Promise<void> {
      await drop.run(firstEventId);
    },
  };
}
