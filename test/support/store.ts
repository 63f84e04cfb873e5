import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { postgresAddress } from '../../src/settings/database-address.ts';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import type { NewBackup } from '../../src/storage/installation/backups.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { askPostgres } from './ask-postgres.ts';
import { openPostgres } from './postgres.ts';
import type { RunningService } from './service.ts';

/**
 * Commands that change data that nodes cache: on PostgreSQL nodes are notified a moment later, which an
 * operator's act waits for.
 */
const REMEMBERED =
  /^\s*(?:(?:update|delete from) licenses|(?:update|delete from|insert into) (?:license_domains|previous_keys|generations|feed_snapshots|mirror))\b/;
const HEARD_MS = 300;

/** Waits until every node has seen the latest commit, which takes a moment on PostgreSQL. */
export const seenByNodes = ({ env }: Pick<RunningService, 'env'>): Promise<void> =>
  Bun.sleep(env.SERVICE_DATABASE_URL === undefined ? 0 : HEARD_MS);

let opened: { readonly path: string; readonly database: DatabaseSync } | undefined;

/**
 * Open until the current turn of the event loop ends: each new connection reads the whole schema, but a service
 * must not find the database open while a test waits.
 */
function databaseAt(path: string): DatabaseSync {
  if (opened?.path !== path) {
    close();
    const database = new DatabaseSync(path);
    opened = { path, database };
    database.exec('pragma busy_timeout = 5000');
    queueMicrotask(close);
  }
  return opened.database;
}

function close(): void {
  opened?.database.close();
  opened = undefined;
}

/** Reads or changes the data of a service, next to it, in SQL of both engines. */
export function rows(
  service: RunningService,
  sql: string,
  ...params: (string | number | null)[]
): Record<string, unknown>[] {
  const { SERVICE_DATABASE_URL: url } = service.env;
  if (url !== undefined) {
    const found = askPostgres(url, sql, params);
    if (REMEMBERED.test(sql)) Bun.sleepSync(HEARD_MS);
    return found;
  }
  const database = databaseAt(join(service.env.SERVICE_DATA_DIR ?? '', 'redoubt.sqlite'));
  return database.prepare(sql).all(...params) as Record<string, unknown>[];
}

/** Opens the store of a service, next to it. */
export const openStore = ({
  env: { SERVICE_DATABASE_URL: url, SERVICE_DATA_DIR = '' },
}: Pick<RunningService, 'env'>): Database =>
  url === undefined ? connect(databasePath(SERVICE_DATA_DIR)) : openPostgres(postgresAddress(url));

/**
 * Everything that a service has written, as text: each file of its data directory, each row of its database,
 * and its log.
 */
export function everythingKept(service: RunningService): string[] {
  const files = readdirSync(service.env.SERVICE_DATA_DIR ?? '', { recursive: true, withFileTypes: true })
    // The reserve is random bytes, which may contain any text.
    .filter((file) => file.isFile() && file.name !== 'redoubt.reserve')
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  return [...files, ...postgresRows(service), service.log()];
}

function postgresRows(service: RunningService): string[] {
  if (service.env.SERVICE_DATABASE_URL === undefined) return [];
  const tables = rows(service, "select tablename as name from pg_tables where schemaname = 'public'");
  return tables.flatMap(({ name }) =>
    rows(service, `select cast(kept as text) as text from ${name} as kept`).map(({ text }) => String(text)),
  );
}

/** Records a backup like `backup create`, at the current moment by default; its file is not created. */
export async function keepBackup(
  service: RunningService,
  backup: Partial<NewBackup> & Pick<NewBackup, 'path'>,
): Promise<void> {
  const db = openStore(service);
  await prepareJobs(db).keepBackup({ at: Date.now(), bytes: 5 * 2 ** 20, encrypted: false, ...backup });
  await disconnect(db);
}

/** Issues a license that has expired since, which no command does. */
export async function issueExpired(service: RunningService, ...options: string[]) {
  const issued = await service.issue(...options);
  rows(service, 'update licenses set expires_at = 1 where id = ?', Number(issued.license_id.slice(4)));
  return issued;
}

/** The tables of everything that callers can make the service store. */
export const KEPT = [
  'licenses',
  'license_domains',
  'sites',
  'events',
  'arrivals',
  'alerts',
  'threat_reports',
  'signal_history',
  'signal_snapshots',
  'verdict_counts',
  'site_inventories',
  'site_importances',
  'scans',
  'evidence_entries',
  'daily_usage',
  'daily_volumes',
  'portal_sessions',
  'trials',
  'payment_events',
  'credentials',
  'trust_sites',
  'status_lists',
];
const COUNTS = `select ${KEPT.map((table) => `(select count(*) from ${table}) as ${table}`)}`;

/** Everything that callers can make the service store, counted by table. */
export const stored = (service: RunningService) => ({ ...rows(service, COUNTS)[0] });

/** Adds a threat to the feed. */
export const publish = (service: RunningService, fingerprint: string, epoch = 1) =>
  rows(
    service,
    `insert into feed_snapshots (id, epoch, generated_at, entries) values (1, ?, 1, ?)
      on conflict (id) do update set epoch = excluded.epoch, entries = excluded.entries`,
    epoch,
    JSON.stringify([{ fingerprint, attack_type: 'sql_injection', severity: 'high', corroboration_count: 3 }]),
  );

/** Blocks all changes until the returned function is called. */
export async function holdChanges(service: RunningService): Promise<() => Promise<void>> {
  const db = openStore(service);
  await db.connection.beginChanging();
  return async () => {
    await db.connection.rollback();
    await disconnect(db);
  };
}

/** Makes a table refuse inserts, or updates, until the returned function is called. */
export function refuseEach(service: RunningService, act: 'insert' | 'update', table: string): () => void {
  const name = `no_${act}_${table}`;
  const trigger = `create trigger ${name} before ${act} on ${table}`;
  if (service.env.SERVICE_DATABASE_URL === undefined) {
    rows(service, `${trigger} begin select raise(abort, ''); end`);
    return () => rows(service, `drop trigger ${name}`);
  }
  rows(
    service,
    `create or replace function refuse() returns trigger language plpgsql as 'begin raise exception ''''; end'`,
  );
  rows(service, `${trigger} for each row execute function refuse()`);
  return () => rows(service, `drop trigger ${name} on ${table}`);
}

/** Removes tables during a test, so that the store fails as with a broken disk. */
export async function without(
  service: RunningService,
  tables: readonly string[],
  attempt: () => Promise<void>,
): Promise<void> {
  const rename = (from: string, to: string) => rows(service, `ALTER TABLE ${from} RENAME TO ${to}`);
  for (const table of tables) rename(table, `${table}_taken_away`);
  try {
    await attempt();
  } finally {
    for (const table of tables) rename(`${table}_taken_away`, table);
  }
}
