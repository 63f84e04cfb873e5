import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { newestVersion } from '../domain/posture-findings/version.ts';
import type { PostureSummary } from '../domain/posture-findings.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Database } from './database.ts';
import { events, sites } from './schema.ts';

/** How long an event counts as an open alert. */
const ALERT_DAYS = 7;
/** Bounds the price of one scan, whatever the installation's size; older events are not looked at. */
const EVENTS_READ_MAX = 10_000;

/** What is stored of one site of a license, for domain/posture-findings.ts to judge. */
export function readPosture(db: Database) {
  const siteOf = db
    .select({ id: sites.id, lastSeenAt: sites.lastSeenAt, pluginVersion: sites.pluginVersion })
    .from(sites)
    .where(
      and(eq(sites.licenseId, sql.placeholder('licenseId')), eq(sites.domain, sql.placeholder('domain'))),
    )
    .prepare();
  const versionsOf = db
    .selectDistinct({ version: sites.pluginVersion })
    .from(sites)
    .where(and(eq(sites.licenseId, sql.placeholder('licenseId')), isNotNull(sites.pluginVersion)))
    .prepare();
  const recent = db
    .select({ siteId: events.siteId, severity: events.severity, receivedAt: events.receivedAt })
    .from(events)
    .orderBy(desc(events.id))
    .limit(EVENTS_READ_MAX)
    .as('recent');
  const alertsOf = db
    .select({ severity: recent.severity, count: sql<number>`count(*)` })
    .from(recent)
    .where(and(eq(recent.siteId, sql.placeholder('siteId')), gt(recent.receivedAt, sql.placeholder('since'))))
    .groupBy(recent.severity)
    .prepare();

  return (licenseId: number, domain: string, now: number): PostureSummary => {
    const site = siteOf.get({ licenseId, domain });
    const versions = versionsOf.all({ licenseId }).flatMap(({ version }) => version ?? []);
    const alerts = site ? alertsOf.all({ siteId: site.id, since: now - ALERT_DAYS * DAY_MS }) : [];
    return {
      now,
      lastSeenAt: site?.lastSeenAt ?? null,
      pluginVersion: site?.pluginVersion ?? null,
      newestPluginVersion: newestVersion(versions),
      openAlerts: Object.fromEntries(alerts.map(({ severity, count }) => [severity, count])),
      measures: [],
    };
  };
}
