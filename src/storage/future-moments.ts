import type { Database } from './engine/database.ts';
import { usesReserve } from './engine/reserve-jobs.ts';
import { prepare } from './engine/statement.ts';

/** Moments that the service itself writes when something happens, and may correct. Entries of logs and events are not among them. */
const MOMENTS = [
  ['licenses', 'created_at', 'id'],
  ['license_domains', 'bound_at', 'license_id'],
  ['sites', 'first_seen_at', 'id'],
  ['sites', 'last_seen_at', 'id'],
  ['threat_reports', 'first_reported_at', 'license_id'],
  ['threat_reports', 'last_reported_at', 'license_id'],
  ['scans', 'queued_at', 'id'],
  ['scans', 'started_at', 'id'],
  ['scans', 'finished_at', 'id'],
  ['operator_sessions', 'started_at', 'operator_id'],
  ['operator_sessions', 'confirmed_at', 'operator_id'],
] as const;

/** Rows whose moment is later than the clock. */
export interface FutureMoments {
  /** A table and its column, such as `licenses.created_at`. */
  readonly column: string;
  readonly rows: number;
  /** The least and the largest number of a row, or of its license or operator. */
  readonly firstId: number;
  readonly lastId: number;
  /** Milliseconds since the Unix epoch. */
  readonly newest: number;
}

/** Finds the rows that a clock which ran ahead has left. */
export async function readFutureMoments(db: Database, now: number): Promise<FutureMoments[]> {
  const found: FutureMoments[] = [];
  for (const [table, column, id] of MOMENTS) {
    const later = prepare<Omit<FutureMoments, 'column'>>(
      db,
      `select count(*) as "rows", coalesce(min(${id}), 0) as "firstId", coalesce(max(${id}), 0) as "lastId",
        coalesce(max(${column}), 0) as newest from ${table} where ${column} > ?`,
    );
    const { rows = 0, firstId = 0, lastId = 0, newest = 0 } = (await later.get(now)) ?? {};
    if (Number(rows) > 0)
      found.push({
        column: `${table}.${column}`,
        rows: Number(rows),
        firstId: Number(firstId),
        lastId: Number(lastId),
        newest: Number(newest),
      });
  }
  return found;
}

export function futureMomentJobs(db: Database) {
  return {
    /** Sets every moment that is later than now to now. */
    acceptClock: usesReserve(async ({ now }: { now: number }): Promise<void> => {
      for (const [table, column] of MOMENTS)
        await prepare(db, `update ${table} set ${column} = ? where ${column} > ?`).run(now, now);
    }),
  };
}
