import { existsSync } from 'node:fs';
import type { Log } from '../lib/log.ts';
import {
  DataDirectoryUnusable,
  databasePath,
  findDataDirectory,
  installationKeyPath,
  installationSecret,
  lockDataDirectory,
  makeDataDirectory,
} from './data-directory.ts';
import {
  checkDatabase,
  connect,
  type Database,
  DatabaseUnusable,
  databaseVersion,
  type Migration,
  prepareDatabase,
  refuseOtherVersion,
} from './database.ts';
import { becomeOwner, closeToOthers } from './ownership.ts';
import { makeRoom } from './room.ts';

/** What stands in a data directory, taken by this process alone. */
export interface Installation {
  /** Of the database. */
  readonly path: string;
  readonly secret: Uint8Array;
  /** Gives the directory back. */
  release(): void;
}

/**
 * Takes a data directory for a server: closed to others, locked, with a sound database of this version in it, which is made
 * where there is none.
 *
 * @throws DataDirectoryUnusable, DatabaseUnusable
 */
export function takeInstallation(directory: string, log: Log): Installation {
  makeDataDirectory(directory);
  becomeOwner(directory);
  for (const path of closeToOthers(directory))
    log.warn('was open to other users and is closed now', { path });
  makeRoom(directory);
  const release = lockDataDirectory(directory);
  const path = databasePath(directory);
  refuseLost(directory, path);
  const migration = prepareDatabase(path);
  if (migration) log.info('the database was migrated', { ...migration });
  checkDatabase(path);
  return { path, secret: installationSecret(directory), release };
}

/**
 * Makes a data directory with its database and key. What is there stays as it is, also beside a running server.
 *
 * @returns the paths of what was made
 * @throws DataDirectoryUnusable, DatabaseUnusable
 */
export function makeInstallation(directory: string): string[] {
  const made = makeDataDirectory(directory) ? [directory] : [];
  becomeOwner(directory);
  const path = databasePath(directory);
  const key = installationKeyPath(directory);
  const version = databaseVersion(path);
  if (version > 0) refuseOtherVersion(path, version);
  const missing = [...(version === 0 ? [path] : []), ...(existsSync(key) ? [] : [key])];
  if (missing.length === 0) return made;
  const release = lockDataDirectory(directory);
  try {
    refuseLost(directory, path);
    prepareDatabase(path);
    installationSecret(directory);
    return [...made, ...missing];
  } finally {
    release();
  }
}

/**
 * Opens the database that a server or `redoubt init` made, for a command beside that server or without one.
 *
 * @throws DataDirectoryUnusable, DatabaseUnusable
 */
export function openInstallation(directory: string): Database {
  const { path, version } = findInstallation(directory);
  refuseOtherVersion(path, version);
  return connect(path);
}

/**
 * Finds a database without touching it.
 *
 * @throws DataDirectoryUnusable, DatabaseUnusable
 */
export function findInstallation(directory: string): { path: string; version: number } {
  const path = databasePath(directory);
  if (findDataDirectory(directory)) {
    becomeOwner(directory);
    makeRoom(directory);
  }
  const version = databaseVersion(path);
  if (version > 0) return { path, version };
  throw new DataDirectoryUnusable(
    `there is no database in ${directory}: set SERVICE_DATA_DIR, or SERVICE_CONFIG, as the server has it, or make a new one with "redoubt init"`,
  );
}

/**
 * Migrates the database that no server is using.
 *
 * @throws DataDirectoryUnusable, DatabaseUnusable
 */
export function migrateInstallation(directory: string): Migration | undefined {
  const { path } = findInstallation(directory);
  const release = lockDataDirectory(directory);
  try {
    return prepareDatabase(path);
  } finally {
    release();
  }
}

/** Where a key is, there was a database: it is made before the key. */
function refuseLost(directory: string, path: string): void {
  const key = installationKeyPath(directory);
  if (databaseVersion(path) > 0 || !existsSync(key)) return;
  throw new DatabaseUnusable(
    `${path} is empty or missing, but ${key} shows that there was one: restore it from a backup, or move the key away to begin anew`,
  );
}
