import type { KeptEvent } from '../../domain/event/events.ts';
import type { Severity } from '../../domain/severity.ts';
import type { Awaitable } from '../../lib/awaitable.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

export interface EventQuery {
  readonly licenseId: number;
  /** Events with a smaller id. */
  readonly beforeId: number;
  /** null = any, as for type and severity. */
  readonly sitePublicId: string | null;
  readonly type: string | null;
  readonly severity: Severity | null;
  /** Events that occurred from one moment up to, but without, another. */
  readonly since: number;
  readonly until: number;
  readonly limit: number;
}

export interface EventPage {
  /** Newest arrivals first. */
  readonly events: readonly KeptEvent[];
  /** Where the next page begins; undefined when there is none. */
  readonly nextBeforeId: number | undefined;
}

/** The ids of the events of one request. */
interface Span {
  readonly siteId: number;
  readonly firstId: number;
  readonly lastId: number;
}

export interface ArrivalRow extends Span {
  readonly receivedAt: number;
  readonly oldest: number;
  readonly newest: number;
}

/** The costs of a search, about a microsecond each, and the limit for one call. */
const STEPS = { arrival: 1, lookInside: 10, event: 2 };
const STEPS_MAX = 5_000;
/** So many successive arrivals from before a moment end the search for later ones: a clock may have been behind for a while. */
const OLD_IN_A_ROW_MAX = 1_000;

/** The filter and the range of a search among arrivals. */
export interface Walk extends Pick<EventQuery, 'beforeId' | 'since' | 'until' | 'limit'> {
  readonly stepsMax: number;
  readonly isWanted: (arrival: ArrivalRow) => boolean;
}

/**
 * Searches events from the newest arrival on, up to the limit of events or of costs.
 *
 * @param arrivals newest first
 * @param look returns events of one arrival, newest first, up to a limit
 */
export async function walked<Event extends { readonly id: number }>(
  arrivals: Iterable<ArrivalRow> | AsyncIterable<ArrivalRow>,
  { since, until, limit, stepsMax, isWanted }: Walk,
  look: (span: Span, limit: number) => Awaitable<readonly Event[]>,
): Promise<{ readonly events: Event[]; readonly nextBeforeId: number | undefined }> {
  const events: Event[] = [];
  let [steps, oldInARow] = [0, 0];
  for await (const row of arrivals) {
    const { siteId, firstId, lastId, receivedAt, oldest, newest } = row;
    oldInARow = receivedAt < since ? oldInARow + 1 : 0;
    if (oldInARow > OLD_IN_A_ROW_MAX) break;
    steps += STEPS.arrival;
    if (newest >= since && oldest < until && isWanted(row)) {
      events.push(...(await look({ siteId, firstId, lastId }, limit - events.length + 1)));
      steps += STEPS.lookInside + STEPS.event * (lastId - firstId + 1);
    }
    if (events.length > limit) return { events: events.slice(0, limit), nextBeforeId: events[limit - 1]?.id };
    if (steps >= stepsMax) return { events, nextBeforeId: firstId };
  }
  return { events, nextBeforeId: undefined };
}

export function readEvents(db: Database) {
  const arrivalsBefore = prepare<ArrivalRow>(
    db,
    `
    select site_id as siteId, first_event_id as firstId, last_event_id as lastId, received_at as receivedAt,
      oldest_occurred_at as oldest, newest_occurred_at as newest
      from arrivals where license_id = :licenseId and first_event_id < :beforeId
      order by first_event_id desc limit ${STEPS_MAX}
    `,
  );
  const eventsOf = prepare<KeptEvent>(
    db,
    `
    select e.id, s.public_id as sitePublicId, type, severity, message, occurred_at as occurredAt,
      received_at as receivedAt, event_id as eventId, metadata
      from events e join site_summaries s on s.license_id = e.license_id and s.site_id = e.site_id
      where e.id between :firstId and :lastId and e.id < :beforeId and e.site_id = :siteId
        and type = coalesce(:type, type) and severity = coalesce(:severity, severity)
        and occurred_at >= :since and occurred_at < :until
      order by e.id desc limit :limit
    `,
  );
  const siteOf = prepare<{ id: number }>(
    db,
    'select site_id as id from site_summaries where public_id = :publicId and license_id = :licenseId',
  );

  return {
    /**
     * One page of a license's events. Later events are added before the first page, so reading all pages returns every event
     * that existed at the beginning, once. A page that has cost enough ends early, possibly empty, and returns where to
     * continue.
     */
    async page({ licenseId, sitePublicId, beforeId, limit, ...filter }: EventQuery): Promise<EventPage> {
      const { since, until } = filter;
      const site =
        sitePublicId === null ? undefined : (await siteOf.get({ licenseId, publicId: sitePublicId }))?.id;
      if (sitePublicId !== null && site === undefined) return { events: [], nextBeforeId: undefined };

      const walk: Walk = {
        beforeId,
        since,
        until,
        limit,
        stepsMax: STEPS_MAX,
        isWanted: ({ siteId }) => site === undefined || siteId === site,
      };
      return walked(arrivalsBefore.iterate({ licenseId, beforeId }), walk, (span, most) =>
        eventsOf.all({ ...filter, ...span, beforeId, limit: most }),
      );
    },
  };
}
