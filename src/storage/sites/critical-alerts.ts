import { ALERT_OPEN_DAYS, type AlertFacts, MORE_ALERTS, openAlert } from '../../domain/site/alerts.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import { isUnresolved } from './open-condition.ts';
import type { alerts } from './tables.ts';

/** Older alerts cannot be open. */
const sinceOf = (now: number): number => now - ALERT_OPEN_DAYS * DAY_MS;
const isOpen = (facts: AlertFacts, now: number): boolean => openAlert(facts, now)?.severity === 'critical';

export interface CriticalAlertCounts {
  readonly open: number;
  /** Of these, those not acknowledged. */
  readonly unacknowledged: number;
  /** The time of the last event of the oldest of those, in milliseconds since the Unix epoch; null without any. */
  readonly oldestAt: number | null;
}

const NOT_REVOKED = 'license_id not in (select id from licenses where revoked_at is not null)';

/** Counts the critical alerts that are open at a moment, of all licenses together. */
export function readCriticalAlerts(db: Database): (now: number) => Promise<CriticalAlertCounts> {
  const counts = prepare<CriticalAlertCounts>(
    db,
    `
    select count(*) as open, coalesce(sum(case when acknowledged_at is null then 1 else 0 end), 0) as unacknowledged,
        min(case when acknowledged_at is null then critical_at end) as oldestAt
      from alerts where ${isUnresolved(db.sqlDialect.larger)} and critical_at > :since and critical_at > coalesce(resolved_at, 0)
        and ${NOT_REVOKED}
    `,
  );
  return async (now) => {
    const {
      open = 0,
      unacknowledged = 0,
      oldestAt = null,
    } = (await counts.get({ since: sinceOf(now) })) ?? {};
    return { open: Number(open), unacknowledged: Number(unacknowledged), oldestAt };
  };
}

/** Counts the critical and high alerts that are open and unacknowledged at a moment. */
export function readUnacknowledged(db: Database): (now: number) => Promise<number> {
  const count = prepare<{ count: number }>(
    db,
    `
    select count(*) as count from alerts where ${isUnresolved(db.sqlDialect.larger)} and (critical_at > :since or high_at > :since)
      and acknowledged_at is null and ${NOT_REVOKED}
    `,
  );
  return async (now) => Number((await count.get({ since: sinceOf(now) }))?.count ?? 0);
}

/** Counts the alerts of one license that are open at a moment. */
export function readOpenAlertCount(db: Database): (licenseId: number, now: number) => Promise<number> {
  const count = prepare<{ count: number }>(
    db,
    `
    select count(*) as count from alerts where license_id = :licenseId and subject <> :more
      and ${isUnresolved(db.sqlDialect.larger)} and (critical_at > :since or high_at > :since)
    `,
  );
  return async (licenseId, now) =>
    Number((await count.get({ licenseId, more: MORE_ALERTS, since: sinceOf(now) }))?.count ?? 0);
}

/** A critical alert that is open, and where. */
export interface CriticalAlert extends Pick<Row<typeof alerts>, 'licenseId' | 'subject'> {
  readonly domain: string;
  readonly criticalAt: number;
}

/** Reads critical alerts that are open at a moment, latest first. */
export function readNewestCriticalAlerts(
  db: Database,
): (limit: number, now: number) => Promise<CriticalAlert[]> {
  const recent = prepare<AlertFacts & CriticalAlert>(
    db,
    `
    select alerts.license_id as licenseId, sites.domain, subject, critical_at as criticalAt, high_at as highAt,
        resolved_at as resolvedAt
      from alerts join sites on sites.id = alerts.site_id
      where critical_at >= :since and alerts.${NOT_REVOKED} order by critical_at desc
    `,
  );
  return async (limit, now) => {
    const open: CriticalAlert[] = [];
    for await (const alert of recent.iterate({ since: sinceOf(now) })) {
      if (isOpen(alert, now)) open.push(alert);
      if (open.length === limit) break;
    }
    return open;
  };
}
