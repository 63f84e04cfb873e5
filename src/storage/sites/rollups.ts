import { randomBytes } from 'node:crypto';
import { and, eq, gte, inArray, sql } from 'drizzle-orm';
import { BUCKET_DAYS, countByDay, type DayCounts, NO_EVENTS, sumCounts } from '../../domain/event/rollups.ts';
import type { Severity } from '../../domain/severity.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepare } from '../engine/statement.ts';
import { eventDays, siteSummaries } from './tables.ts';

/** The fields of an event that are counted. */
export interface CountedEvent {
  readonly occurredAt: number;
  readonly severity: Severity;
}

export interface RemovedEvent extends CountedEvent {
  readonly licenseId: number;
  readonly siteId: number;
}

const PUBLIC_ID_BYTES = 12;

/**
 * Keeps the counts of events equal to a recount of the stored events. Its functions run in the jobs that add and remove events,
 * in the same transaction.
 */
export const keepRollups = perDatabase((db: Database) => {
  const addSummary = lazily(() =>
    db
      .insert(siteSummaries)
      .values({
        licenseId: sql.placeholder('licenseId'),
        siteId: sql.placeholder('siteId'),
        publicId: sql.placeholder('publicId'),
        ...NO_EVENTS,
      })
      .prepare(),
  );
  const addToSummary = prepare(
    db,
    `
    update site_summaries set info = info + :info, low = low + :low, medium = medium + :medium,
      high = high + :high, critical = critical + :critical,
      last_event_at = ${db.sqlDialect.larger}(coalesce(last_event_at, :lastEventAt), coalesce(:lastEventAt, last_event_at))
      where license_id = :licenseId and site_id = :siteId
    `,
  );
  const addToDay = prepare(
    db,
    `
    insert into event_days as d (license_id, day, site_id, info, low, medium, high, critical)
      values (:licenseId, :day, :siteId, :info, :low, :medium, :high, :critical)
      on conflict (license_id, day, site_id) do update set info = d.info + excluded.info, low = d.low + excluded.low,
        medium = d.medium + excluded.medium, high = d.high + excluded.high, critical = d.critical + excluded.critical
    `,
  );
  const dropEmptyDay = prepare(
    db,
    `
    delete from event_days where license_id = :licenseId and day = :day and site_id = :siteId
      and info = 0 and low = 0 and medium = 0 and high = 0 and critical = 0
    `,
  );

  const add = async (
    licenseId: number,
    siteId: number,
    days: readonly DayCounts[],
    lastEventAt: number | null,
  ) => {
    await Promise.all([
      ...days.map((counts) => addToDay.run({ licenseId, siteId, ...counts })),
      addToSummary.run({ licenseId, siteId, ...sumCounts(days), lastEventAt }),
    ]);
  };

  return {
    /** Begins the counts of a new site. */
    async openSummary(licenseId: number, siteId: number): Promise<void> {
      await addSummary.run({ licenseId, siteId, publicId: randomBytes(PUBLIC_ID_BYTES).toString('hex') });
    },

    /** Counts added events of one site, at least one. */
    async countEvents(licenseId: number, siteId: number, added: readonly CountedEvent[]): Promise<void> {
      await add(licenseId, siteId, countByDay(added), Math.max(...added.map(({ occurredAt }) => occurredAt)));
    },

    /** Subtracts removed events from the counts. */
    async uncountEvents(removed: readonly RemovedEvent[]): Promise<void> {
      for (const [siteId, events] of Map.groupBy(removed, (event) => event.siteId)) {
        const licenseId = events[0]?.licenseId ?? 0;
        const days = countByDay(events);
        await add(licenseId, siteId, days.map(negative), null);
        for (const { day } of days) await dropEmptyDay.run({ licenseId, siteId, day });
      }
    },
  };
});

const negative = ({ day, info, low, medium, high, critical }: DayCounts): DayCounts => ({
  day,
  info: -info,
  low: -low,
  medium: -medium,
  high: -high,
  critical: -critical,
});

/** Days of a license, or of one of its sites; the last one is not included. */
export interface DaySpan {
  readonly licenseId: number;
  readonly siteId: number | undefined;
  readonly from: number;
  readonly until: number;
}

/** Reads the counts of a tenant's events by day. */
export function readRollups(db: Database) {
  const sums = {
    day: eventDays.day,
    info: sql<number>`sum(${eventDays.info})`,
    low: sql<number>`sum(${eventDays.low})`,
    medium: sql<number>`sum(${eventDays.medium})`,
    high: sql<number>`sum(${eventDays.high})`,
    critical: sql<number>`sum(${eventDays.critical})`,
  };
  const ofLicense = lazily(() =>
    db
      .select(sums)
      .from(eventDays)
      .where(
        and(
          eq(eventDays.licenseId, sql.placeholder('licenseId')),
          gte(eventDays.day, sql.placeholder('fromDay')),
        ),
      )
      .groupBy(eventDays.day)
      .prepare(),
  );

  const range = `license_id = :licenseId and day >= :from and day < :until
    and (cast(:siteId as bigint) is null or site_id = :siteId)`;
  const byDay = prepare<DayCounts>(
    db,
    `
    select day, sum(info) as info, sum(low) as low, sum(medium) as medium, sum(high) as high, sum(critical) as critical
      from event_days where ${range} group by day order by day
    `,
  );
  const bySite = prepare<{ siteId: number; events: number }>(
    db,
    `
    select site_id as siteId, sum(info + low + medium + high + critical) as events
      from event_days where ${range} group by site_id
    `,
  );
  const numbers = <Counts extends object>(counts: Counts): Counts =>
    Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])) as Counts;

  return {
    /** The events of some days, by day; days without events are left out. */
    byDay: async (span: DaySpan): Promise<DayCounts[]> =>
      (await byDay.all({ ...span, siteId: span.siteId ?? null })).map(numbers),

    /** The same by site. */
    bySite: async (span: DaySpan): Promise<{ siteId: number; events: number }[]> =>
      (await bySite.all({ ...span, siteId: span.siteId ?? null })).map(numbers),

    /** All sites of a license together, from a day on; days without events are left out. */
    ofLicense: async (licenseId: number, fromDay: number): Promise<DayCounts[]> =>
      ofLicense.all({ licenseId, fromDay }),

    /** One site, from a day on. */
    async ofSite(licenseId: number, siteId: number, fromDay: number): Promise<DayCounts[]> {
      // Naming the days lets SQLite seek each one past the license's other sites.
      const days = Array.from({ length: BUCKET_DAYS }, (_, index) => fromDay + index);
      const { day, info, low, medium, high, critical } = eventDays;
      return db
        .select({ day, info, low, medium, high, critical })
        .from(eventDays)
        .where(and(eq(eventDays.licenseId, licenseId), inArray(day, days), eq(eventDays.siteId, siteId)))
        .all();
    },
  };
}
