import { and, gte, lt, ne, sql } from 'drizzle-orm';
import type { HourlyEvents } from '../../domain/event/event-counts.ts';
import type { Severity } from '../../domain/severity.ts';
import type { Database } from '../engine/database.ts';
import { ofRetention, retainedFrom } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';
import { eventCounts } from './tables.ts';

/** Events of one kind since they were last stored. */
export interface NewEventCount {
  readonly severity: Severity;
  readonly type: string;
  readonly count: number;
}

/** Events of one type that arrived within an hour. */
export interface HourlyType {
  /** When the hour began, in milliseconds since the Unix epoch. */
  readonly hour: number;
  readonly type: string;
  readonly count: number;
}

/** Replaces types beyond those that are counted separately. */
export const OTHER_TYPE = 'other';

const total = sql<number>`sum(${eventCounts.count})`.mapWith(Number);

/** Reads the counts of all hours from a moment on, the oldest first. */
export const readHourlyEvents = async (db: Database, since: number): Promise<HourlyEvents[]> =>
  db
    .select({ hour: eventCounts.hour, severity: eventCounts.severity, count: total })
    .from(eventCounts)
    .where(gte(eventCounts.hour, since))
    .groupBy(eventCounts.hour, eventCounts.severity)
    .orderBy(eventCounts.hour, eventCounts.severity)
    .all();

/** Reads the counts of all hours from a moment on by type, the oldest first. */
export const readHourlyTypes = async (db: Database, since: number): Promise<HourlyType[]> =>
  db
    .select({ hour: eventCounts.hour, type: eventCounts.type, count: total })
    .from(eventCounts)
    .where(and(gte(eventCounts.hour, since), ne(eventCounts.type, OTHER_TYPE)))
    .groupBy(eventCounts.hour, eventCounts.type)
    .orderBy(eventCounts.hour, eventCounts.type)
    .all();

export function eventCountJobs(db: Database) {
  const add = prepare(
    db,
    `
    insert into event_counts (hour, severity, type, count) values (:hour, :severity, :type, :count)
      on conflict (hour, severity, type) do update set count = event_counts.count + excluded.count
    `,
  );

  return {
    /** Adds the arrivals since the last call. */
    async addEventCounts({
      hour,
      counts,
    }: {
      hour: number;
      counts: readonly NewEventCount[];
    }): Promise<void> {
      for (const each of counts) await add.run({ hour, ...each });
    },

    forgetEventCounts: ofRetention(
      (terms) => ({ before: retainedFrom(terms) }),
      async ({ before }: { before: number }): Promise<void> => {
        await db.delete(eventCounts).where(lt(eventCounts.hour, before)).run();
      },
    ),
  };
}
