import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RunningService } from './service.ts';

/** What a service has on disk, read beside it. */
export function rows(
  service: RunningService,
  sql: string,
  ...params: (string | number | null)[]
): Record<string, unknown>[] {
  const database = new DatabaseSync(join(service.env.SERVICE_DATA_DIR ?? '', 'redoubt.sqlite'));
  try {
    return database.prepare(sql).all(...params) as Record<string, unknown>[];
  } finally {
    database.close();
  }
}

/** Everything that callers can make the service keep, counted by table. */
export const stored = (service: RunningService) =>
  Object.fromEntries(
    [
      'sites',
      'events',
      'threat_reports',
      'signal_history',
      'signal_snapshots',
      'daily_usage',
      'license_domains',
      'trials',
      'payment_events',
    ].map((table) => [table, rows(service, `select count(*) as count from ${table}`)[0]?.count]),
  );
