import { type Database, DatabaseUnusable, inTransaction } from '../database.ts';
import { MIGRATIONS } from '../migrations.ts';
import { execute, prepare } from '../statement.ts';
import { SERVER_LOCK } from './generations.ts';
import { POSTGRES_MIGRATIONS, type PostgresMigration } from './migrations.ts';

/** Marks a database while a copy of a store into it is incomplete. */
export const COPY_MARK = 'redoubt_copy';
const TABLES = /^create (?:unlogged )?table "?(\w+)/gim;

/**
 * The version of a database, counted as SQLite's are; 0 when it is empty.
 *
 * @throws DatabaseUnusable when it contains other tables than ours, or an incomplete copy
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

/** A copy into the database is in progress, or was interrupted. */
export class CopyBrokenOff extends DatabaseUnusable {
  constructor() {
    super(
      'a store copy into this PostgreSQL database is incomplete. Wait until it is done, or start it again with "redoubt store copy ... --replace"',
    );
  }
}

export interface MigratingOptions {
  /** Decides by the found version whether to migrate. */
  readonly mayMigrate?: (version: number) => boolean;
  /** Whether it may require that servers stop. */
  readonly stopTheWorld?: boolean;
  readonly migrations?: readonly PostgresMigration[];
}

/**
 * Migrates a database to this binary's version, or creates its tables, in one transaction. Of several nodes that try at the
 * same time, one does it. Servers of the previous version continue, unless a migration forbids it.
 *
 * @returns the previous version
 * @throws DatabaseUnusable when it is newer, contains other tables than ours, or needs servers to stop
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

/** No server can start until the end of the transaction. */
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

/** The statements that create all tables of this version in an empty database. */
export const makingTables = (): string => textOf(POSTGRES_MIGRATIONS, 0);

const namesIn = (text: string, kind: RegExp): string[] =>
  [...text.matchAll(kind)].map(([, name = '']) => name);

/** The names of the tables of this version. */
export const ownTables = (): string[] => namesIn(makingTables(), TABLES);

/** The statements that remove all our tables from a database of this version or an older one, and an incomplete copy. */
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
  // Servers read it when they reconnect: a server that was disconnected was not seen running.
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
