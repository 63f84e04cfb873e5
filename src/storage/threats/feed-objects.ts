import { and, asc, eq, gt, inArray, lt, max, type SQL, sql } from 'drizzle-orm';
import type { ChangedEntry, FeedObject } from '../../domain/threat/feed-object.ts';
import { indicatorUuid } from '../../domain/threat/stix.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { ofRetention } from '../engine/retention.ts';
import { feedObjects } from './tables.ts';

const ROWS_AT_ONCE = 1_000;
/** For how long clients can learn that a threat was withdrawn. */
export const WITHDRAWN_DAYS = 180;
const MICROSECONDS_OF_MS = 1_000;
/** The first two microseconds of the feed are those of the objects that indicators refer to. */
export const FIRST_DATE_ADDED = Date.UTC(2026, 10, 27) * MICROSECONDS_OF_MS;

/** A query for objects. */
export interface AskedObjects {
  readonly isWithdrawn?: boolean;
  /** Only those that were added later, in microseconds since the Unix epoch. */
  readonly after?: number;
  readonly uuids?: readonly string[] | undefined;
  /** Only versions with these times, in milliseconds since the Unix epoch. */
  readonly modifiedAt?: readonly number[] | undefined;
  readonly limit?: number;
}

/** Reads the threats of the feed with their history, in the order of their `dateAdded`. */
export const readFeedObjects =
  (db: Database) =>
  async ({ isWithdrawn, after, uuids, modifiedAt, limit }: AskedObjects): Promise<FeedObject[]> => {
    const conditions: (SQL | undefined)[] = [
      isWithdrawn === undefined ? undefined : eq(feedObjects.isWithdrawn, isWithdrawn),
      after === undefined ? undefined : gt(feedObjects.dateAdded, after),
      uuids && inArray(feedObjects.uuid, [...uuids]),
      modifiedAt && inArray(feedObjects.modifiedAt, [...modifiedAt]),
    ];
    const found = db
      .select()
      .from(feedObjects)
      .where(and(...conditions))
      .orderBy(asc(feedObjects.dateAdded));
    return limit === undefined ? found.all() : found.limit(limit).all();
  };

/** What the feed had of a threat, for as long as that is stored. */
export type FeedHistory = Pick<FeedObject, 'attackType' | 'createdAt' | 'modifiedAt' | 'isWithdrawn'>;

/** Reads what the feed had of some threats. */
export async function readFeedHistory(
  db: Database,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, FeedHistory>> {
  const { fingerprint, attackType, createdAt, modifiedAt, isWithdrawn } = feedObjects;
  const rows = await db
    .select({ fingerprint, attackType, createdAt, modifiedAt, isWithdrawn })
    .from(feedObjects)
    .where(inArray(fingerprint, [...fingerprints]))
    .all();
  return new Map(rows.map((row) => [row.fingerprint, row]));
}

/** When each threat was in the feed first, in milliseconds since the Unix epoch, by its fingerprint. */
export async function readCreations(db: Database): Promise<ReadonlyMap<string, number>> {
  const { fingerprint, createdAt } = feedObjects;
  const rows = await db.select({ fingerprint, createdAt }).from(feedObjects).all();
  return new Map(rows.map((row) => [row.fingerprint, row.createdAt]));
}

/**
 * Records new versions of threats, in the transaction that publishes the feed.
 *
 * @param now in milliseconds since the Unix epoch
 */
export async function recordFeedObjects(
  db: Database,
  changes: readonly ChangedEntry[],
  now: number,
): Promise<void> {
  if (changes.length === 0) return;
  const newest = await db
    .select({ dateAdded: max(feedObjects.dateAdded) })
    .from(feedObjects)
    .get();
  const last = Math.max(newest?.dateAdded ?? 0, FIRST_DATE_ADDED + MICROSECONDS_OF_MS);
  const first = Math.max(now * MICROSECONDS_OF_MS, last + 1);
  const larger = sql.raw(db.sqlDialect.larger);
  for (let at = 0; at < changes.length; at += ROWS_AT_ONCE) {
    const rows = changes.slice(at, at + ROWS_AT_ONCE).map((entry, index) => ({
      fingerprint: entry.fingerprint,
      uuid: indicatorUuid(entry.fingerprint),
      attackType: entry.attack_type,
      corroborationCount: entry.corroboration_count,
      createdAt: now,
      modifiedAt: now,
      dateAdded: first + at + index,
      isWithdrawn: entry.isWithdrawn,
    }));
    await db
      .insert(feedObjects)
      .values(rows)
      .onConflictDoUpdate({
        target: feedObjects.fingerprint,
        set: {
          attackType: sql`excluded.attack_type`,
          corroborationCount: sql`excluded.corroboration_count`,
          modifiedAt: sql`${larger}(excluded.modified_at, ${feedObjects.modifiedAt} + 1)`,
          dateAdded: sql`excluded.date_added`,
          isWithdrawn: sql`excluded.is_withdrawn`,
        },
      })
      .run();
  }
}

export const feedObjectJobs = (db: Database) => ({
  forgetWithdrawnThreats: ofRetention(
    ({ now }) => ({ withdrawnBefore: now - WITHDRAWN_DAYS * DAY_MS }),
    async ({ withdrawnBefore }: { readonly withdrawnBefore: number }): Promise<void> => {
      const { isWithdrawn, modifiedAt } = feedObjects;
      await db
        .delete(feedObjects)
        .where(and(eq(isWithdrawn, true), lt(modifiedAt, withdrawnBefore)))
        .run();
    },
  ),
});
