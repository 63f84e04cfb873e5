import { existsSync } from 'node:fs';
import type { Log } from '../../lib/log.ts';
import { removeAbandonedChecks } from '../backup/check-backup.ts';
import {
  DataDirectoryUnusable,
  databasePath,
  findDataDirectory,
  installationKeyPath,
  lockDataDirectory,
  makeDataDirectory,
  shareDataDirectory,
} from '../engine/data-directory.ts';
import { type Database, DatabaseUnusable } from '../engine/database.ts';
import { becomeOwner, closeToOthers } from '../engine/ownership.ts';
import { makeRoom } from '../engine/room.ts';
import {
  checkDatabase,
  connect,
  databaseVersion,
  type Migration,
  prepareDatabase,
  refuseNewer,
  refuseOtherVersion,
} from '../engine/sqlite/database.ts';
import { makeSecret, readSecret, rememberSecret } from './installation-key.ts';
import { discardPrepared, enter, isRestorePending } from './pending-restore.ts';

/** The contents of a data directory, locked by this process. */
export interface Installation {
  /** Of the database. */
  readonly path: string;
  readonly secret: Uint8Array;
  /** Unlocks the directory. */
  release(): void;
}

/**
 * Opens a data directory for a server: private, locked, with a sound database of this version and its key, which are created if
 * missing.
 *
 * @throws DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused
 */
export function takeInstallation(directory: string, log: Log): Installation {
  makeDataDirectory(directory);
  becomeOwner(directory);
  for (const path of closeToOthers(directory))
    log.warn('was open to other users; permissions corrected', { path });
  makeRoom(directory);
  const release = enter(directory, () => lockDataDirectory(directory));
  try {
    discardPrepared(directory);
    removeAbandonedChecks(directory);
    const path = databasePath(directory);
    const { secret, migration } = complete(directory);
    if (migration) log.info('the database was migrated', { ...migration });
    checkDatabase(path);
    return { path, secret, release };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Creates a data directory with its database and key. Keeps existing files; works next to a running server.
 *
 * @returns the created paths
 * @throws DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused
 */
export function makeInstallation(directory: string): string[] {
  const made = makeDataDirectory(directory) ? [directory] : [];
  becomeOwner(directory);
  share(directory);
  const path = databasePath(directory);
  const key = installationKeyPath(directory);
  for (let triesLeft = MAKING_TRIES; ; triesLeft -= 1) {
    const version = databaseVersion(path);
    if (version > 0) {
      refuseOtherVersion(path, version);
      if (readSecret(key, path)) return made;
    }
    const missing = version > 0 ? [key] : [path, key];
    try {
      locked(directory, () => complete(directory));
      return [...made, ...missing];
    } catch (error) {
      // Another process may be creating the same at this moment; then it exists.
      if (!(error instanceof DataDirectoryUnusable) || triesLeft === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MAKING_PAUSE_MS);
    }
  }
}

const MAKING_TRIES = 20;
const MAKING_PAUSE_MS = 100;

/**
 * Creates another key for a database that has lost its key, and migrates an older database. Identities derived from the lost
 * key change.
 *
 * @returns the path of the key
 * @throws DataDirectoryUnusable, DatabaseUnusable
 */
export function replaceKey(directory: string): string {
  const { path, version } = findInstallation(directory);
  refuseNewer(path, version);
  const key = installationKeyPath(directory);
  return locked(directory, () => {
    if (existsSync(key)) throw new DataDirectoryUnusable(`${key} exists. Move it away if it is unusable`);
    prepareDatabase(path);
    rememberSecret(path, makeSecret(key));
    return key;
  });
}

/**
 * Opens the database that a server or `redoubt init` created, for a command with or without a running server.
 *
 * @throws DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused
 */
export function openInstallation(directory: string): Database {
  const { path, version } = findInstallation(directory);
  refuseOtherVersion(path, version);
  readSecret(installationKeyPath(directory), path);
  return connect(path);
}

/**
 * Finds a database without changing it.
 *
 * @throws DataDirectoryUnusable, DatabaseUnusable
 */
export function findInstallation(directory: string): { path: string; version: number } {
  const path = databasePath(directory);
  if (findDataDirectory(directory)) {
    becomeOwner(directory);
    makeRoom(directory);
    if (existsSync(path) || isRestorePending(directory)) share(directory);
  }
  const version = databaseVersion(path);
  if (version > 0) return { path, version };
  throw new DataDirectoryUnusable(
    `there is no database in ${directory}. Set SERVICE_DATA_DIR, or SERVICE_CONFIG, as for the server, or create one with "redoubt init"`,
  );
}

/**
 * Migrates an unused database.
 *
 * @throws DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused
 */
export function migrateInstallation(directory: string): Migration | undefined {
  findInstallation(directory);
  return locked(directory, () => complete(directory).migration);
}

/** Shared locks, taken once by a process, until it ends. */
const shared = new Set<string>();

function share(directory: string): void {
  if (shared.has(directory)) return;
  enter(directory, () => shareDataDirectory(directory));
  shared.add(directory);
}

function locked<Value>(directory: string, work: () => Value): Value {
  const release = lockDataDirectory(directory);
  try {
    return work();
  } finally {
    release();
  }
}

/** Creates or migrates the database, then creates a missing key. */
function complete(directory: string): { secret: Uint8Array; migration: Migration | undefined } {
  const path = databasePath(directory);
  const key = installationKeyPath(directory);
  const version = databaseVersion(path);
  refuseNewer(path, version);
  if (version === 0 && existsSync(key)) {
    throw new DatabaseUnusable(
      `${path} is empty or missing, but ${key} shows that there was a database. Restore it from a backup, or move the key away to start over`,
    );
  }
  const known = version === 0 ? undefined : readSecret(key, path);
  const migration = prepareDatabase(path);
  const secret = known ?? makeSecret(key);
  rememberSecret(path, secret);
  return { secret, migration };
}
