import { TOTP_AHEAD_MS, TOTP_STEP_MS } from '../domain/admin/totp.ts';
import { CHECK_EVERY_MS } from '../domain/domain-control/control.ts';
import { GRACE_DAYS_MAX } from '../domain/license/license-key.ts';
import { TRIAL_RESERVED_MS } from '../domain/license/trial.ts';
import { DAY_MS, HOUR_MS } from '../lib/clock.ts';
import type { Database } from './engine/database.ts';
import { usesReserve } from './engine/reserve-jobs.ts';
import { prepare } from './engine/statement.ts';

/** A column of moments, and what identifies a row of its table. */
interface MomentColumn {
  readonly table: string;
  readonly column: string;
  readonly id: string;
  /** How far ahead of the clock it may be, in milliseconds as SQL; not at all if left out. */
  readonly ahead?: string;
  /** Milliseconds of one unit. */
  readonly unitMs?: number;
}

const of = (table: string, id: string, ...columns: readonly string[]): MomentColumn[] =>
  columns.map((column) => ({ table, column, id }));
const ahead = (table: string, id: string, column: string, most: number | string): MomentColumn => ({
  ...{ table, column, id },
  ahead: String(most),
});

/**
 * Moments that the service itself writes when something happens, or for what it does next, and may correct. Entries of logs and events
 * are not among them.
 */
const MOMENTS: readonly MomentColumn[] = [
  ...of('licenses', 'id', 'created_at'),
  ahead('licenses', 'id', 'pending_until', TRIAL_RESERVED_MS),
  ahead('trials', 'license_id', 'reserved_until', TRIAL_RESERVED_MS),
  ahead('previous_keys', 'license_id', 'works_until', GRACE_DAYS_MAX * DAY_MS),
  ...of('license_domains', 'license_id', 'bound_at'),
  ...of('domain_controls', 'license_id', 'verified_at', 'checked_at', 'failed_since'),
  ahead('domain_controls', 'license_id', 'next_check_at', CHECK_EVERY_MS),
  ...of('sites', 'id', 'first_seen_at', 'last_seen_at'),
  ...of('alerts', 'license_id', 'critical_at', 'high_at', 'resolved_at', 'acknowledged_at'),
  ...of('threat_reports', 'license_id', 'first_reported_at', 'last_reported_at'),
  ...of('scans', 'id', 'queued_at', 'started_at', 'finished_at'),
  ahead('scan_schedules', 'license_id', 'next_at', `interval_hours * ${HOUR_MS}`),
  ...of('assessments', 'id', 'assessed_at', 'made_at'),
  ...of('operator_sessions', 'operator_id', 'started_at', 'confirmed_at'),
  ...of('portal_sessions', 'license_id', 'started_at'),
  {
    ...{ table: 'operators', column: 'totp_last_step', id: 'id' },
    ...{ ahead: String(TOTP_AHEAD_MS), unitMs: TOTP_STEP_MS },
  },
  ...of('backups', 'id', 'at'),
];

/** Of rows that are further ahead than they may be; takes the clock. */
const isLater = ({ column, ahead = '0', unitMs = 1 }: MomentColumn): string =>
  `${unitMs === 1 ? column : `${column} * ${unitMs}`} > cast(? as bigint) + (${ahead})`;

/** Rows whose moment is later than it can be by the clock. */
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
  for (const moment of MOMENTS) {
    const { table, column, id, unitMs = 1 } = moment;
    const later = prepare<Omit<FutureMoments, 'column'>>(
      db,
      `select count(*) as "rows", coalesce(min(${id}), 0) as "firstId", coalesce(max(${id}), 0) as "lastId",
        coalesce(max(${column}), 0) as newest from ${table} where ${isLater(moment)}`,
    );
    const { rows = 0, firstId = 0, lastId = 0, newest = 0 } = (await later.get(now)) ?? {};
    if (Number(rows) > 0)
      found.push({
        column: `${table}.${column}`,
        rows: Number(rows),
        firstId: Number(firstId),
        lastId: Number(lastId),
        newest: Number(newest) * unitMs,
      });
  }
  return found;
}

export function futureMomentJobs(db: Database) {
  return {
    /** Sets every moment that is later than it can be to now. */
    acceptClock: usesReserve(async ({ now }: { now: number }): Promise<void> => {
      for (const moment of MOMENTS) {
        const { table, column, unitMs = 1 } = moment;
        const update = prepare(db, `update ${table} set ${column} = ? where ${isLater(moment)}`);
        await update.run(Math.floor(now / unitMs), now);
      }
    }),
  };
}
