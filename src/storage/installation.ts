import type { Log } from '../lib/log.ts';
import {
  databasePath,
  installationSecret,
  lockDataDirectory,
  prepareDataDirectory,
} from './data-directory.ts';
import { checkDatabase, prepareDatabase } from './database.ts';
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
  prepareDatabase(path);
  checkDatabase(path);
  return { path, secret: installationSecret(directory), release };
}
