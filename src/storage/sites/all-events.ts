import type { SiteEvent } from '../../domain/event/events.ts';
import type { Severity } from '../../domain/severity.ts';
import { SUBJECT_CHARACTERS_MAX } from '../../domain/site/alerts.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import { type ArrivalRow, type Walk, walked } from './events.ts';
import type { events } from './tables.ts';

/** An event of any license, for operators. */
export interface OperatorsEvent
  extends SiteEvent,
    Pick<Row<typeof events>, 'id' | 'licenseId' | 'receivedAt'> {
  readonly domain: string;
}

export interface AllEventsFilter {
  readonly licenseId?: number | undefined;
  /** Normalised. */
  readonly domain?: string | undefined;
  /** A type, or the beginning of one, like the subject of an alert. */
  readonly type?: string | undefined;
  readonly severity?: Severity | undefined;
  /** Only events from this moment on. */
  readonly since?: number | undefined;
}

export interface AllEventsPage {
  /** Newest arrivals first. */
  readonly events: readonly OperatorsEvent[];
  /** Where the next page begins; undefined = there is none. */
  readonly nextBeforeId: number | undefined;
}

/** Of events.ts: about 20 ms. */
const STEPS_MAX = 50_000;

/** Reads the events of all licenses. */
export function readAllEvents(db: Database) {
  const arrivals = (condition: string) =>
    prepare<ArrivalRow>(
      db,
      `
      select site_id as siteId, first_event_id as firstId, last_event_id as lastId, received_at as receivedAt,
        oldest_occurred_at as oldest, newest_occurred_at as newest
        from arrivals where ${condition} first_event_id < :beforeId order by first_event_id desc limit ${STEPS_MAX}
      `,
    );
  const ofAll = arrivals('');
  const ofLicense = arrivals('license_id = :licenseId and');
  const eventsOf = prepare<OperatorsEvent>(
    db,
    `
    select e.id, e.license_id as licenseId, s.domain, type, severity, message, occurred_at as occurredAt,
      received_at as receivedAt, event_id as eventId, metadata
      from events e join sites s on s.id = e.site_id
      where e.id between :firstId and :lastId and e.id < :beforeId and e.site_id = :siteId
        and (type = coalesce(:type, type) or substr(type, 1, length(:type) + 1) = :type || '_'
          or length(:type) = ${SUBJECT_CHARACTERS_MAX} and substr(type, 1, ${SUBJECT_CHARACTERS_MAX}) = :type)
        and severity = coalesce(:severity, severity) and occurred_at >= :since
      order by e.id desc limit :limit
    `,
  );
  const sitesOf = prepare<{ id: number; licenseId: number }>(
    db,
    'select id, license_id as licenseId from sites where domain = :domain',
  );

  const newest = prepare<{ id: number | null }>(db, 'select max(id) as id from events');

  return {
    /** The id of the event that arrived last; 0 = there is none. */
    newestId: async (): Promise<number> => (await newest.get())?.id ?? 0,

    /**
     * One page of events. A page that has read enough ends early, possibly empty, and returns where to continue.
     *
     * @param beforeId only events with a smaller id; undefined = any
     */
    async page(
      { licenseId, domain, type = '', severity, since = Number.MIN_SAFE_INTEGER }: AllEventsFilter,
      {
        beforeId = Number.MAX_SAFE_INTEGER,
        limit,
      }: { readonly beforeId?: number | undefined; readonly limit: number },
    ): Promise<AllEventsPage> {
      const sites = domain === undefined ? undefined : await sitesOf.all({ domain });
      const wanted = sites?.filter((site) => licenseId === undefined || site.licenseId === licenseId);
      if (wanted?.length === 0) return { events: [], nextBeforeId: undefined };
      const ids = wanted && new Set(wanted.map(({ id }) => id));
      // A filter for one license is searched without reading others.
      const [only, ...others] = new Set(wanted?.map((site) => site.licenseId));
      const license = licenseId ?? (others.length === 0 ? only : undefined);
      const rows =
        license === undefined
          ? ofAll.iterate({ beforeId })
          : ofLicense.iterate({ licenseId: license, beforeId });
      const walk: Walk = {
        beforeId,
        since,
        until: Number.MAX_SAFE_INTEGER,
        limit,
        stepsMax: STEPS_MAX,
        isWanted: ({ siteId }) => ids?.has(siteId) ?? true,
      };
      const filter = { type: type || null, severity: severity ?? null, since };
      return walked(rows, walk, (span, most) => eventsOf.all({ ...filter, ...span, beforeId, limit: most }));
    },
  };
}
