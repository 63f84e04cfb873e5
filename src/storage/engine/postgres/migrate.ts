import { type Database, DatabaseUnusable, inTransaction } from '../database.ts';
import { MIGRATIONS } from '../migrations.ts';
import { execute, prepare } from '../statement.ts';
import { SERVER_LOCK } from './generations.ts';
import { POSTGRES_MIGRATIONS, type PostgresMigration } from './migrations.ts';

/**
 * The version of a database, counted as SQLite's are; 0 when there is nothing in it.
 *
 * @throws DatabaseUnusable when it holds what is not ours
 */
export async function postgresVersion(db: Database): Promise<number> {
  const tables = await prepare<{ name: string }>(
    db,
    'select tablename as name from pg_tables where schemaname = current_schema()',
  ).all();
  if (tables.length === 0) return 0;
  if (tables.some(({ name }) => name === 'redoubt_version')) {
    return (
      (await prepare<{ version: number }>(db, 'select version from redoubt_version').get())?.version ?? 0
    );
  }
  throw new DatabaseUnusable(
    'the database that SERVICE_DATABASE_URL names holds tables that are not of redoubt: name an empty one',
  );
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
    const last = missing.at(-1);
    if (last === undefined || !mayMigrate(version)) return version;
    if (version > 0 && missing.some(({ stopsTheWorld }) => stopsTheWorld))
      await refuseServers(db, stopTheWorld);
    if (version === 0)
      await execute(
        db,
        'create table redoubt_version (version bigint not null); insert into redoubt_version values (0)',
      );
    for (const { sql } of missing) await execute(db, sql);
    await prepare(db, 'update redoubt_version set version = ?').run(last.version);
    return version;
  });
}

/** Until the end of the transaction no server starts. */
async function refuseServers(db: Database, isAllowed: boolean): Promise<void> {
  if (!isAllowed)
    throw new DatabaseUnusable(
      'this migration changes what servers of the older version rely on: stop all of them, and run "redoubt migrate --stop-the-world"',
    );
  const { taken } = (await prepare<{ taken: number }>(
    db,
    `select pg_try_advisory_xact_lock(${SERVER_LOCK})::int as taken`,
  ).get()) ?? { taken: 0 };
  if (taken !== 1) throw new DatabaseUnusable('a server uses the database: stop all of them first');
}

/** @throws DatabaseUnusable when a database is of a newer version than this binary */
export function refuseNewerPostgres(version: number): void {
  if (version <= MIGRATIONS.length) return;
  throw new DatabaseUnusable(
    `the database is of version ${version}, newer than this binary's ${MIGRATIONS.length}: use the newer redoubt`,
  );
}
