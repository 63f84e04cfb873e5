import { and, eq, gte, lte, sql } from 'drizzle-orm';
import type { AlertFacts } from '../domain/alerts.ts';
import type { Database } from './database.ts';
import { alerts } from './schema.ts';

/** An alert and the site that it stands for. */
export interface SiteAlert extends AlertFacts {
  readonly siteId: number;
}

/** Subjects remembered of one site. What else it tells of counts as one more, so that no key can fill the disk. */
const SUBJECTS_MAX = 20;
const OTHER_SUBJECTS = 'other';

/** Keeps alerts; its functions are parts of the jobs that add events. */
export function keepAlerts(db: Database) {
  const isKnown = db.$client.prepare(
    'select 1 from alerts where license_id = :licenseId and site_id = :siteId and subject = :subject',
  );
  const known = db.$client.prepare(
    'select count(*) as subjects from alerts where license_id = :licenseId and site_id = :siteId',
  );
  const merge = db.$client.prepare(`
    insert into alerts (license_id, site_id, subject, critical_at, high_at, resolved_at)
      values (:licenseId, :siteId, :subject, :criticalAt, :highAt, :resolvedAt)
      on conflict do update set
        critical_at = max(coalesce(critical_at, excluded.critical_at), coalesce(excluded.critical_at, critical_at)),
        high_at = max(coalesce(high_at, excluded.high_at), coalesce(excluded.high_at, high_at)),
        resolved_at = max(coalesce(resolved_at, excluded.resolved_at), coalesce(excluded.resolved_at, resolved_at))
  `);

  return {
    /** Takes in what events of one site told. */
    tellAlerts(licenseId: number, siteId: number, told: readonly AlertFacts[]): void {
      for (const facts of told) {
        const fits =
          isKnown.get({ licenseId, siteId, subject: facts.subject }) !== undefined ||
          Number(known.get({ licenseId, siteId })?.subjects) < SUBJECTS_MAX;
        if (fits) merge.run({ licenseId, siteId, ...facts });
        else merge.run({ licenseId, siteId, ...facts, subject: OTHER_SUBJECTS, resolvedAt: null });
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

/** Reads what was told of a tenant's alerts; domain/alerts.ts says which are open. */
export function readAlerts(db: Database) {
  const { siteId, subject, criticalAt, highAt, resolvedAt } = alerts;
  const between = db
    .select({ siteId, subject, criticalAt, highAt, resolvedAt })
    .from(alerts)
    .where(
      and(
        eq(alerts.licenseId, sql.placeholder('licenseId')),
        gte(siteId, sql.placeholder('firstSiteId')),
        lte(siteId, sql.placeholder('lastSiteId')),
      ),
    )
    .prepare();

  return {
    /** Of all sites of a license from one to another, in the order of their ids. */
    between: (licenseId: number, firstSiteId: number, lastSiteId: number): SiteAlert[] =>
      between.all({ licenseId, firstSiteId, lastSiteId }),
  };
}
