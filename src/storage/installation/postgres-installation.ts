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

/** Of commands and of a start: a statement of theirs may take longer than a request may wait. */
const PATIENT = { connectionsMax: 1, timeoutMs: 30_000 };
const LOOK_EVERY_MS = SECOND_MS;

/** Where an installation's files are whose database is elsewhere. */
export interface Directories {
  /** Of this node alone. */
  readonly data: string;
  /** Of the keys that all nodes have. */
  readonly keys: string;
}

/** A data directory beside a database elsewhere, taken by this process alone. */
export interface PostgresInstallation {
  readonly secret: Uint8Array;
  /** Gives the directory back. */
  release(): void;
}

export interface TakingOptions {
  readonly log: Log;
  /** Is told, in words that anybody may read, what is waited for. */
  readonly onWait: (why: string) => void;
}

/**
 * Takes a data directory for a server whose database is PostgreSQL's, which is waited for. An empty one is given its tables; an
 * older one is waited for until `redoubt migrate` was run. Its keys are made when the database has not been used with others.
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
    // Asked before the lock for changes, which a copy of the store holds.
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

/** Other nodes may serve by the older tables meanwhile. */
async function whenMigrated(db: Database, found: number, { log, onWait }: TakingOptions): Promise<void> {
  let version = found;
  for (let isTold = false; version < MIGRATIONS.length; isTold = true) {
    onWait('the database waits for "redoubt migrate"');
    if (!isTold)
      log.warn('the database has an older version; waiting for "redoubt migrate"', {
        version,
        latest: MIGRATIONS.length,
      });
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    // It may be away for a while, as for a restart.
    version = await postgresVersion(db).catch((error) => {
      if (isAway(error)) return version;
      throw error;
    });
  }
  refuseNewerPostgres(version);
}

/**
 * Makes what a first start would make, so that the keys can be copied to the other nodes before it. What is there stays.
 *
 * @returns the paths, or what it is, of what was made
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
 * Brings a database to this binary's version, beside servers of the older one or without any.
 *
 * @returns the version before
 * @throws ConfigRefused, DatabaseUnusable
 */
export const migratePostgresInstallation = (
  address: PostgresAddress,
  options: { readonly stopTheWorld: boolean },
): Promise<number> => examined(address, (db) => migratePostgres(db, options));

/**
 * Which version a database is of; 0 when it is empty.
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
 * Opens the database that a server made, for a command beside that server or without one.
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
