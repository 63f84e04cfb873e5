import { type Database, DatabaseUnusable, inTransaction } from '../database.ts';
import { MIGRATIONS } from '../migrations.ts';
import { execute, prepare } from '../statement.ts';
import { SERVER_LOCK } from './generations.ts';
import { POSTGRES_MIGRATIONS, type PostgresMigration } from './migrations.ts';

/** Stands in a database for as long as a copy of a store into it is not complete. */
export const COPY_MARK = 'redoubt_copy';
const TABLES = /^create (?:unlogged )?table "?(\w+)/gim;

/**
 * The version of a database, counted as SQLite's are; 0 when there is nothing in it.
 *
 * @throws DatabaseUnusable when it holds what is not ours, or a copy that is not complete
 */
export async function postgresVersion(db: Database): Promise<number> {
  const tables = await prepare<{ name: string }>(
    db,
    'select tablename as name from pg_tables where schemaname = current_schema()',
  ).all();
  if (tables.length === 0) return 0;
  if (tables.some(({ name }) => name === COPY_MARK)) throw new CopyBrokenOff();
  if (tables.some(({ name }) => name === 'redoubt_version')) {
    return (
      (await prepare<{ version: number }>(db, 'select version from redoubt_version').get())?.version ?? 0
    );
  }
  throw new DatabaseUnusable(
    'the PostgreSQL database contains tables that do not belong to redoubt. Use an empty one',
  );
}

/** A copy into a database was begun, and is under way or never came to its end. */
export class CopyBrokenOff extends DatabaseUnusable {
  constructor() {
    super(
      'a store copy into this PostgreSQL database is incomplete. Wait until it is done, or start it again with "redoubt store copy ... --replace"',
    );
  }
}

export interface MigratingOptions {
  /** Says by the version that is found whether the rest is to be done. */
  readonly mayMigrate?: (version: number) => boolean;
  /** Whether servers may have to be stopped for it. */
  readonly stopTheWorld?: boolean;
  readonly migrations?: readonly PostgresMigration[];
}

/**
 * Brings a database to this binary's version, or makes its tables, all in one transaction. Of several nodes that try at the same
 * time one does it. Servers of the version before go on meanwhile and afterwards, unless a migration says that they cannot.
 *
 * @returns the version before
 * @throws DatabaseUnusable when it is newer, holds what is not ours, or servers would have to be stopped
 */
export async function migratePostgres(
  db: Database,
  { mayMigrate = () => true, stopTheWorld = false, migrations = POSTGRES_MIGRATIONS }: MigratingOptions = {},
): Promise<number> {
  return inTransaction(db, async () => {
    const version = await postgresVersion(db);
    refuseNewerPostgres(version);
    const missing = migrations.filter((migration) => migration.version > version);
    if (missing.length === 0 || !mayMigrate(version)) return version;
    if (version > 0 && missing.some(({ stopsTheWorld }) => stopsTheWorld))
      await refuseServers(db, stopTheWorld);
    await execute(db, textOf(missing, version));
    return version;
  });
}

/** Until the end of the transaction no server starts. */
async function refuseServers(db: Database, isAllowed: boolean): Promise<void> {
  if (!isAllowed)
    throw new DatabaseUnusable(
      'this migration makes changes that older servers do not support. Stop all of them, and run "redoubt migrate --stop-the-world"',
    );
  const { taken } = (await prepare<{ taken: number }>(
    db,
    `select pg_try_advisory_xact_lock(${SERVER_LOCK})::int as taken`,
  ).get()) ?? { taken: 0 };
  if (taken !== 1) throw new DatabaseUnusable('a server is using the database. Stop all servers first');
}

/** What makes all tables of this version in a database that has none. */
export const makingTables = (): string => textOf(POSTGRES_MIGRATIONS, 0);

const namesIn = (text: string, kind: RegExp): string[] =>
  [...text.matchAll(kind)].map(([, name = '']) => name);

/** The names of the tables of this version. */
export const ownTables = (): string[] => namesIn(makingTables(), TABLES);

/** What removes all that is ours from a database of this version or an older one, and a copy that is not complete. */
export function removingTables(): string {
  const text = makingTables();
  const tables = namesIn(text, TABLES);
  const functions = namesIn(text, /^create (?:or replace )?function "?(\w+)/gim);
  return [
    `drop table if exists ${[COPY_MARK, ...tables].join(', ')} cascade`,
    ...functions.map((name) => `drop function if exists ${name}`),
  ].join(';');
}

function textOf(missing: readonly PostgresMigration[], version: number): string {
  const begun =
    'create table redoubt_version (version bigint not null); insert into redoubt_version values (0);';
  const done = `update redoubt_version set version = ${missing.at(-1)?.version};`;
  const stopping = missing.findLast(({ stopsTheWorld }) => stopsTheWorld);
  // Read by servers when they connect anew: one that was cut off meanwhile was not seen to run.
  const stopped = stopping ? `comment on table redoubt_version is '${stopping.version}';` : '';
  return [version === 0 ? begun : '', ...missing.map(({ sql }) => sql), done, stopped].join('\n');
}

/** @throws DatabaseUnusable when a database is of a newer version than this binary */
export function refuseNewerPostgres(version: number): void {
  if (version <= MIGRATIONS.length) return;
  throw new DatabaseUnusable(
    `the database has version ${version}, but this executable supports only ${MIGRATIONS.length}. Use the newer redoubt`,
  );
}
