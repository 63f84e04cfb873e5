import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { flush, linkOrCopy } from '../../lib/lay-file.ts';
import { claimDataDirectory, databasePath } from '../engine/data-directory.ts';
import { DatabaseUnusable } from '../engine/database.ts';
import { checkDatabase, copyBeforePath, databaseVersion } from '../engine/sqlite/database.ts';
import {
  decideRestore,
  discardPrepared,
  finishRestore,
  type PendingRestore,
  PLAN_FILE,
  preparedPath,
} from './pending-restore.ts';

/** A database newer than an executable, and the copy from before its migration. */
export interface DatabaseBefore {
  readonly version: number;
  readonly copy: string;
}

/**
 * Finds the database that an older executable would need.
 *
 * @param latest the newest version that it supports
 * @returns undefined when it can use the current one
 * @throws DatabaseUnusable when it cannot, and there is no sound copy for it
 */
export function findDatabaseBefore(directory: string, latest: number): DatabaseBefore | undefined {
  const path = databasePath(directory);
  const version = databaseVersion(path);
  if (version <= latest) return undefined;
  const copy = copyBeforePath(path, version);
  const copied = databaseVersion(copy);
  if (copied === 0 || copied > latest)
    throw new DatabaseUnusable(
      `${path} has version ${version}, newer than the previous executable supports, and ${copy} is not usable either. Restore a backup of that version with it`,
    );
  checkDatabase(copy);
  return { version, copy };
}

/**
 * Restores the copy from before a migration, while no server uses the directory. Keeps the replaced files. If the process ends
 * in between, either the old or the new state is left.
 *
 * @param before the directory, in the data directory, for replaced files; it must not exist
 * @throws DataDirectoryUnusable, DatabaseUnusable
 */
export function putDatabaseBack(directory: string, { copy }: DatabaseBefore, before: string): void {
  const release = claimDataDirectory(directory);
  try {
    finishRestore(directory);
    discardPrepared(directory);
    const name = basename(databasePath(directory));
    const prepared = preparedPath(directory);
    mkdirSync(prepared, { mode: 0o700 });
    // The disk may lack room for another copy.
    linkOrCopy(copy, join(prepared, name));
    const replaced = ['-wal', '-shm', '-journal', '']
      .map((suffix) => name + suffix)
      .filter((one) => existsSync(join(directory, one)));
    const plan: PendingRestore = { before, replaced, laid: [name] };
    writeFileSync(join(prepared, PLAN_FILE), JSON.stringify(plan), { mode: 0o600 });
    for (const one of [name, PLAN_FILE, '.']) flush(join(prepared, one));
    decideRestore(directory);
    // It is the database itself now, which changes.
    rmSync(copy);
  } finally {
    discardPrepared(directory);
    release();
  }
}
