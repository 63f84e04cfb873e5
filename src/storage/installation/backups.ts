import { desc, eq, inArray, isNull, notInArray } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { prepare } from '../engine/statement.ts';
import { portalSessions } from '../licenses/tables.ts';
import { operatorSessions } from '../operators/tables.ts';
import { backups } from './tables.ts';

/** More than any retention rule leaves. */
const KEPT_MAX = 200;

/** A backup of this installation that no command of ours has removed. */
export type KeptBackup = typeof backups.$inferSelect;

export type NewBackup = Pick<KeptBackup, 'at' | 'path' | 'bytes' | 'encrypted'>;

/** Reads the backups, the newest first. */
export const readBackups = (db: Database) => async (limit: number) =>
  db.select().from(backups).orderBy(desc(backups.at), desc(backups.id)).limit(limit).all();

export const readBackup = (db: Database) => async (id: number) =>
  db.select().from(backups).where(eq(backups.id, id)).get();

/** Reads the newest backup whose last check found no problem, or that was never checked. */
export function readLastBackup(db: Database): () => Promise<KeptBackup | undefined> {
  const newest = lazily(() =>
    db
      .select()
      .from(backups)
      .where(isNull(backups.problem))
      .orderBy(desc(backups.at), desc(backups.id))
      .limit(1)
      .prepare(),
  );
  return async () => newest.get();
}

/**
 * Reads since when there is data to lose: the moment of the oldest license or act, in milliseconds since the Unix epoch;
 * undefined without any.
 */
export function readFirstMoment(db: Database): () => Promise<number | undefined> {
  const first = prepare<{ first: number | null }>(
    db,
    `
    select min(at) as first from (
      select created_at as at from licenses where id = (select min(id) from licenses)
      union all select at from audit_log where id = (select min(id) from audit_log)
    ) as moments
    `,
  );
  return async () => (await first.get())?.first ?? undefined;
}

export function backupJobs(db: Database) {
  return {
    /** Stores a backup; replaces an earlier one at the same path. */
    async keepBackup(backup: NewBackup): Promise<void> {
      await db.delete(backups).where(eq(backups.path, backup.path)).run();
      await db.insert(backups).values(backup).run();
      const newest = db
        .select({ id: backups.id })
        .from(backups)
        .orderBy(desc(backups.at), desc(backups.id))
        .limit(KEPT_MAX);
      await db.delete(backups).where(notInArray(backups.id, newest)).run();
    },

    /** Stores the result of a backup's check. */
    async noteBackupCheck({
      id,
      at,
      problem,
    }: {
      id: number;
      at: number;
      problem: string | null;
    }): Promise<void> {
      await db.update(backups).set({ checkedAt: at, problem }).where(eq(backups.id, id)).run();
    },

    /** Deletes the records of removed backups. */
    async forgetBackups({ paths }: { paths: readonly string[] }): Promise<void> {
      await db
        .delete(backups)
        .where(inArray(backups.path, [...paths]))
        .run();
    },

    /** Ends all sessions: a restored database contains sessions that have ended since. */
    async endEverySession(_: Readonly<Record<string, never>>): Promise<void> {
      await db.delete(operatorSessions).run();
      await db.delete(portalSessions).run();
    },
  };
}
