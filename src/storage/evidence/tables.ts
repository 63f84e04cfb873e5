import type { EvidenceType } from '../../domain/evidence/entry.ts';
import { table } from '../engine/table.ts';
import { licenses } from '../licenses/tables.ts';

/** The histories of licenses; each license has one current log. */
export const evidenceLogs = table(
  'evidence_logs',
  ({ id, int, text }) => ({
    id: id(),
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    /** Part of its origin: random, so it reveals nothing about the license. */
    publicId: text('public_id').notNull(),
    /** 1, or the predecessor's number plus 1. */
    number: int().notNull(),
    /** Its name in checkpoints; null until the first is signed. */
    origin: text(),
    /** Number of entries. */
    size: int().notNull().default(0),
    beganAt: int('began_at').notNull(),
    /** Of the newest entry; entries are in order of time. */
    lastAt: int('last_at').notNull(),
    /** Of the oldest entry with a stored text; null = none. */
    keptAt: int('kept_at'),
    /** The position of that entry. */
    keptFrom: int('kept_from').notNull().default(0),
    /** When its successor began; null = it is the current one. */
    endedAt: int('ended_at'),
    /** The snapshot of vulnerability data in the last entry that named one. */
    mirrorSnapshot: text('mirror_snapshot'),
  }),
  (of, { index, uniqueIndex }) => [
    uniqueIndex('evidence_logs_license_number').on(of.licenseId, of.number),
    index('evidence_logs_kept_at').on(of.keptAt),
  ],
);

export const evidenceEntries = table(
  'evidence_entries',
  ({ int, text }) => ({
    logId: int('log_id')
      .notNull()
      .references(() => evidenceLogs.id),
    position: int().notNull(),
    type: text().$type<EvidenceType>().notNull(),
    /** A site's public id. */
    site: text(),
    at: int().notNull(),
    /** Null after deletion; its hash stays. */
    entry: text(),
    /** Of the leaf, in base64url. */
    hash: text().notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.logId, of.position] })],
);

/** Hashes of the full subtrees over two or more leaves, in base64url. */
export const evidenceNodes = table(
  'evidence_nodes',
  ({ int, text }) => ({
    logId: int('log_id')
      .notNull()
      .references(() => evidenceLogs.id),
    level: int().notNull(),
    position: int().notNull(),
    hash: text().notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.logId, of.level, of.position] })],
);

/** The signed states of logs. */
export const evidenceCheckpoints = table(
  'evidence_checkpoints',
  ({ int, text }) => ({
    logId: int('log_id')
      .notNull()
      .references(() => evidenceLogs.id),
    size: int().notNull(),
    signedAt: int('signed_at').notNull(),
    note: text().notNull(),
    /** The public key that signed it. */
    vkey: text().notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.logId, of.size] })],
);
