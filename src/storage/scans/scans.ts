import { and, asc, desc, eq, gt, gte, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Author } from '../../domain/admin/author.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { ScanStatus, ScanType } from '../../domain/scan/scan.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { scanRequests, scans } from './tables.ts';

/** A scan as its tenant sees it. */
export type Scan = Row<typeof scans>;

/** A requested scan. */
export interface WantedScan
  extends Pick<Scan, 'publicId' | 'licenseId' | 'domain' | 'siteUrl' | 'type' | 'trigger'> {
  /** The client's key of the request, with a hash of its body. */
  readonly request: { readonly key: string; readonly bodyHash: string } | null;
  /** The author for the audit log, if the request gets an entry there. */
  readonly by?: Author | undefined;
  /** Scans of one license and UTC day. */
  readonly dailyCap: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** How long a request may be repeated. */
export const REQUEST_MS_MAX = DAY_MS;

// Jobs (scan-jobs.ts) search the same in their transaction.

export const isUnfinished = isNull(scans.finishedAt);
export const ofLicense = eq(scans.licenseId, sql.placeholder('licenseId'));

/** The scan of a license's request with a key, after a moment. */
export const prepareRequest = (db: Database) =>
  lazily(() =>
    db
      .select({ bodyHash: scanRequests.bodyHash, scan: scans })
      .from(scanRequests)
      .innerJoin(scans, eq(scans.id, scanRequests.scanId))
      .where(
        and(
          eq(scanRequests.licenseId, sql.placeholder('licenseId')),
          eq(scanRequests.key, sql.placeholder('key')),
          gt(scanRequests.requestedAt, sql.placeholder('since')),
        ),
      )
      .prepare(),
  );

/** An identical scan that waits or runs. */
export const prepareSame = (db: Database) =>
  lazily(() =>
    db
      .select()
      .from(scans)
      .where(
        and(
          ofLicense,
          eq(scans.domain, sql.placeholder('domain')),
          eq(scans.siteUrl, sql.placeholder('siteUrl')),
          eq(scans.type, sql.placeholder('type')),
          isUnfinished,
          isNull(scans.canceledAt),
        ),
      )
      .prepare(),
  );

/** The earlier scan of the same request; a refusal when its key was used with another body. */
export async function repeatedOf(
  find: ReturnType<typeof prepareRequest>,
  { licenseId, request, now }: Pick<WantedScan, 'licenseId' | 'request' | 'now'>,
): Promise<Scan | Refusal | undefined> {
  if (request === null) return undefined;
  const before = await find.get({ licenseId, key: request.key, since: now - REQUEST_MS_MAX });
  if (before === undefined || before.bodyHash === request.bodyHash) return before?.scan;
  return refuse('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was sent with another body within 24 hours.');
}

/** Filters of a license's scans; null = any. */
export interface ScanQuery {
  readonly licenseId: number;
  readonly domain: string | null;
  readonly status: ScanStatus | null;
  readonly type: ScanType | null;
  /** Queued at this moment or later. */
  readonly since: number;
  /** Scans with a smaller id. */
  readonly beforeId: number;
  readonly limit: number;
}

const STATUS_CONDITIONS: Readonly<Record<ScanStatus, SQL | undefined>> = {
  queued: and(isUnfinished, isNull(scans.startedAt)),
  running: and(isUnfinished, isNotNull(scans.startedAt)),
  done: and(isNotNull(scans.finishedAt), isNull(scans.canceledAt), isNull(scans.failure)),
  failed: and(isNotNull(scans.finishedAt), isNull(scans.canceledAt), isNotNull(scans.failure)),
  canceled: and(isNotNull(scans.finishedAt), isNotNull(scans.canceledAt)),
};

/** Reads the scans of tenants. */
export function readScans(db: Database) {
  const byPublicId = lazily(() =>
    db
      .select()
      .from(scans)
      .where(and(ofLicense, eq(scans.publicId, sql.placeholder('publicId'))))
      .prepare(),
  );
  const findRequest = prepareRequest(db);
  const same = prepareSame(db);
  return {
    find: async (licenseId: number, publicId: string): Promise<Scan | undefined> =>
      byPublicId.get({ licenseId, publicId }),

    /** See queueScan: the earlier scan of the same request. */
    repeated: async (wanted: Pick<WantedScan, 'licenseId' | 'request' | 'now'>) =>
      repeatedOf(findRequest, wanted),

    /** The same scan, while it waits or runs. */
    unfinished: async (wanted: Pick<WantedScan, 'licenseId' | 'domain' | 'siteUrl' | 'type'>) =>
      same.get({ ...wanted }),

    /** The newest first. */
    page: async (wanted: ScanQuery): Promise<Scan[]> => {
      const { licenseId, domain, status, type, since, beforeId, limit } = wanted;
      return db
        .select()
        .from(scans)
        .where(
          and(
            eq(scans.licenseId, licenseId),
            lt(scans.id, beforeId),
            gte(scans.queuedAt, since),
            domain === null ? undefined : eq(scans.domain, domain),
            type === null ? undefined : eq(scans.type, type),
            status === null ? undefined : STATUS_CONDITIONS[status],
          ),
        )
        .orderBy(desc(scans.id))
        .limit(limit)
        .all();
    },
  };
}

/** A scan that waits or runs, on whichever node. */
export type UnfinishedScan = Pick<Scan, 'id' | 'licenseId' | 'startedAt' | 'canceledAt'>;

/** Reads the waiting and running scans, in the order of their requests. */
export function readUnfinishedScans(db: Database): () => Promise<UnfinishedScan[]> {
  const { id, licenseId, startedAt, canceledAt } = scans;
  const unfinished = lazily(() =>
    db
      .select({ id, licenseId, startedAt, canceledAt })
      .from(scans)
      .where(isUnfinished)
      .orderBy(asc(id))
      .prepare(),
  );
  return async () => unfinished.all();
}

export type ScanReads = ReturnType<typeof readScans>;
