import type { SiteEvent } from '../../domain/event/events.ts';
import type { Database } from '../engine/database.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepare } from '../engine/statement.ts';

/** The events that one request added: those with ids from the first to the last. */
export interface EventSpan {
  readonly firstEventId: number;
  readonly lastEventId: number;
}

export interface Arrival extends EventSpan {
  readonly licenseId: number;
  readonly siteId: number;
  readonly receivedAt: number;
  readonly events: readonly Pick<SiteEvent, 'occurredAt'>[];
}

/** Stores which events each request added; its functions run in the jobs that add and remove them. */
export const keepArrivals = perDatabase((db: Database) => {
  const add = prepare(
    db,
    `
    insert into arrivals
      (first_event_id, last_event_id, license_id, site_id, received_at, oldest_occurred_at, newest_occurred_at)
      ${db.sqlDialect.numbersGiven(7)}
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
    async addArrivals(arrivals: readonly Arrival[]): Promise<void> {
      const rows = arrivals.map(({ firstEventId, lastEventId, licenseId, siteId, receivedAt, events }) => {
        const moments = events.map(({ occurredAt }) => occurredAt);
        return [
          ...[firstEventId, lastEventId, licenseId, siteId, receivedAt],
          ...[Math.min(...moments), Math.max(...moments)],
        ];
      });
      if (rows.length > 0) await add.run(JSON.stringify(rows));
    },

    /** The oldest requests received before a moment: as many as contain `events` events, if there are. */
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
});
