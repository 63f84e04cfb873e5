import type { PostgresAddress } from '../../src/settings/database-address.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { newDatabase } from './database.ts';
import { newPostgresDatabase, openPostgres } from './postgres.ts';
import { suite } from './suite.ts';

export interface OpenOptions {
  /** Whether rows may refer to missing ones, which saves a test its irrelevant rows; false by default. */
  readonly loose?: boolean;
}

/** A kind of database for storage. A storage test uses the one of its file, and states what applies to both. */
export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A connection to a new, empty database of this version. */
  open(options?: OpenOptions): Promise<Database>;
  /** Another connection to the same database. */
  openBeside(db: Database): Promise<Database>;
  /** Whether tests take all their runs and rows: on PostgreSQL in the whole matrix only. */
  readonly isThorough: boolean;
  /** The number of runs of a property on this engine, from the number on SQLite. */
  runs(onSqlite: number): number;
}

const paths = new WeakMap<Database, string>();

const sqlite: Engine = {
  name: 'SQLite',
  async open({ loose = false } = {}) {
    const path = newDatabase();
    const db = connect(path);
    paths.set(db, path);
    // Test data may be lost with the machine.
    await execute(db, `PRAGMA synchronous = OFF; PRAGMA foreign_keys = ${loose ? 'OFF' : 'ON'}`);
    return db;
  },
  async openBeside(db) {
    const path = paths.get(db);
    if (path === undefined) throw new Error('this was not opened by engines.ts');
    const beside = connect(path);
    paths.set(beside, path);
    return beside;
  },
  isThorough: true,
  runs: (onSqlite) => onSqlite,
};

const isThorough = suite === 'all';
/** A property is the same on each engine: outside the whole matrix, few runs show how PostgreSQL answers. */
export const POSTGRES_RUNS = isThorough ? 50 : 15;

const addresses = new WeakMap<Database, PostgresAddress>();

const DROP_REFERENCES = `do $$ declare r record; begin
  for r in select conrelid::regclass as of, conname as name from pg_constraint where contype = 'f' loop
    execute format('alter table %s drop constraint %I', r.of, r.name);
  end loop;
end $$`;

const postgres: Engine = {
  name: 'PostgreSQL',
  async open({ loose = false } = {}) {
    const address = await newPostgresDatabase();
    const db = openPostgres(address);
    addresses.set(db, address);
    if (loose) await execute(db, DROP_REFERENCES);
    return db;
  },
  async openBeside(db) {
    const address = addresses.get(db);
    if (address === undefined) throw new Error('this was not opened by engines.ts');
    const beside = openPostgres(address);
    addresses.set(beside, address);
    return beside;
  },
  isThorough,
  runs: (onSqlite) => (isThorough ? onSqlite : Math.min(onSqlite, POSTGRES_RUNS)),
};

/**
 * The kind of database of a test file: SQLite, unless test/postgres/ loads it again with `?postgres` after
 * its name.
 *
 * @param meta of that file
 */
export const engineOf = ({ url }: Pick<ImportMeta, 'url'>): Engine =>
  url.endsWith('?postgres') ? postgres : sqlite;
