import { and, eq, sql } from 'drizzle-orm';
import { openAlert } from '../domain/alerts.ts';
import { newestVersion } from '../domain/posture-findings/version.ts';
import type { PostureSummary } from '../domain/posture-findings.ts';
import { countAlerts } from '../domain/site.ts';
import { readAlerts } from './alerts.ts';
import type { Database } from './database.ts';
import { sites } from './schema.ts';
import { readSites } from './sites.ts';

/** What is stored of one site of a license, for domain/posture-findings.ts to judge. */
export function readPosture(db: Database) {
  const siteOf = db
    .select({ id: sites.id, lastSeenAt: sites.lastSeenAt, pluginVersion: sites.pluginVersion })
    .from(sites)
    .where(
      and(eq(sites.licenseId, sql.placeholder('licenseId')), eq(sites.domain, sql.placeholder('domain'))),
    )
    .prepare();
  const { pluginVersions } = readSites(db);
  const alerts = readAlerts(db);

  return (licenseId: number, domain: string, now: number): PostureSummary => {
    const site = siteOf.get({ licenseId, domain });
    const told = site ? alerts.between(licenseId, site.id, site.id) : [];
    const open = told.flatMap((facts) => openAlert(facts, now) ?? []);
    return {
      now,
      lastSeenAt: site?.lastSeenAt ?? null,
      pluginVersion: site?.pluginVersion ?? null,
      newestPluginVersion: newestVersion(pluginVersions(licenseId)),
      openAlerts: countAlerts(open.map(({ severity }) => severity)),
      measures: [],
    };
  };
}
