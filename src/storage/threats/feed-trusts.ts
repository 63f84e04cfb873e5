import { and, asc, count, eq, gt, sql } from 'drizzle-orm';
import type { FeedBundle } from '../../domain/threat/feed-bundle.ts';
import type { ImportedThreat } from '../../domain/threat/stix.ts';
import { oneAfterAnother } from '../../lib/one-after-another.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { feedTrusts, importedThreats } from './tables.ts';

/** A trusted installation, whose feed counts here. Times are milliseconds since the Unix epoch. */
export type FeedTrust = Row<typeof feedTrusts>;

/** Ordered by name. */
export const readFeedTrusts = async (db: Database): Promise<FeedTrust[]> =>
  db.select().from(feedTrusts).orderBy(asc(feedTrusts.name)).all();

/** The number of threats from each of them, by id. */
export async function countImported(db: Database): Promise<ReadonlyMap<number, number>> {
  const { trustId } = importedThreats;
  const rows = await db.select({ trustId, threats: count() }).from(importedThreats).groupBy(trustId).all();
  return new Map(rows.map((row) => [row.trustId, row.threats]));
}

/** For each threat, the names of the installations whose reports count at a moment, in order. */
export async function readOrigins(
  db: Database,
  threats: readonly Pick<ImportedThreat, 'fingerprint'>[],
  now: number,
): Promise<string[][]> {
  if ((await readFeedTrusts(db)).length === 0) return threats.map(() => []);
  const { fingerprint, trustId } = importedThreats;
  const named = lazily(() =>
    db
      .select({ name: feedTrusts.name })
      .from(importedThreats)
      .innerJoin(feedTrusts, eq(feedTrusts.id, trustId))
      .where(and(eq(fingerprint, sql.placeholder('fingerprint')), gt(feedTrusts.expiresAt, now)))
      .orderBy(asc(feedTrusts.name))
      .prepare(),
  );
  return oneAfterAnother(threats, async (threat) =>
    (await named.all({ fingerprint: threat.fingerprint })).map(({ name }) => name),
  );
}

/** The current feed of an installation, which replaces its previous one. */
export interface ImportedFeed extends Pick<FeedBundle, 'serial' | 'expiresAt'> {
  readonly trustId: number;
  readonly threats: readonly ImportedThreat[];
  readonly now: number;
}

const ROWS_AT_ONCE = 1_000;

export const feedTrustJobs = (db: Database) => ({
  async addFeedTrust({
    now,
    ...trust
  }: Pick<FeedTrust, 'name' | 'key' | 'weight'> & { readonly now: number }): Promise<void> {
    await db
      .insert(feedTrusts)
      .values({ ...trust, addedAt: now })
      .run();
  },

  /** Removes an installation with all its threats. */
  async removeFeedTrust({ id }: Pick<FeedTrust, 'id'>): Promise<void> {
    await db.delete(importedThreats).where(eq(importedThreats.trustId, id)).run();
    await db.delete(feedTrusts).where(eq(feedTrusts.id, id)).run();
  },

  async importFeed({ trustId, threats, now, ...bundle }: ImportedFeed): Promise<void> {
    await db.delete(importedThreats).where(eq(importedThreats.trustId, trustId)).run();
    for (let at = 0; at < threats.length; at += ROWS_AT_ONCE) {
      const rows = threats.slice(at, at + ROWS_AT_ONCE).map((threat) => ({ ...threat, trustId }));
      await db.insert(importedThreats).values(rows).run();
    }
    await db
      .update(feedTrusts)
      .set({ ...bundle, importedAt: now })
      .where(eq(feedTrusts.id, trustId))
      .run();
  },
});
