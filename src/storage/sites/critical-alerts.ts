import { ALERT_OPEN_DAYS, type AlertFacts, openAlert } from '../../domain/site/alerts.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
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

/** Counts the critical alerts that are open at a moment, of all licenses together. */
export function readCriticalAlerts(db: Database): (now: number) => Promise<CriticalAlertCounts> {
  const recent = prepare<AlertFacts & { readonly acknowledgedAt: number | null }>(
    db,
    `
    select subject, critical_at as criticalAt, high_at as highAt, resolved_at as resolvedAt,
        acknowledged_at as acknowledgedAt
      from alerts where critical_at >= :since and license_id not in (select id from licenses where revoked_at is not null)
    `,
  );
  return async (now) => {
    let [open, unacknowledged] = [0, 0];
    let oldestAt: number | null = null;
    for await (const facts of recent.iterate({ since: sinceOf(now) })) {
      if (!isOpen(facts, now)) continue;
      open += 1;
      if (facts.acknowledgedAt !== null) continue;
      unacknowledged += 1;
      if (facts.criticalAt !== null) oldestAt = Math.min(oldestAt ?? facts.criticalAt, facts.criticalAt);
    }
    return { open, unacknowledged, oldestAt };
  };
}

/** Counts the critical and high alerts that are open and unacknowledged at a moment. */
export function readUnacknowledged(db: Database): (now: number) => Promise<number> {
  const { larger } = db.sqlDialect;
  const newest = `${larger}(coalesce(critical_at, 0), coalesce(high_at, 0))`;
  const count = prepare<{ count: number }>(
    db,
    `
    select count(*) as count from alerts
      where (critical_at > :since or high_at > :since) and acknowledged_at is null and ${newest} > coalesce(resolved_at, 0)
        and license_id not in (select id from licenses where revoked_at is not null)
    `,
  );
  return async (now) => Number((await count.get({ since: sinceOf(now) }))?.count ?? 0);
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
      where critical_at >= :since and alerts.license_id not in (select id from licenses where revoked_at is not null) order by critical_at desc
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
