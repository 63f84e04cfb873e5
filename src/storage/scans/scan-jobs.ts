import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  isNotNull,
  isNull,
  lt,
  notExists,
  notInArray,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { licenseName } from '../../domain/license/license-name.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import { type ScanFailure, scanStatus } from '../../domain/scan/scan.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { reactionPoint } from '../engine/jobs/reactions.ts';
import { lazily } from '../engine/lazily.ts';
import { perDatabase } from '../engine/per-database.ts';
import { ofRetention, retainedFrom } from '../engine/retention.ts';
import { dailyUsageJobs } from '../licenses/daily-usage.ts';
import { auditJobs } from '../operators/audit.ts';
import { type CitedAssessment, keepAssessments } from './assessment-jobs.ts';
import {
  isUnfinished,
  ofLicense,
  prepareRequest,
  prepareSame,
  REQUEST_MS_MAX,
  repeatedOf,
  type Scan,
  type WantedScan,
} from './scans.ts';
import { scanRequests, scans } from './tables.ts';

/** Limit of waiting and running scans, for a license and for an installation. */
const UNFINISHED_OF_LICENSE_MAX = 5;
const UNFINISHED_MAX = 272;
const FULL_RETRY_SECONDS = 30;
/** Limit of finished scans retained for a site. */
const KEPT_OF_SITE = 50;
const RETENTION_CHUNK_SCANS = 500;
/** Longer than any scan takes: the node that ran it has ended. */
export const STALE_AFTER_MS = 90 * SECOND_MS;
/** The name of scans in the daily usage; they have a separate limit. */
export const SCANS = 'scans';

/** The outcome of a scan. */
export interface FinishedScan extends Pick<Scan, 'id' | 'failure' | 'findings'> {
  /** Null for scans without an assessment. */
  readonly assessment: CitedAssessment | null;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** A scan ended, with its outcome. */
export const scanFinished = reactionPoint<{ readonly scan: Scan; readonly grade: string | null }>();

export const scanJobs = perDatabase((db: Database) => {
  const { spendDailyUse } = dailyUsageJobs(db);
  const { keepScan, keepAssessment } = keepAssessments(db);
  const { audit } = auditJobs(db);
  const react = scanFinished.of(db);
  const findRequest = prepareRequest(db);
  const same = prepareSame(db);
  const unfinished = lazily(() => db.select({ count: count() }).from(scans).where(isUnfinished).prepare());
  const unfinishedOf = lazily(() =>
    db.select({ count: count() }).from(scans).where(and(isUnfinished, ofLicense)).prepare(),
  );

  const insert = async ({ now, request: _, dailyCap: __, by: ___, ...wanted }: WantedScan): Promise<Scan> =>
    db
      .insert(scans)
      .values({ ...wanted, queuedAt: now })
      .returning()
      .get();
  /** Replaces a request that may no longer be repeated. */
  const remember = async (scanId: number, { licenseId, request, now }: WantedScan): Promise<void> => {
    if (request === null) return;
    const row = { bodyHash: request.bodyHash, scanId, requestedAt: now };
    await db
      .insert(scanRequests)
      .values({ licenseId, key: request.key, ...row })
      .onConflictDoUpdate({ target: [scanRequests.licenseId, scanRequests.key], set: row })
      .run();
  };

  /** Deletes scans beyond the limit of a site, unless their request may still be repeated. */
  const prune = async ({ licenseId, domain }: Pick<Scan, 'licenseId' | 'domain'>): Promise<void> => {
    const ofSite = and(eq(scans.licenseId, licenseId), eq(scans.domain, domain), isNotNull(scans.finishedAt));
    const newest = db
      .select({ id: scans.id })
      .from(scans)
      .where(ofSite)
      .orderBy(desc(scans.id))
      .limit(KEPT_OF_SITE);
    const request = db
      .select({ id: scanRequests.scanId })
      .from(scanRequests)
      .where(eq(scanRequests.scanId, scans.id));
    await db
      .delete(scans)
      .where(and(ofSite, notInArray(scans.id, newest), notExists(request)))
      .run();
  };

  return {
    /** Queues a scan, or returns the one that the same request began, or an identical one that waits or runs. */
    async queueScan(wanted: WantedScan): Promise<Scan | Refusal> {
      const { licenseId, domain, siteUrl, type, by, dailyCap, now } = wanted;
      const repeated = await repeatedOf(findRequest, wanted);
      if (repeated !== undefined) return repeated;
      const waiting = await same.get({ licenseId, domain, siteUrl, type });
      if (waiting !== undefined) {
        await remember(waiting.id, wanted);
        return waiting;
      }
      if (((await unfinishedOf.get({ licenseId }))?.count ?? 0) >= UNFINISHED_OF_LICENSE_MAX)
        return refuse('SCAN_QUEUE_FULL', 'Too many scans of this license are waiting.', FULL_RETRY_SECONDS);
      if (((await unfinished.get())?.count ?? 0) >= UNFINISHED_MAX)
        return refuse('SCAN_QUEUE_FULL', 'Too many scans are waiting.', FULL_RETRY_SECONDS);
      const used = await spendDailyUse({ licenseId, route: SCANS, dailyCap, now });
      if (used !== undefined) return used;
      const scan = await insert(wanted);
      await remember(scan.id, wanted);
      if (by) {
        const after = { scan: scan.publicId, domain, type };
        await audit({ at: now, ...by, action: 'scan.order', subject: licenseName(licenseId), after });
      }
      return scan;
    },

    /**
     * @returns the scan that begins; undefined when it was called off, another node has begun it, or runs another one of its
     *   license, after which it may be tried again
     */
    async startScan({ id, now }: { id: number; now: number }): Promise<Scan | undefined> {
      const others = alias(scans, 'others');
      const running = db
        .select({ id: others.id })
        .from(others)
        .where(
          and(
            isNull(others.finishedAt),
            eq(others.licenseId, scans.licenseId),
            gt(others.startedAt, now - STALE_AFTER_MS),
          ),
        );
      return db
        .update(scans)
        .set({ startedAt: now })
        .where(and(eq(scans.id, id), isUnfinished, isNull(scans.startedAt), notExists(running)))
        .returning()
        .get();
    },

    /** Stores the progress of scans for other nodes. */
    async noteScanProgress({
      scans: told,
    }: {
      scans: readonly Pick<Scan, 'id' | 'requests'>[];
    }): Promise<void> {
      for (const { id, requests } of told)
        await db
          .update(scans)
          .set({ requests })
          .where(and(eq(scans.id, id), isUnfinished))
          .run();
    },

    /** Stores the outcome of a scan, with its entry in the evidence, and deletes scans beyond the site's limit. */
    async finishScan({ id, now, failure, findings, assessment }: FinishedScan): Promise<void> {
      const finished = await db
        .update(scans)
        .set({ finishedAt: now, failure, findings })
        .where(and(eq(scans.id, id), isUnfinished))
        .returning()
        .get();
      if (finished === undefined) return;
      await prune(finished);
      if (scanStatus(finished) === 'done') {
        if (assessment === null) await keepScan(finished, findings, now);
        else await keepAssessment(finished, findings, assessment, now);
      }
      await react({ scan: finished, grade: assessment?.grade ?? null });
    },

    /** Cancels a scan: a waiting one immediately, a running one when its node learns of it. A finished one stays unchanged. */
    async cancelScan({ id, now }: { id: number; now: number }): Promise<void> {
      const canceled = await db
        .update(scans)
        .set({
          canceledAt: now,
          finishedAt: sql`case when ${scans.startedAt} is null then cast(${now} as bigint) end`,
        })
        .where(and(eq(scans.id, id), isUnfinished, isNull(scans.canceledAt)))
        .returning({ licenseId: scans.licenseId, domain: scans.domain })
        .get();
      if (canceled) await prune(canceled);
    },

    /** Ends scans that were running when the service, or one of several nodes, ended. */
    async interruptScans({ ids, now }: { ids: readonly number[]; now: number }): Promise<void> {
      const failure: ScanFailure = 'interrupted';
      await db
        .update(scans)
        .set({ finishedAt: now, failure })
        .where(and(isUnfinished, isNotNull(scans.startedAt), db.sqlDialect.isAmong(scans.id, ids)))
        .run();
    },

    /**
     * Forgets the oldest scans finished before a moment, a bounded number at a time.
     *
     * @returns how many; 0 = none left
     */
    forgetScans: ofRetention(
      (terms) => ({ finishedBefore: retainedFrom(terms) }),
      async ({ finishedBefore }: { finishedBefore: number }): Promise<number> => {
        const oldest = db
          .select({ id: scans.id })
          .from(scans)
          .where(lt(scans.finishedAt, finishedBefore))
          .orderBy(asc(scans.finishedAt))
          .limit(RETENTION_CHUNK_SCANS);
        const { changes } = await db.delete(scans).where(sql`${scans.id} in (${oldest})`).run();
        return Number(changes);
      },
    ),

    /** Deletes requests that may no longer be repeated. */
    forgetScanRequests: ofRetention(
      ({ now }) => ({ now }),
      async ({ now }: { now: number }): Promise<void> => {
        await db
          .delete(scanRequests)
          .where(lt(scanRequests.requestedAt, now - REQUEST_MS_MAX))
          .run();
      },
    ),
  };
});
