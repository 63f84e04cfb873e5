import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import { isRefusal } from '../../domain/refusal.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { licenses } from '../licenses/tables.ts';
import { siteSummaries, sites } from '../sites/tables.ts';
import { scanJobs } from './scan-jobs.ts';
import type { WantedScan } from './scans.ts';
import { scanSchedules } from './tables.ts';

/** How often a site is scanned. */
export type ScanSchedule = Omit<Row<typeof scanSchedules>, 'licenseId' | 'siteId'>;

type ScheduledSite = Pick<Row<typeof scanSchedules>, 'licenseId' | 'siteId'>;

/** A schedule that is due. */
export interface DueSchedule extends ScheduledSite, ScanSchedule {
  readonly domain: string;
  readonly sitePublicId: string;
}

const ofSite = ({ licenseId, siteId }: ScheduledSite) =>
  and(eq(scanSchedules.licenseId, licenseId), eq(scanSchedules.siteId, siteId));

export function scanScheduleJobs(db: Database) {
  const { queueScan } = scanJobs(db);
  const postpone = async ({
    nextAt,
    ...site
  }: ScheduledSite & Pick<ScanSchedule, 'nextAt'>): Promise<void> => {
    await db.update(scanSchedules).set({ nextAt }).where(ofSite(site)).run();
  };
  return {
    /** Sets how often a site is scanned; null ends the schedule. */
    async setScanSchedule({
      licenseId,
      siteId,
      schedule,
    }: ScheduledSite & { schedule: ScanSchedule | null }): Promise<void> {
      if (schedule === null) {
        await db.delete(scanSchedules).where(ofSite({ licenseId, siteId })).run();
        return;
      }
      await db
        .insert(scanSchedules)
        .values({ licenseId, siteId, ...schedule })
        .onConflictDoUpdate({ target: [scanSchedules.licenseId, scanSchedules.siteId], set: schedule })
        .run();
    },

    postponeSchedule: postpone,

    /** Queues the scan of a schedule and sets when it is due next, together. */
    async runSchedule({ siteId, nextAt, wanted }: { siteId: number; nextAt: number; wanted: WantedScan }) {
      const scan = await queueScan(wanted);
      if (!isRefusal(scan)) await postpone({ licenseId: wanted.licenseId, siteId, nextAt });
      return scan;
    },
  };
}

/** Reads how often the sites of tenants are scanned. */
export function readScanSchedules(db: Database) {
  const { intervalHours, type, nextAt } = scanSchedules;
  const found = lazily(() =>
    db
      .select({ intervalHours, type, nextAt })
      .from(scanSchedules)
      .where(
        and(
          eq(scanSchedules.licenseId, sql.placeholder('licenseId')),
          eq(scanSchedules.siteId, sql.placeholder('siteId')),
        ),
      )
      .prepare(),
  );
  return {
    ofSite: async (licenseId: number, siteId: number): Promise<ScanSchedule | undefined> =>
      found.get({ licenseId, siteId }),
  };
}

/** Reads due schedules, the longest due first; none of revoked licenses. */
export function readDueSchedules(db: Database): (nowMs: number, limit: number) => Promise<DueSchedule[]> {
  const { licenseId, siteId, intervalHours, type, nextAt } = scanSchedules;
  const due = lazily(() =>
    db
      .select({
        licenseId,
        siteId,
        intervalHours,
        type,
        nextAt,
        domain: sites.domain,
        sitePublicId: siteSummaries.publicId,
      })
      .from(scanSchedules)
      .innerJoin(licenses, eq(licenses.id, licenseId))
      .innerJoin(sites, eq(sites.id, siteId))
      .innerJoin(siteSummaries, eq(siteSummaries.siteId, siteId))
      .where(and(lte(nextAt, sql.placeholder('now')), isNull(licenses.revokedAt)))
      .orderBy(asc(nextAt))
      .limit(sql.placeholder('limit'))
      .prepare(),
  );
  return async (now, limit) => due.all({ now, limit });
}
