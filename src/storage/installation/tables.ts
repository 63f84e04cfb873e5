import { table } from '../engine/table.ts';

/** One row. Triggers count changes by any process here, so that caches notice. */
export const generations = table('generations', ({ int }) => ({
  id: int().primaryKey(),
  licenses: int().notNull(),
  feed: int().notNull(),
  mirror: int().notNull().default(0),
}));

/** Identifies the installation of the database; one row. */
export const installation = table('installation', ({ int, text }) => ({
  id: int().primaryKey(),
  /** The fingerprint of the `installation.key` of this database. */
  keyFingerprint: text('key_fingerprint').notNull(),
  /** The fingerprint of the evidence key, if several nodes share it; otherwise null. */
  evidenceFingerprint: text('evidence_fingerprint'),
}));

/** Backups that `redoubt backup create` created and has not removed. */
export const backups = table('backups', ({ id, int, flag, text }) => ({
  id: id(),
  at: int().notNull(),
  path: text().notNull().unique(),
  bytes: int().notNull(),
  encrypted: flag().notNull(),
  /** The time of the last check. */
  checkedAt: int('checked_at'),
  /** The problem that it found; null = none. */
  problem: text(),
}));
