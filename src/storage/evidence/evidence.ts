import type { EvidenceType } from '../../domain/evidence/entry.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import { readEvidenceTrees } from './evidence-tree.ts';
import type { evidenceCheckpoints, evidenceEntries, evidenceLogs } from './tables.ts';

/** A history of a license. All moments are milliseconds since the Unix epoch. */
export interface EvidenceLog
  extends Omit<Row<typeof evidenceLogs>, 'keptAt' | 'keptFrom' | 'endedAt' | 'mirrorSnapshot'> {
  /** The first entry with a stored text; the log's size when there is none. */
  readonly keptFrom: number;
}

/** An entry of a log. */
export type EvidenceEntry = Omit<Row<typeof evidenceEntries>, 'logId'>;

/** A signed state of a log. */
export type EvidenceCheckpoint = Omit<Row<typeof evidenceCheckpoints>, 'logId'>;

/** Filters of entries; null = any. */
export interface EvidenceQuery {
  readonly logId: number;
  /** From an index to before another. */
  readonly from: number;
  readonly to: number;
  readonly type: EvidenceType | null;
  /** The public id of a site. */
  readonly site: string | null;
  /** Written from this moment on and before another, by clocks that may have been set. Milliseconds since the Unix epoch. */
  readonly since: number;
  readonly until: number;
  readonly limit: number;
}

const LOG = `
  select id, license_id as licenseId, public_id as publicId, number, origin, size, began_at as beganAt, last_at as lastAt,
      kept_from as keptFrom
    from evidence_logs
`;

/** Reads the histories of licenses. */
export function readEvidence(db: Database) {
  const current = prepare<EvidenceLog>(db, `${LOG} where license_id = ? and ended_at is null`);
  const all = prepare<EvidenceLog>(db, `${LOG} where license_id = ? order by number`);
  const named = prepare<EvidenceLog>(db, `${LOG} where public_id = ? and ended_at is null`);
  const entries = prepare<EvidenceEntry>(
    db,
    `
    select position, type, site, at, entry, hash from evidence_entries
      where log_id = ? and position >= ? and position < ? order by position
    `,
  );
  const matching = prepare<{ position: number }>(
    db,
    `
    select position from evidence_entries
      where log_id = :logId and position >= :from and position < :to and at >= :since and at < :until
        and (cast(:type as text) is null or type = :type) and (cast(:site as text) is null or site = :site)
      order by position limit :limit
    `,
  );
  const signed = prepare<EvidenceLog>(db, `${LOG} where origin is not null and ended_at is null order by id`);
  const lastKey = prepare<{ vkey: string }>(
    db,
    `
    select vkey from evidence_checkpoints c join evidence_logs l on l.id = c.log_id where l.license_id = ?
      order by l.number desc, c.size desc limit 1
    `,
  );
  const moment = prepare<{ at: number }>(
    db,
    'select at from evidence_entries where log_id = ? and position = ?',
  );
  const newest = prepare<EvidenceCheckpoint>(
    db,
    `
    select size, signed_at as signedAt, note, vkey from evidence_checkpoints where log_id = ? order by size desc limit 1
    `,
  );

  return {
    ...readEvidenceTrees(db),

    /** The current log of a license; undefined before its first entry. */
    current: async (licenseId: number): Promise<EvidenceLog | undefined> => current.get(licenseId),

    /** All logs of a license, in order. */
    ofLicense: async (licenseId: number): Promise<EvidenceLog[]> => all.all(licenseId),

    /** The current log with a public id, of any license: for the service, never for a tenant. */
    byPublicId: async (publicId: string): Promise<EvidenceLog | undefined> => named.get(publicId),

    /** Entries from an index to before another, in order. */
    entries: async (logId: number, from: number, to: number): Promise<EvidenceEntry[]> =>
      entries.all(logId, from, to),

    /** The matching entries of a part of a log, in order, without their texts. */
    matching: async ({
      logId,
      from,
      to,
      type,
      site,
      since,
      until,
      limit,
    }: EvidenceQuery): Promise<number[]> =>
      (await matching.all({ logId, from, to, type, site, since, until, limit })).map(
        ({ position }) => position,
      ),

    /** When an entry was written, in milliseconds since the Unix epoch; undefined for a missing entry. */
    momentOf: async (logId: number, position: number): Promise<number | undefined> =>
      (await moment.get(logId, position))?.at,

    /** The current signed logs of all licenses: for the service, never for a tenant. */
    signedLogs: async (): Promise<EvidenceLog[]> => signed.all(),

    /** The key that signed last for a license. */
    lastKey: async (licenseId: number): Promise<string | undefined> => (await lastKey.get(licenseId))?.vkey,

    /** The newest checkpoint of a log. */
    newestCheckpoint: async (logId: number): Promise<EvidenceCheckpoint | undefined> => newest.get(logId),
  };
}

export type EvidenceReads = ReturnType<typeof readEvidence>;
