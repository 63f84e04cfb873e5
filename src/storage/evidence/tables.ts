import type { EvidenceType } from '../../domain/evidence/entry.ts';
import { table } from '../engine/table.ts';
import { licenses } from '../licenses/tables.ts';

/** The histories of licenses, of which a license has one that goes on. */
export const evidenceLogs = table(
  'evidence_logs',
  ({ id, int, text }) => ({
    id: id(),
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    /** Stands in its origin: chance, which tells nothing of the license. */
    publicId: text('public_id').notNull(),
    /** 1, or the one after that of the log that it continues. */
    number: int().notNull(),
    /** What checkpoints call it by; null until the first is signed. */
    origin: text(),
    /** Entries. */
    size: int().notNull().default(0),
    beganAt: int('began_at').notNull(),
    /** Of the newest entry; no entry is older than the one before. */
    lastAt: int('last_at').notNull(),
    /** Of the oldest entry whose text is kept; null = none is. */
    keptAt: int('kept_at'),
    /** Which entry that is. */
    keptFrom: int('kept_from').notNull().default(0),
    /** When another one took its place; null = it goes on. */
    endedAt: int('ended_at'),
    /** The snapshot of vulnerability data that an entry spoke of last. */
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
    /** Null once it was forgotten; its hash stays. */
    entry: text(),
    /** Of the leaf, in base64url. */
    hash: text().notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.logId, of.position] })],
);

/** Hashes of the full subtrees over two leaves and more, in base64url. */
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

/** Every state of a log that was signed. */
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
