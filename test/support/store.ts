import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { NewBackup } from '../../src/storage/backups.ts';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { disconnect } from '../../src/storage/engine/database.ts';
import { prepareJobs } from '../../src/storage/engine/jobs.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import type { RunningService } from './service.ts';

/** Reads or changes what a service has on disk, beside it. */
export function rows(
  service: RunningService,
  sql: string,
  ...params: (string | number | null)[]
): Record<string, unknown>[] {
  const database = new DatabaseSync(join(service.env.SERVICE_DATA_DIR ?? '', 'redoubt.sqlite'));
  try {
    database.exec('pragma busy_timeout = 5000');
    return database.prepare(sql).all(...params) as Record<string, unknown>[];
  } finally {
    database.close();
  }
}

/** Keeps a backup in mind as `backup create` does, made at this moment unless told otherwise; its file is not made. */
export async function keepBackup(
  service: RunningService,
  backup: Partial<NewBackup> & Pick<NewBackup, 'path'>,
): Promise<void> {
  const db = connect(databasePath(service.env.SERVICE_DATA_DIR ?? ''));
  await prepareJobs(db).keepBackup({ at: Date.now(), bytes: 5 * 2 ** 20, encrypted: false, ...backup });
  await disconnect(db);
}

/** Issues a license that has expired since, which no command does. */
export async function issueExpired(service: RunningService, ...options: string[]) {
  const issued = await service.issue(...options);
  rows(service, 'update licenses set expires_at = 1 where id = ?', Number(issued.license_id.slice(4)));
  return issued;
}

/** The tables of everything that callers can make the service keep. */
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

/** Everything that callers can make the service keep, counted by table. */
export const stored = (service: RunningService) => ({ ...rows(service, COUNTS)[0] });

/** Takes tables away while something is tried, so that the store fails as a broken disk would make it. */
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
