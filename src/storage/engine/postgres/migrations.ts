import backups from '../../../../drizzle/postgres/20261124140153_backups/migration.sql' with { type: 'text' };
import nodes from '../../../../drizzle/postgres/20261124173808_nodes/migration.sql' with { type: 'text' };
import signingKeys from '../../../../drizzle/postgres/20261127025156_signing_keys/migration.sql' with {
  type: 'text',
};
import feedExchange from '../../../../drizzle/postgres/20261127032635_feed_exchange/migration.sql' with {
  type: 'text',
};
import { MIGRATION_NAMES } from '../migrations.ts';

/** By their names, which each shares with its twin of SQLite. The first makes all that had come about until then. */
const BY_NAME: Readonly<Record<string, string>> = {
  backups,
  nodes,
  signing_keys: signingKeys,
  feed_exchange: feedExchange,
};

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
