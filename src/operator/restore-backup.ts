import { Fault, reasonOf } from '../lib/fault.ts';
import { oneAfterAnother } from '../lib/one-after-another.ts';
import type { PostgresAddress } from '../settings/database-address.ts';
import { type BackupFile, openBackupFile } from '../storage/backup/backup-file.ts';
import { BackupRefused } from '../storage/backup/backup-refused.ts';
import { holdRestoredKeys } from '../storage/backup/hold-restored-keys.ts';
import { type PreparedRestore, prepareRestore } from '../storage/backup/prepare-restore.ts';
import { prepareChanges } from '../storage/changes.ts';
import {
  claimDataDirectory,
  DataDirectoryUnusable,
  makeDataDirectory,
} from '../storage/engine/data-directory.ts';
import { type Database, disconnect } from '../storage/engine/database.ts';
import type { Job } from '../storage/engine/jobs/jobs.ts';
import { asOwner } from '../storage/engine/ownership.ts';
import { troubleOf } from '../storage/engine/trouble.ts';
import { decideRestore, discardPrepared, finishRestore } from '../storage/installation/pending-restore.ts';
import type { Directories } from '../storage/installation/postgres-installation.ts';
import { type Act, audited } from './act.ts';
import { beforeName } from './before-name.ts';

export interface RestoreBackupOptions {
  readonly directories: Directories;
  /** Of PostgreSQL; undefined = the database is in the data directory, as the keys are. */
  readonly address: PostgresAddress | undefined;
  readonly path: string;
  /** Private keys of age, for an encrypted one. */
  readonly identities?: readonly string[] | undefined;
  readonly onBytes?: ((done: number, all: number) => void) | undefined;
}

/** What was restored. */
export interface RestoredBackup extends PreparedRestore {
  /** For PostgreSQL: why the keys could not be compared with its database, or the restore not recorded there. */
  readonly untold: string | undefined;
}

/**
 * Replaces the content of a data directory by a backup, and keeps the old content in a directory next to it. All sessions end, and the
 * backup counts as the last one. With PostgreSQL only the keys are restored, and sessions continue. Nothing is changed unless the
 * backup is sound, and a process that ends in between leaves the one or the other.
 *
 * @throws BackupRefused, DataDirectoryUnusable when a server is running, DatabaseUnusable, Fault
 */
export async function restoreBackup(options: RestoreBackupOptions, act: Act): Promise<RestoredBackup> {
  const { directories, address, path, identities, onBytes } = options;
  const { data: dataDir, keys } = directories;
  const file = openBackupFile(path, { dataDir, identities });
  try {
    makeDataDirectory(dataDir);
    return await asOwner(dataDir, async () => {
      const release = claimDirectories(directories);
      let untold: string | undefined;
      try {
        finishRestore(keys);
        const prepared = await prepareRestore(file, {
          directory: keys,
          onBytes,
          before: beforeName(keys, 'restore', act.now),
          store: address
            ? {
                engine: 'postgresql',
                async hold(laid) {
                  untold = await holdRestoredKeys(address, laid);
                },
              }
            : {
                engine: 'sqlite',
                touch: (db, { created_at }) =>
                  settle(db, file, Date.parse(created_at), act, [{ name: 'endEverySession', input: {} }]),
              },
        });
        decideRestore(keys);
        if (address && untold === undefined)
          untold = await tell(directories, address, (db) =>
            settle(db, file, Date.parse(prepared.manifest.created_at), act),
          );
        return { ...prepared, untold };
      } catch (error) {
        if (error instanceof Fault || error instanceof DataDirectoryUnusable) throw error;
        throw new BackupRefused(
          `cannot restore it: ${troubleOf(error) ?? 'its database is not one of redoubt'}`,
        );
      } finally {
        discardPrepared(keys);
        release();
      }
    });
  } finally {
    file.close();
  }
}

/** Locks both, if the keys have a separate directory. */
function claimDirectories({ data, keys }: Directories): () => void {
  const releases = [claimDataDirectory(data)];
  try {
    if (keys !== data) {
      makeDataDirectory(keys);
      releases.push(claimDataDirectory(keys));
    }
  } catch (error) {
    releases[0]?.();
    throw error;
  }
  return () => {
    for (const release of releases) release();
  };
}

/** @returns why it could not be done, in words for the operator */
async function tell(
  directories: Directories,
  address: PostgresAddress,
  change: (db: Database) => Promise<void>,
): Promise<string | undefined> {
  try {
    const { openPostgresInstallation } = await import('../storage/installation/postgres-installation.ts');
    const db = await openPostgresInstallation(directories, address);
    try {
      await change(db);
    } finally {
      await disconnect(db);
    }
    return undefined;
  } catch (error) {
    // The restore is complete in any case.
    return reasonOf(error);
  }
}

/** What the database should know, which is put back itself where it is embedded. */
async function settle(
  db: Database,
  file: BackupFile,
  at: number,
  act: Act,
  more: readonly Job[] = [],
): Promise<void> {
  const { path, bytes, isEncrypted: encrypted } = file;
  const plan = audited(act, 'backup.restore', path, [
    { name: 'keepBackup', input: { path, at, bytes, encrypted } },
    ...more,
  ]);
  await prepareChanges(db)((run) => oneAfterAnother(plan.jobs, run));
}
