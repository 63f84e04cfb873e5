import { table } from '../engine/table.ts';

/** One row. Triggers count every change here, whichever process made it, so that caches notice. */
export const generations = table('generations', ({ int }) => ({
  id: int().primaryKey(),
  licenses: int().notNull(),
  feed: int().notNull(),
  mirror: int().notNull().default(0),
}));

/** What a database remembers of the installation that it belongs to; one row. */
export const installation = table('installation', ({ int, text }) => ({
  id: int().primaryKey(),
  /** Tells whether `installation.key` is the one that this database was used with. */
  keyFingerprint: text('key_fingerprint').notNull(),
  /** The same of the key that signs the evidence, where several nodes are to have it; else null. */
  evidenceFingerprint: text('evidence_fingerprint'),
}));

/** Those that `redoubt backup create` made and has not removed. */
export const backups = table('backups', ({ id, int, flag, text }) => ({
  id: id(),
  at: int().notNull(),
  path: text().notNull().unique(),
  bytes: int().notNull(),
  encrypted: flag().notNull(),
  /** When it was looked through last. */
  checkedAt: int('checked_at'),
  /** What was the matter with it then; null = nothing. */
  problem: text(),
}));
