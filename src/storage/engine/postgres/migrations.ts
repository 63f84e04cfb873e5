import first from '../../../../drizzle/postgres/20261129054241_first/migration.sql' with { type: 'text' };
import { MIGRATION_NAMES } from '../migrations.ts';

/** By their names, which are those of SQLite's migrations. */
const BY_NAME: Readonly<Record<string, string>> = { first };

export interface PostgresMigration {
  readonly name: string;
  /** The version of a database after it, counted as SQLite's are. */
  readonly version: number;
  readonly sql: string;
  /** Whether servers of an older version cannot work with it, by its first line. */
  readonly stopsTheWorld: boolean;
}

export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = Object.entries(BY_NAME).map(
  ([name, sql]) => ({
    name,
    version: MIGRATION_NAMES.indexOf(name) + 1,
    sql,
    stopsTheWorld: sql.startsWith('-- stop the world'),
  }),
);
