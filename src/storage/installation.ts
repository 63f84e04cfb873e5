import { existsSync } from 'node:fs';
import type { Log } from '../lib/log.ts';
import {
  databasePath,
  installationKeyPath,
  installationSecret,
  lockDataDirectory,
  prepareDataDirectory,
} from './data-directory.ts';
import { checkDatabase, DatabaseUnusable, databaseVersion, prepareDatabase } from './database.ts';
import { becomeOwner, closeToOthers } from './ownership.ts';

/** What stands in a data directory, taken by this process alone. */
export interface Installation {
  /** Of the database. */
  readonly path: string;
  readonly secret: Uint8Array;
  /** Gives the directory back. */
  release(): void;
}

/**
 * Takes a data directory for a server: closed to others, locked, with a sound database of this version in it.
 *
 * @throws DataDirectoryUnusable, DatabaseUnusable
 */
export function takeInstallation(directory: string, log: Log): Installation {
  prepareDataDirectory(directory);
  becomeOwner(directory);
  for (const path of closeToOthers(directory))
    log.warn('was open to other users and is closed now', { path });
  const release = lockDataDirectory(directory);
  const path = databasePath(directory);
  refuseLost(directory, path);
  prepareDatabase(path);
  checkDatabase(path);
  return { path, secret: installationSecret(directory), release };
}

/** Where a key is, there was a database: it is made before the key. */
function refuseLost(directory: string, path: string): void {
  const key = installationKeyPath(directory);
  if (databaseVersion(path) > 0 || !existsSync(key)) return;
  throw new DatabaseUnusable(
    `${path} is empty or missing, but ${key} shows that there was one: restore it from a backup`,
  );
}
