import { and, eq, sql } from 'drizzle-orm';
import type { Exposure, Importance } from '../domain/risk/facts.ts';
import type { Database } from './engine/database.ts';
import { siteImportances } from './engine/schema.ts';

/** What a tenant says of one of its sites. */
export interface ToldImportance {
  readonly licenseId: number;
  readonly siteId: number;
  readonly importance: Importance;
  /** Null leaves it to what is known of each component. */
  readonly exposure: Exposure | null;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The same as it is kept; moments are milliseconds since the Unix epoch. */
export interface SiteImportance {
  readonly importance: Importance;
  readonly exposure: Exposure | null;
  /** When that exposure was first said; null without one. */
  readonly exposureSince: number | null;
  readonly updatedAt: number;
}

const prepareOfSite = (db: Database) => {
  const { importance, exposure, exposureSince, updatedAt, licenseId, siteId } = siteImportances;
  return db
    .select({ importance, exposure, exposureSince, updatedAt })
    .from(siteImportances)
    .where(and(eq(licenseId, sql.placeholder('licenseId')), eq(siteId, sql.placeholder('siteId'))))
    .prepare();
};

export function importanceJobs(db: Database) {
  const ofSite = prepareOfSite(db);

  return {
    /** Keeps what a tenant says of a site in the place of what it said before. */
    setImportance({ licenseId, siteId, importance, exposure, now }: ToldImportance): void {
      const before = ofSite.get({ licenseId, siteId });
      const isSame = exposure === (before?.exposure ?? null);
      const since = exposure === null ? null : now;
      const told: SiteImportance = {
        importance,
        exposure,
        exposureSince: isSame ? (before?.exposureSince ?? null) : since,
        updatedAt: now,
      };
      db.insert(siteImportances)
        .values({ licenseId, siteId, ...told })
        .onConflictDoUpdate({ target: [siteImportances.licenseId, siteImportances.siteId], set: told })
        .run();
    },
  };
}

/** Reads what tenants said of their sites. */
export function readImportances(db: Database) {
  const ofSite = prepareOfSite(db);

  return {
    /** What a license said of its site; undefined when nothing. */
    ofSite: async (licenseId: number, siteId: number): Promise<SiteImportance | undefined> =>
      ofSite.get({ licenseId, siteId }),
  };
}
