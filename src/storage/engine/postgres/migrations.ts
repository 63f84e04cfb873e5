import first from '../../../../drizzle/postgres/20261129054241_first/migration.sql' with { type: 'text' };
import { MIGRATION_NAMES } from '../migrations.ts';

/** By their names, which each shares with its twin of SQLite. */
const BY_NAME: Readonly<Record<string, string>> = { first };

export interface PostgresMigration {
  readonly name: string;
  /** That of a database that has it, counted as SQLite's are. */
  readonly version: number;
  readonly sql: string;
  /** Whether servers of an older version cannot live with it: its first line says so. */
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
