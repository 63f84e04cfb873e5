import { existsSync } from 'node:fs';
import { createIdentities } from '../domain/identity.ts';
import type { Log } from '../lib/log.ts';
import type { PostgresAddress } from '../settings/database-address.ts';
import {
  findDataDirectory,
  installationKeyPath,
  lockDataDirectory,
  makeDataDirectory,
} from './engine/data-directory.ts';
import { type Database, DatabaseUnusable, disconnect } from './engine/database.ts';
import { MIGRATIONS } from './engine/migrations.ts';
import { becomeOwner, closeToOthers } from './engine/ownership.ts';
import { connectPostgres } from './engine/postgres/database.ts';
import { migratePostgres, postgresVersion, refuseNewerPostgres } from './engine/postgres/migrate.ts';
import { examineServer, orConfigRefused, whenReachable } from './engine/postgres/server.ts';
import { prepare } from './engine/statement.ts';
import { InstallationKeyRefused, makeSecret, secretIn } from './installation-key.ts';

/** Of commands and of a start: a statement of theirs may take longer than a request may wait. */
const PATIENT = { connectionsMax: 1, timeoutMs: 30_000 };

/** A data directory beside a database elsewhere, taken by this process alone. */
export interface PostgresInstallation {
  readonly secret: Uint8Array;
  /** Gives the directory back. */
  release(): void;
}

/**
 * Takes a data directory for a server whose database is PostgreSQL's, which is waited for and, where it is empty, given its tables; its
 * key is made when the database has not been used with another one.
 *
 * @throws ConfigRefused, DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused
 */
export async function takePostgresInstallation(
  directory: string,
  address: PostgresAddress,
  log: Log,
): Promise<PostgresInstallation> {
  makeDataDirectory(directory);
  becomeOwner(directory);
  for (const path of closeToOthers(directory))
    log.warn('was open to other users and is closed now', { path });
  const release = lockDataDirectory(directory);
  const db = connectPostgres(address, PATIENT);
  try {
    await whenReachable(db, log);
    await examineServer(db);
    const version = await migratePostgres(db, (found) => found === 0);
    if (version === 0) log.info('the tables were made', { version: MIGRATIONS.length });
    else refuseOlder(version);
    return { secret: await secretFor(db, installationKeyPath(directory)), release };
  } catch (error) {
    release();
    throw orConfigRefused(error);
  } finally {
    await disconnect(db);
  }
}

/**
 * Opens the database that a server made, for a command beside that server or without one.
 *
 * @throws ConfigRefused, DatabaseUnusable, InstallationKeyRefused
 */
export async function openPostgresInstallation(
  directory: string,
  address: PostgresAddress,
): Promise<Database> {
  if (findDataDirectory(directory)) becomeOwner(directory);
  const key = installationKeyPath(directory);
  const db = connectPostgres(address, PATIENT);
  try {
    await examineServer(db);
    const version = await postgresVersion(db);
    if (version === 0)
      throw new DatabaseUnusable(
        'there is nothing in the database that SERVICE_DATABASE_URL names: start the server once, which makes its tables',
      );
    refuseNewerPostgres(version);
    refuseOlder(version);
    refuseOtherKey(await knownFingerprint(db), secretIn(key), key);
    return db;
  } catch (error) {
    await disconnect(db);
    throw error;
  }
}

function refuseOlder(version: number): void {
  if (version === MIGRATIONS.length) return;
  throw new DatabaseUnusable(
    `the database is of version ${version}, older than this binary's ${MIGRATIONS.length}: use the older redoubt`,
  );
}

const knownFingerprint = async (db: Database): Promise<string | undefined> =>
  (
    await prepare<{ fingerprint: string }>(
      db,
      'select key_fingerprint as fingerprint from installation',
    ).get()
  )?.fingerprint;

/** The key of the database, made and remembered where it had none yet. */
async function secretFor(db: Database, path: string): Promise<Uint8Array> {
  const known = await knownFingerprint(db);
  const found = secretIn(path);
  if (known !== undefined) return refuseOtherKey(known, found, path);
  const secret = found ?? makeSecret(path);
  await prepare(
    db,
    'insert into installation (id, key_fingerprint) values (1, ?) on conflict (id) do nothing',
  ).run(fingerprintOf(secret));
  return refuseOtherKey(await knownFingerprint(db), secret, path);
}

function refuseOtherKey(known: string | undefined, secret: Uint8Array | undefined, path: string): Uint8Array {
  if (secret !== undefined && (known === undefined || known === fingerprintOf(secret))) return secret;
  const what = existsSync(path) ? 'is not the key that the database was used with' : 'is missing';
  throw new InstallationKeyRefused(`${path} ${what}: copy it from where the database was used before`);
}

const fingerprintOf = (secret: Uint8Array): string => createIdentities(secret).keyFingerprint;
