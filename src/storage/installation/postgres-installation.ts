import { mkdirSync } from 'node:fs';
import { SECOND_MS } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { PostgresAddress } from '../../settings/database-address.ts';
import { removeAbandonedChecks } from '../backup/check-backup.ts';
import {
  findDataDirectory,
  lockDataDirectory,
  makeDataDirectory,
  orUnusable,
} from '../engine/data-directory.ts';
import { type Database, DatabaseUnusable, disconnect, isAway } from '../engine/database.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { becomeOwner, closeToOthers } from '../engine/ownership.ts';
import { connectPostgres } from '../engine/postgres/database.ts';
import { migratePostgres, postgresVersion, refuseNewerPostgres } from '../engine/postgres/migrate.ts';
import { examineServer, orConfigRefused, whenReachable } from '../engine/postgres/server.ts';
import { enter, finishAlone } from './pending-restore.ts';
import { makeSharedKeys, refuseOtherKey, sharedKeys } from './shared-keys.ts';

/** For commands and a start, whose statements may take longer than those of requests. */
const PATIENT = { connectionsMax: 1, timeoutMs: 30_000 };
const LOOK_EVERY_MS = SECOND_MS;

/** The directories of an installation with an external database. */
export interface Directories {
  /** Of this node alone. */
  readonly data: string;
  /** Of the keys shared by all nodes. */
  readonly keys: string;
}

/** A data directory with an external database, locked by this process. */
export interface PostgresInstallation {
  readonly secret: Uint8Array;
  /** Unlocks the directory. */
  release(): void;
}

export interface TakingOptions {
  readonly log: Log;
  /** Receives the reason for waiting, in words without secrets. */
  readonly onWait: (why: string) => void;
}

/**
 * Opens a data directory for a server with PostgreSQL, after waiting for the database. Creates the tables of an empty one;
 * waits for `redoubt migrate` of an older one. Creates the keys when the database has not been used with others.
 *
 * @throws ConfigRefused, DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused
 */
export async function takePostgresInstallation(
  directories: Directories,
  address: PostgresAddress,
  { log, onWait }: TakingOptions,
): Promise<PostgresInstallation> {
  makeDataDirectory(directories.data);
  becomeOwner(directories.data);
  for (const path of closeToOthers(directories.data))
    log.warn('was open to other users; permissions corrected', { path });
  const release = enter(directories.keys, () => lockDataDirectory(directories.data));
  removeAbandonedChecks(directories.data);
  const db = connectPostgres(address, PATIENT);
  try {
    await whenReachable(db, address, { log, onWait });
    await examineServer(db, address);
    // Read before taking the lock of changes, which a copy of the store holds.
    const found = await postgresVersion(db);
    refuseNewerPostgres(found);
    const version = found === 0 ? await migratePostgres(db, { mayMigrate: (now) => now === 0 }) : found;
    if (version === 0) log.info('the tables were created', { version: MIGRATIONS.length });
    else await whenMigrated(db, version, { log, onWait });
    return { secret: await sharedKeys(db, makeKeysDirectory(directories)), release };
  } catch (error) {
    release();
    throw orConfigRefused(error);
  } finally {
    await disconnect(db);
  }
}

/** Other nodes may serve with the older tables in the meantime. */
async function whenMigrated(db: Database, found: number, { log, onWait }: TakingOptions): Promise<void> {
  let version = found;
  for (let isLogged = false; version < MIGRATIONS.length; isLogged = true) {
    onWait('the database waits for "redoubt migrate"');
    if (!isLogged)
      log.warn('the database has an older version; waiting for "redoubt migrate"', {
        version,
        latest: MIGRATIONS.length,
      });
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    // It may be unavailable for a while, as during a restart.
    version = await postgresVersion(db).catch((error) => {
      if (isAway(error)) return version;
      throw error;
    });
  }
  refuseNewerPostgres(version);
}

/**
 * Creates what a first start would create, so that the keys can be copied to the other nodes first. Keeps existing files.
 *
 * @returns the paths or names of what was created
 * @throws ConfigRefused, DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused
 */
export async function makePostgresInstallation(
  directories: Directories,
  address: PostgresAddress,
  { newKey }: { readonly newKey: boolean },
): Promise<string[]> {
  const made = makeDataDirectory(directories.data) ? [directories.data] : [];
  becomeOwner(directories.data);
  finishAlone(directories.keys);
  return examined(address, async (db) => {
    const version = await migratePostgres(db, { mayMigrate: (found) => found === 0 });
    if (version === 0) made.push('the tables of the database');
    else refuseOlder(version);
    return [...made, ...(await makeSharedKeys(db, makeKeysDirectory(directories), { newKey }))];
  });
}

/**
 * Migrates a database to this binary's version, with or without running servers of the older one.
 *
 * @returns the previous version
 * @throws ConfigRefused, DatabaseUnusable
 */
export const migratePostgresInstallation = (
  address: PostgresAddress,
  options: { readonly stopTheWorld: boolean },
): Promise<number> => examined(address, (db) => migratePostgres(db, options));

/**
 * The version of a database; 0 when it is empty.
 *
 * @throws ConfigRefused, DatabaseUnusable
 */
export const lookAtPostgres = (address: PostgresAddress): Promise<number> =>
  examined(address, async (db) => {
    const version = await postgresVersion(db);
    refuseNewerPostgres(version);
    return version;
  });

async function examined<Value>(
  address: PostgresAddress,
  use: (db: Database) => Promise<Value>,
): Promise<Value> {
  const db = connectPostgres(address, PATIENT);
  try {
    await examineServer(db, address);
    return await use(db);
  } catch (error) {
    throw orConfigRefused(error);
  } finally {
    await disconnect(db);
  }
}

function makeKeysDirectory({ keys }: Directories): string {
  orUnusable(`cannot create ${keys}`, () => mkdirSync(keys, { recursive: true, mode: 0o700 }));
  return keys;
}

/**
 * Opens the database that a server created, for a command with or without a running server.
 *
 * @throws ConfigRefused, DatabaseUnusable, InstallationKeyRefused
 */
export async function openPostgresInstallation(
  directories: Directories,
  address: PostgresAddress,
): Promise<Database> {
  if (findDataDirectory(directories.data)) becomeOwner(directories.data);
  finishAlone(directories.keys);
  const db = connectPostgres(address, PATIENT);
  try {
    await examineServer(db, address);
    const version = await postgresVersion(db);
    if (version === 0)
      throw new DatabaseUnusable(
        'the database that SERVICE_DATABASE_URL names is empty. Create its tables with "redoubt init", or start the server',
      );
    refuseNewerPostgres(version);
    refuseOlder(version);
    await refuseOtherKey(db, directories.keys);
    return db;
  } catch (error) {
    await disconnect(db);
    throw error;
  }
}

/** @throws DatabaseUnusable when a database is of an older version than this binary */
export function refuseOlder(version: number): void {
  if (version === MIGRATIONS.length) return;
  throw new DatabaseUnusable(
    `the database has version ${version}, but this executable requires ${MIGRATIONS.length}. Use the older redoubt, or run "redoubt migrate"`,
  );
}
