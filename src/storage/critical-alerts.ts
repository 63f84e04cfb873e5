import { ALERT_OPEN_DAYS, type AlertFacts, openAlert } from '../domain/site/alerts.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Database } from './engine/database.ts';
import { prepare } from './engine/statement.ts';

/** Counts the critical alerts that are open at a moment, of all licenses together. */
export function readCriticalAlerts(db: Database): (now: number) => Promise<number> {
  const recent = prepare<AlertFacts>(
    db,
    `
    select subject, critical_at as criticalAt, high_at as highAt, resolved_at as resolvedAt
      from alerts where critical_at >= :since
    `,
  );
  return async (now) => {
    let open = 0;
    for (const facts of recent.iterate({ since: now - ALERT_OPEN_DAYS * DAY_MS }))
      if (openAlert(facts, now)?.severity === 'critical') open += 1;
    return open;
  };
}
