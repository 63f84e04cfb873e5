import { and, eq, sql } from 'drizzle-orm';
import { ALERTS_MAX, type AlertFacts, leastAlerts, MORE_ALERTS, openAlert } from '../domain/site/alerts.ts';
import type { Database } from './engine/database.ts';
import { alerts } from './engine/schema.ts';
import { prepare } from './engine/statement.ts';

/** Keeps alerts; its functions are parts of the jobs that add events. */
export function keepAlerts(db: Database) {
  const known = prepare<{ subjects: number }>(
    db,
    'select count(*) as subjects from alerts where license_id = :licenseId and site_id = :siteId',
  );
  const later = (column: string) => {
    const [known, told] = [`alerts.${column}`, `excluded.${column}`];
    return `${column} = ${db.sqlDialect.larger}(coalesce(${known}, ${told}), coalesce(${told}, ${known}))`;
  };
  const merge = prepare(
    db,
    `
    insert into alerts (license_id, site_id, subject, critical_at, high_at, resolved_at)
      values (:licenseId, :siteId, :subject, :criticalAt, :highAt, :resolvedAt)
      on conflict (license_id, site_id, subject) do update set
        ${later('critical_at')}, ${later('high_at')}, ${later('resolved_at')}
    `,
  );

  const ofSite = prepare<AlertFacts>(
    db,
    `
    select subject, critical_at as criticalAt, high_at as highAt, resolved_at as resolvedAt
      from alerts where license_id = :licenseId and site_id = :siteId
    `,
  );
  const drop = prepare(
    db,
    'delete from alerts where license_id = :licenseId and site_id = :siteId and subject = :subject',
  );

  return {
    /** Takes in what events of one site told; where that is too much, the least of it makes room. */
    tellAlerts(licenseId: number, siteId: number, told: readonly AlertFacts[], nowMs: number): void {
      for (const facts of told) merge.run({ licenseId, siteId, ...facts });
      if (told.length === 0 || (known.get({ licenseId, siteId })?.subjects ?? 0) <= ALERTS_MAX) return;
      for (const facts of leastAlerts(ofSite.all({ licenseId, siteId }), nowMs)) {
        drop.run({ licenseId, siteId, subject: facts.subject });
        if (openAlert(facts, nowMs)) {
          merge.run({ licenseId, siteId, ...facts, subject: MORE_ALERTS, resolvedAt: null });
        }
      }
    },
  };
}

export function alertJobs(db: Database) {
  return {
    /** Forgets alerts of which nothing was told since a moment. */
    forgetAlerts({ toldBefore }: { toldBefore: number }): void {
      db.run(sql`
        delete from ${alerts} where coalesce(${alerts.criticalAt} < ${toldBefore}, true)
          and coalesce(${alerts.highAt} < ${toldBefore}, true)
          and coalesce(${alerts.resolvedAt} < ${toldBefore}, true)
      `);
    },
  };
}

/** Reads what was told of a tenant's alerts; domain/site/alerts.ts says which are open. */
export function readAlerts(db: Database) {
  const { licenseId, siteId, subject, criticalAt, highAt, resolvedAt } = alerts;
  const ofSite = db
    .select({ subject, criticalAt, highAt, resolvedAt })
    .from(alerts)
    .where(and(eq(licenseId, sql.placeholder('licenseId')), eq(siteId, sql.placeholder('siteId'))))
    .prepare();

  return {
    ofSite: async (licenseId: number, siteId: number): Promise<AlertFacts[]> =>
      ofSite.all({ licenseId, siteId }),
  };
}
