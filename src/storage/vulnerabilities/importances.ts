import { and, eq, sql } from 'drizzle-orm';
import type { Exposure } from '../../domain/risk/facts.ts';
import { isBriefAbsence } from '../../domain/vulnerability/brief-absence.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { siteImportances } from './tables.ts';

/** A tenant's statement about one of its sites. */
export interface NewImportance
  extends Pick<Row<typeof siteImportances>, 'licenseId' | 'siteId' | 'importance' | 'exposure'> {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The stored statement; times are milliseconds since the Unix epoch. */
export type SiteImportance = Omit<Row<typeof siteImportances>, 'licenseId' | 'siteId'>;

const prepareOfSite = (db: Database) => {
  const { importance, exposure, openSince, openUntil, updatedAt, licenseId, siteId } = siteImportances;
  return lazily(() =>
    db
      .select({ importance, exposure, openSince, openUntil, updatedAt })
      .from(siteImportances)
      .where(and(eq(licenseId, sql.placeholder('licenseId')), eq(siteId, sql.placeholder('siteId'))))
      .prepare(),
  );
};

export function importanceJobs(db: Database) {
  const ofSite = prepareOfSite(db);

  return {
    /** Stores a statement about a site; replaces the earlier one. */
    async setImportance({ licenseId, siteId, importance, exposure, now }: NewImportance): Promise<void> {
      const before = await ofSite.get({ licenseId, siteId });
      const stored: SiteImportance = {
        importance,
        exposure,
        ...openTimes(before, exposure, now),
        updatedAt: now,
      };
      await db
        .insert(siteImportances)
        .values({ licenseId, siteId, ...stored })
        .onConflictDoUpdate({ target: [siteImportances.licenseId, siteImportances.siteId], set: stored })
        .run();
    },
  };
}

/** A site that was closed only for a short time counts as continuously open. */
function openTimes(
  before: SiteImportance | undefined,
  exposure: Exposure | null,
  now: number,
): Pick<SiteImportance, 'openSince' | 'openUntil'> {
  const { openSince = null, openUntil = null } = before ?? {};
  const wasOpen = before?.exposure === 'open';
  if (exposure !== 'open') return { openSince, openUntil: wasOpen ? now : openUntil };
  const isOpenStill = wasOpen || (openUntil !== null && isBriefAbsence(openUntil, now));
  return { openSince: isOpenStill ? (openSince ?? now) : now, openUntil: null };
}

/** Reads tenants' statements about their sites. */
export function readImportances(db: Database) {
  const ofSite = prepareOfSite(db);

  return {
    /** A license's statement about its site; undefined without one. */
    ofSite: async (licenseId: number, siteId: number): Promise<SiteImportance | undefined> =>
      ofSite.get({ licenseId, siteId }),
  };
}

export type ImportanceReads = ReturnType<typeof readImportances>;
