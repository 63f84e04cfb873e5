import { accessSync, constants, existsSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { drizzle } from 'drizzle-orm/node-sqlite';
import { removeAbandoned } from '../../../lib/abandoned.ts';
import { SECOND_MS } from '../../../lib/clock.ts';
import type { Connection, Statement } from '../connection.ts';
import { createPrivate } from '../data-directory.ts';
import { type Database, DatabaseUnusable, type Queries } from '../database.ts';
import { lazily } from '../lazily.ts';
import { MIGRATION_NAMES, MIGRATIONS } from '../migrations.ts';
import { openingWords, wordsFor } from '../trouble.ts';
import { clientOf, type SqliteDatabase } from './client.ts';
import { sqliteDialect } from './dialect.ts';
import { closing, openToLook, type UseClient } from './look.ts';
import { type MigrationRoom, migrationRoom, writeCopy } from './migration-copy.ts';

const BUSY_TIMEOUT_MS = 5_000;
const PROBE = 'BEGIN IMMEDIATE; COMMIT';
/** Changes nothing, but flushes a transaction to the disk. */
const PROBE_WRITING = 'BEGIN IMMEDIATE; UPDATE generations SET licenses = licenses; COMMIT';
const WAL_BYTES_KEPT = 64 * 1024 * 1024;

/**
 * Opens a connection. A committed change is on disk: WAL with `synchronous=FULL` flushes each commit. Changed and deleted
 * content is overwritten in its page.
 *
 * @throws DatabaseUnusable
 */
export function connect(path: string): SqliteDatabase {
  return worded(path, 'open', () => {
    const client = new DatabaseSync(path);
    client.exec(`
      PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA journal_size_limit = ${WAL_BYTES_KEPT};
      PRAGMA trusted_schema = OFF;
      PRAGMA secure_delete = FAST;
    `);
    return overClient(client);
  });
}

function overClient(client: DatabaseSync): SqliteDatabase {
  const connection: Connection = {
    prepare: <Row>(text: string) => lazily(() => client.prepare(text) as unknown as Statement<Row>),
    execute: (text) => client.exec(text),
    beginReading: () => client.exec('BEGIN'),
    beginChanging: () => client.exec('BEGIN IMMEDIATE'),
    commit: () => client.exec('COMMIT'),
    rollback() {
      if (client.isTransaction) client.exec('ROLLBACK');
    },
    async attempt(statement) {
      try {
        await statement();
        return true;
      } catch {
        return false;
      }
    },
    probe: (write) => client.exec(write ? PROBE_WRITING : PROBE),
    truncateLog: () => client.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
    close: () => client.close(),
  };
  // The results may be immediate or promises, which is less than Drizzle's type states.
  const queries = drizzle({ client }) as unknown as Pick<SqliteDatabase, '$client'> & Queries;
  return Object.assign(queries, { sqlDialect: sqliteDialect, connection });
}

/**
 * The version of the database at a path, its number of migrations; 0 when it is empty or missing.
 *
 * @throws DatabaseUnusable when the file is unreadable or not a database of ours
 */
export function databaseVersion(path: string, use?: UseClient): number {
  if (!existsSync(path)) return 0;
  const held = (client: DatabaseSync) => {
    // In this order: another process may be creating it at this moment.
    const isEmpty = client.prepare('select 1 from sqlite_master').get() === undefined;
    const version = userVersion(client);
    if (version === 0 && !isEmpty) {
      throw new DatabaseUnusable(
        `${path} is not a database of redoubt. Set SERVICE_DATA_DIR to another directory`,
      );
    }
    return version;
  };
  return withClient(path, 'open', held, use);
}

/** The path of the copy that a migration to a version makes of a database. */
export const copyBeforePath = (path: string, version: number): string => `${path}.before-v${version}`;

/** The migration of an existing database. */
export interface Migration {
  /** The previous version. */
  readonly from: number;
  readonly to: number;
  /** The path of the copy. */
  readonly copy: string;
}

/**
 * Migrates the database at a path to this binary's version, or creates it, in one transaction. An existing one is checked and
 * copied first, and the copy is checked.
 *
 * @throws DatabaseUnusable when the file is damaged, not writable, not a database, or newer than this binary
 */
export function prepareDatabase(path: string, migrations = MIGRATIONS): Migration | undefined {
  const isNew = !existsSync(path);
  if (isNew) createPrivate(path);
  else refuseUnwritable(path);
  return withClient(path, 'open', (client) => {
    // Before the first write; later it would need a VACUUM.
    if (isNew) client.exec('PRAGMA auto_vacuum = INCREMENTAL');
    client.exec('PRAGMA journal_mode = WAL');
    const version = userVersion(client);
    const to = migrations.length;
    refuseNewer(path, version, to);
    if (version === to) return undefined;
    if (!isNew) checkIntegrity(client, path);
    const copy = copyBeforePath(path, to);
    if (version > 0) copyBefore(client, path, copy);
    migrate(client, path, migrations);
    if (version === 0) return undefined;
    return { from: version, to, copy };
  });
}

/** The beginning of the name of a process's copy. */
const DRY_RUN = /^redoubt[.]sqlite[.]dry-run[.]([1-9]\d{0,8})/;

/**
 * Migrates a copy of the database at a path, checks it, and deletes it.
 *
 * @returns the duration in seconds
 * @throws DatabaseUnusable
 */
export function rehearseMigration(path: string, migrations = MIGRATIONS): number {
  const began = performance.now();
  removeAbandoned(dirname(path), DRY_RUN);
  const copy = `${path}.dry-run.${process.pid}`;
  try {
    withClient(path, 'open', (client) => copyBefore(client, path, copy));
    migrateCopy(copy, migrations);
  } finally {
    for (const suffix of ['', '-journal']) rmSync(copy + suffix, { force: true });
  }
  return Math.round(performance.now() - began) / SECOND_MS;
}

/**
 * Migrates an unused copy of a database to this binary's version and checks it.
 *
 * @throws DatabaseUnusable
 */
export function migrateCopy(copy: string, migrations = MIGRATIONS): void {
  withClient(copy, 'open', (client) => {
    migrate(client, copy, migrations);
    checkIntegrity(client, copy);
  });
}

/** The effect of a migration on a database. */
export interface MigrationAhead extends MigrationRoom {
  /** The names of the changes, in their order. */
  readonly changes: readonly string[];
}

/**
 * Determines what the migration of the database at a path would do.
 *
 * @param version of that database, not newer than this binary's
 * @throws DatabaseUnusable
 */
export const migrationAhead = (path: string, version: number): MigrationAhead => ({
  changes: MIGRATION_NAMES.slice(version),
  ...withClient(path, 'read', (client) => migrationRoom(client, dirname(path))),
});

/** @throws DatabaseUnusable when a database is of a newer version than this binary */
export function refuseNewer(path: string, version: number, ours = MIGRATIONS.length): void {
  if (version <= ours) return;
  throw new DatabaseUnusable(
    `${path} has version ${version}, but this executable supports only ${ours}. Use the newer redoubt`,
  );
}

/**
 * Refuses a database of another version to a command: a server of that version may be using it.
 *
 * @throws DatabaseUnusable, with instructions
 */
export function refuseOtherVersion(path: string, version: number): void {
  refuseNewer(path, version);
  if (version === MIGRATIONS.length) return;
  throw new DatabaseUnusable(
    `${path} has version ${version}, but this executable requires ${MIGRATIONS.length}. Restart the service, which migrates it, or stop it and run "redoubt migrate"`,
  );
}

/**
 * Checks a whole database for damage, which takes about a second per gigabyte.
 *
 * @throws DatabaseUnusable
 */
export function checkDatabase(path: string, use?: UseClient): void {
  withClient(path, 'read', (client) => checkIntegrity(client, path), use);
}

/**
 * Opens a read-only connection: see {@link openToLook}.
 *
 * @throws DatabaseUnusable
 */
export const connectToLook = (path: string): SqliteDatabase =>
  worded(path, 'open', () => {
    const client = openToLook(path);
    client.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA trusted_schema = OFF`);
    return overClient(client);
  });

/**
 * Opens a database for the duration of some work.
 *
 * @throws DatabaseUnusable for every error; one without a message for operators gets one
 */
export function withClient<Value>(
  path: string,
  done: 'open' | 'read',
  work: (client: DatabaseSync) => Value,
  use: UseClient = (path, work) => closing(new DatabaseSync(path), work),
): Value {
  return worded(path, done, () =>
    use(path, (client) => {
      client.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      return work(client);
    }),
  );
}

function worded<Value>(path: string, done: 'open' | 'read', work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error;
    const folder = dirname(path);
    const why = isReadOnly(folder)
      ? `its directory ${folder} is on a read-only file system. Mount it for writing`
      : openingWords(path, error);
    throw new DatabaseUnusable(`cannot ${done} ${path}: ${why}`, { cause: error });
  }
}

/** SQLite reports only that it cannot open the file, and root ignores modes. */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** Checks that an open database is still readable and is the one at its path. */
export function probeDatabase(db: Database, path: string): () => boolean {
  const opened = statSync(path).ino;
  const read = clientOf(db).prepare('select *, (select max(id) from licenses) from generations');
  return () => {
    try {
      read.get();
      return statSync(path).ino === opened;
    } catch {
      return false;
    }
  };
}

function refuseUnwritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch {
    throw new DatabaseUnusable(
      `${path} is not writable. Run chown to the user of the service, or run the command as that user`,
    );
  }
}

function checkIntegrity(client: DatabaseSync, path: string): void {
  const row = client.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (row.quick_check !== 'ok') {
    throw new DatabaseUnusable(
      `${path} is damaged (quick_check). Restore a backup, or run sqlite3's .recover`,
    );
  }
}

function copyBefore(client: DatabaseSync, path: string, copy: string): void {
  try {
    writeCopy(client, copy);
  } catch (error) {
    throw new DatabaseUnusable(
      `${path} was not migrated, because the copy before it failed: ${wordsFor(error)}`,
      { cause: error },
    );
  }
}

function migrate(client: DatabaseSync, path: string, migrations: readonly string[]): void {
  client.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated while this one waited for the lock.
    for (const migration of migrations.slice(userVersion(client))) client.exec(migration);
    client.exec(`PRAGMA user_version = ${migrations.length}`);
    client.exec('COMMIT');
  } catch (error) {
    if (client.isTransaction) client.exec('ROLLBACK');
    throw new DatabaseUnusable(`${path} could not be migrated and is as it was, because ${wordsFor(error)}`, {
      cause: error,
    });
  }
}

const userVersion = (client: DatabaseSync): number =>
  (client.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
