import { existsSync, statSync } from 'node:fs';
import { iso } from '../lib/clock.ts';
import { type BackupFile, openBackupFile } from '../storage/backup/backup-file.ts';
import { discardPrepared, type PreparedRestore, prepareRestore } from '../storage/backup/prepare-restore.ts';
import { readBackups } from '../storage/backups.ts';
import { lockDataDirectory, makeDataDirectory } from '../storage/engine/data-directory.ts';
import type { Database } from '../storage/engine/database.ts';
import { asOwner } from '../storage/engine/ownership.ts';
import { prepareChanges } from '../storage/engine/writer.ts';
import { decideRestore, finishRestore } from '../storage/pending-restore.ts';
import { type Act, audited } from './act.ts';

/** More than are ever remembered. */
const BACKUPS_MAX = 1_000;

export interface RestoreBackupOptions {
  readonly dataDir: string;
  readonly path: string;
  /** Private keys of age, for an encrypted one. */
  readonly identities?: readonly string[] | undefined;
  readonly onBytes?: ((done: number, all: number) => void) | undefined;
}

/**
 * Puts a backup in place of what a data directory holds, which is kept in a directory beside it. Everybody signs in anew, and the
 * backup counts as the last one. Nothing is changed unless the backup is sound, and a process that ends in between leaves the
 * one or the other.
 *
 * @throws BackupRefused, DataDirectoryUnusable when a server is running, DatabaseUnusable, Fault
 */
export async function restoreBackup(options: RestoreBackupOptions, act: Act): Promise<PreparedRestore> {
  const { dataDir, path, identities, onBytes } = options;
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  const file = openBackupFile(path, { trusted: owner === undefined ? [] : [owner], identities });
  try {
    makeDataDirectory(dataDir);
    return await asOwner(dataDir, async () => {
      const release = lockDataDirectory(dataDir);
      try {
        finishRestore(dataDir);
        const prepared = await prepareRestore(file, {
          ...{ dataDir, onBytes },
          before: beforeName(act.now),
          touch: (db, { created_at }) => settle(db, file, Date.parse(created_at), act),
        });
        decideRestore(dataDir);
        return prepared;
      } finally {
        discardPrepared(dataDir);
        release();
      }
    });
  } finally {
    file.close();
  }
}

const beforeName = (now: number): string => `before-restore-${iso(now).replace(/[-:]|[.]\d+/g, '')}`;

/** What the database that is put back should know. */
async function settle(db: Database, file: BackupFile, at: number, act: Act): Promise<void> {
  const { path, bytes, isEncrypted: encrypted } = file;
  const known = (await readBackups(db)(BACKUPS_MAX)).map((backup) => backup.path);
  const gone = known.filter((one) => !existsSync(one));
  const plan = audited(act, 'backup.restore', path, [
    { name: 'forgetBackups', input: { paths: gone } },
    { name: 'keepBackup', input: { path, at, bytes, encrypted } },
    { name: 'endEverySession', input: {} },
  ]);
  await prepareChanges(db)(async (run) => plan.jobs.map(run));
}
