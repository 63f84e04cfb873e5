import type { Database } from '../database.ts';
import { prepare } from '../statement.ts';
import { SERVER_LOCK } from './generations.ts';

/** The configuration of a PostgreSQL database, as its server reports it to any user. */
export interface ServerFacts {
  /** By the server's clock, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** By this host's clock, halfway between query and answer. */
  readonly askedAt: number;
  /** How long that took. */
  readonly tookMs: number;
  /** Whether this connection is by TLS. */
  readonly hasTls: boolean;
  /** Whether it is a standby, or takes no changes for another reason. */
  readonly isReadOnly: boolean;
  /** Whether commits are flushed to the disk. */
  readonly doesFlush: boolean;
  /** How many connections this user may open to this database, in addition to those of others. */
  readonly connectionsMax: number;
  /** How many servers of ours are connected. */
  readonly nodes: number;
  readonly bytes: number;
  readonly doesVacuum: boolean;
}

interface Row extends Omit<ServerFacts, 'askedAt' | 'tookMs'> {
  readonly databaseMax: number;
  readonly userMax: number;
}

const FACTS = `
  select (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
    coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as hasTls,
    pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as isReadOnly,
    current_setting('fsync') = 'on' as doesFlush,
    current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint
      - coalesce(current_setting('reserved_connections', true), '0')::bigint
      - (select count(*) from pg_stat_activity
          where backend_type = 'client backend' and datname is distinct from current_database()) as connectionsMax,
    (select datconnlimit from pg_database where datname = current_database()) as databaseMax,
    (select rolconnlimit from pg_roles where rolname = current_user) as userMax,
    (select count(*) from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${SERVER_LOCK} and granted
      and database = (select oid from pg_database where datname = current_database())) as nodes,
    pg_database_size(current_database()) as bytes,
    current_setting('autovacuum') = 'on' and current_setting('track_counts') = 'on' as doesVacuum
`;

/** Asks a server how it keeps a database. */
export async function readServerFacts(db: Database): Promise<ServerFacts> {
  const asked = Date.now();
  const row = await prepare<Row>(db, FACTS).get();
  const tookMs = Date.now() - asked;
  if (row === undefined) throw new Error('a statement without conditions gave no row');
  const { databaseMax, userMax, ...facts } = row;
  const limits = [facts.connectionsMax, databaseMax, userMax].filter((limit) => limit >= 0);
  return { ...facts, connectionsMax: Math.min(...limits), askedAt: asked + tookMs / 2, tookMs };
}

/** How a table is vacuumed. */
export interface TableFacts {
  readonly name: string;
  readonly live: number;
  readonly dead: number;
  /** Whether that is switched off for this table. */
  readonly isLeftAlone: boolean;
}

const TABLES = `
  select relname::text as name, n_live_tup as live, n_dead_tup as dead,
    exists (select 1 from pg_class c, pg_options_to_table(c.reloptions) o
      where c.oid = s.relid and o.option_name = 'autovacuum_enabled' and o.option_value in ('false', 'off')) as isLeftAlone
  from pg_stat_user_tables s where schemaname = current_schema() order by relname
`;

/** Asks a server how it cleans the tables of a database. */
export const readTableFacts = (db: Database): Promise<TableFacts[]> =>
  Promise.resolve(prepare<TableFacts>(db, TABLES).all());
