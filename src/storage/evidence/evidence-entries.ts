import { ENTRY_BYTES_MAX, type EvidenceFact, entryText } from '../../domain/evidence/entry.ts';
import { completedBy, leafHash, leftHalf, nodeHash } from '../../domain/evidence/merkle.ts';
import { Fault } from '../../lib/fault.ts';
import { newOpaqueId } from '../../lib/opaque-id.ts';
import type { Database } from '../engine/database.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import { prepareHashes } from './evidence-tree.ts';
import type { evidenceEntries as entries, evidenceLogs } from './tables.ts';

/** A fact for the log of a license. */
export interface LicenseFact extends EvidenceFact {
  readonly licenseId: number;
}

/** The identity of an entry in a log. */
export type KeptFact = Pick<Row<typeof entries>, 'logId' | 'hash'>;

/** The part of a license's log that the next entry needs. */
export type LogHead = Pick<Row<typeof evidenceLogs>, 'id' | 'size' | 'lastAt' | 'mirrorSnapshot'>;

/** Adds entries to logs; its functions run in the jobs whose facts they record. */
export const evidenceEntries = perDatabase((db: Database) => {
  const current = prepare<LogHead>(
    db,
    `
    select id, size, last_at as lastAt, mirror_snapshot as mirrorSnapshot
      from evidence_logs where license_id = ? and ended_at is null
    `,
  );
  const begin = prepare<LogHead>(
    db,
    `
    insert into evidence_logs (license_id, public_id, number, began_at, last_at)
      values (:licenseId, :publicId, :number, :at, :at)
      returning id, size, last_at as lastAt, mirror_snapshot as mirrorSnapshot
    `,
  );
  const insert = prepare(
    db,
    'insert into evidence_entries (log_id, position, type, site, at, entry, hash) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertNode = prepare(
    db,
    'insert into evidence_nodes (log_id, level, position, hash) values (?, ?, ?, ?)',
  );
  const hashOf = prepareHashes(db);
  const grow = prepare(
    db,
    `
    update evidence_logs
      set size = size + 1, last_at = :at, kept_from = case when kept_at is null then size else kept_from end,
        kept_at = case when kept_at < :at then kept_at else cast(:at as bigint) end
      where id = :logId
    `,
  );

  const siteOf = prepare<{ publicId: string }>(
    db,
    `
    select m.public_id as publicId from sites s
      join site_summaries m on m.site_id = s.id and m.license_id = s.license_id
      where s.license_id = ? and s.domain = ?
    `,
  );

  /** Writes the hashes of the subtrees that a new leaf completes. */
  const completeSubtrees = async (logId: number, leafPosition: number, leafHash: Buffer): Promise<void> => {
    let right = leafHash;
    for (const subtree of completedBy(leafPosition)) {
      right = nodeHash(await hashOf(logId, leftHalf(subtree)), right);
      await insertNode.run(logId, subtree.level, subtree.index, right.toString('base64url'));
    }
  };

  /**
   * Adds an entry to a license's log; creates the log if there is none.
   *
   * @throws Fault when the entry is too long, or the log is damaged
   */
  const keepEvidence = async ({ licenseId, ...fact }: LicenseFact): Promise<KeptFact> => {
    const log =
      (await current.get(licenseId)) ??
      (await begin.get({ licenseId, publicId: newOpaqueId(), number: 1, at: fact.at }));
    if (log === undefined) throw new Fault('an evidence log could not be started');
    const { id: logId, size: position } = log;
    const text = entryText(fact);
    const bytes = Buffer.from(text);
    if (bytes.length > ENTRY_BYTES_MAX)
      throw new Fault(`an entry of evidence has at most ${ENTRY_BYTES_MAX} bytes`);
    const hash = leafHash(bytes);
    const encoded = hash.toString('base64url');
    await insert.run(logId, position, fact.type, fact.siteId, fact.at, text, encoded);
    await completeSubtrees(logId, position, hash);
    await grow.run({ at: fact.at, logId });
    return { logId, hash: encoded };
  };

  return {
    /** The current log of a license; undefined before its first entry. */
    currentLog: async (licenseId: number): Promise<LogHead | undefined> => current.get(licenseId),

    /** Begins a license's log, or the successor of another one. */
    beginLog: (named: { licenseId: number; publicId: string; number: number; at: number }) =>
      begin.get(named),

    keepEvidence,

    /** The public id of a license's site; null for a domain without reports. */
    siteIdOf: async (licenseId: number, domain: string): Promise<string | null> =>
      (await siteOf.get(licenseId, domain))?.publicId ?? null,
  };
});
