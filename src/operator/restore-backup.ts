import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isoInName } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import { oneAfterAnother } from '../lib/one-after-another.ts';
import { type BackupFile, openBackupFile } from '../storage/backup/backup-file.ts';
import { BackupRefused } from '../storage/backup/backup-refused.ts';
import { type PreparedRestore, prepareRestore } from '../storage/backup/prepare-restore.ts';
import {
  claimDataDirectory,
  DataDirectoryUnusable,
  makeDataDirectory,
} from '../storage/engine/data-directory.ts';
import type { Database } from '../storage/engine/database.ts';
import { asOwner } from '../storage/engine/ownership.ts';
import { troubleOf } from '../storage/engine/trouble.ts';
import { prepareChanges } from '../storage/engine/writer.ts';
import { decideRestore, discardPrepared, finishRestore } from '../storage/pending-restore.ts';
import { type Act, audited } from './act.ts';

const NAMES_MAX = 1_000;

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
  const file = openBackupFile(path, { dataDir, identities });
  try {
    makeDataDirectory(dataDir);
    return await asOwner(dataDir, async () => {
      const release = claimDataDirectory(dataDir);
      try {
        finishRestore(dataDir);
        const prepared = await prepareRestore(file, {
          ...{ dataDir, onBytes },
          before: beforeName(dataDir, act.now),
          touch: (db, { created_at }) => settle(db, file, Date.parse(created_at), act),
        });
        decideRestore(dataDir);
        return prepared;
      } catch (error) {
        if (error instanceof Fault || error instanceof DataDirectoryUnusable) throw error;
        throw new BackupRefused(
          `it cannot be restored, because ${troubleOf(error) ?? 'its database is not as redoubt makes it'}`,
        );
      } finally {
        discardPrepared(dataDir);
        release();
      }
    });
  } finally {
    file.close();
  }
}

/** One that is not there: several restores may be made in one second, or the clock be set back. */
function beforeName(dataDir: string, now: number): string {
  const name = `before-restore-${isoInName(now)}`;
  const names = [name, ...Array.from({ length: NAMES_MAX }, (_, at) => `${name}-${at + 2}`)];
  const free = names.find((one) => !existsSync(join(dataDir, one)));
  if (free === undefined)
    throw new BackupRefused(`${join(dataDir, name)} and its like are there: move them away`);
  return free;
}

/** What the database that is put back should know. */
async function settle(db: Database, file: BackupFile, at: number, act: Act): Promise<void> {
  const { path, bytes, isEncrypted: encrypted } = file;
  const plan = audited(act, 'backup.restore', path, [
    { name: 'keepBackup', input: { path, at, bytes, encrypted } },
    { name: 'endEverySession', input: {} },
  ]);
  await prepareChanges(db)((run) => oneAfterAnother(plan.jobs, run));
}
