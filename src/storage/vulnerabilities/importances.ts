import { and, eq, sql } from 'drizzle-orm';
import type { Exposure } from '../../domain/risk/facts.ts';
import { isBriefAbsence } from '../../domain/vulnerability/brief-absence.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { siteImportances } from './tables.ts';

/** What a tenant says of one of its sites. */
export interface ToldImportance
  extends Pick<Row<typeof siteImportances>, 'licenseId' | 'siteId' | 'importance' | 'exposure'> {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The same as it is kept; moments are milliseconds since the Unix epoch. */
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
    /** Keeps what a tenant says of a site in the place of what it said before. */
    async setImportance({ licenseId, siteId, importance, exposure, now }: ToldImportance): Promise<void> {
      const before = await ofSite.get({ licenseId, siteId });
      const told: SiteImportance = {
        importance,
        exposure,
        ...openTimes(before, exposure, now),
        updatedAt: now,
      };
      await db
        .insert(siteImportances)
        .values({ licenseId, siteId, ...told })
        .onConflictDoUpdate({ target: [siteImportances.licenseId, siteImportances.siteId], set: told })
        .run();
    },
  };
}

/** A site that is closed for a short time and opened again was open all the time. */
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

/** Reads what tenants said of their sites. */
export function readImportances(db: Database) {
  const ofSite = prepareOfSite(db);

  return {
    /** What a license said of its site; undefined when nothing. */
    ofSite: async (licenseId: number, siteId: number): Promise<SiteImportance | undefined> =>
      ofSite.get({ licenseId, siteId }),
  };
}

export type ImportanceReads = ReturnType<typeof readImportances>;
