import { type AlertFacts, type AlertStanding, incidentSeverity, standingOf } from './alerts.ts';
import type { AlertCounts } from './site-score/factors.ts';
import { type SiteScore, scoreSite } from './site-score.ts';
import { type SiteStatus, siteStatus } from './site-status.ts';

/** How a site stands at one moment, by the facts that are stored of it. */
export interface SiteStanding extends AlertStanding {
  readonly status: SiteStatus;
  readonly score: SiteScore;
}

/** As much of a site as its standing is made from. */
interface JudgedSite {
  readonly id: number;
  readonly lastSeenAt: number;
  readonly pluginVersion: string | null;
}

/**
 * Judges sites of one license.
 *
 * @param alerts of these sites
 * @param newestPluginVersion of all sites of the license; null when none tells one
 * @returns each site with its standing, in the same order
 */
export function judgeSites<Site extends JudgedSite>(
  sites: readonly Site[],
  alerts: readonly (AlertFacts & { readonly siteId: number })[],
  newestPluginVersion: string | null,
  nowMs: number,
): (Site & SiteStanding)[] {
  const alertsBySite = Map.groupBy(alerts, ({ siteId }) => siteId);
  return sites.map((site) => {
    const told = alertsBySite.get(site.id) ?? [];
    const status = siteStatus(site.lastSeenAt, nowMs);
    const alertStanding = standingOf(told, nowMs);
    const incidents = told.flatMap((facts) => incidentSeverity(facts, nowMs) ?? []);
    const score = scoreSite({
      status,
      openAlerts: countAlerts(alertStanding.openAlerts.map(({ severity }) => severity)),
      incidents: countAlerts(incidents),
      pluginVersion: site.pluginVersion,
      newestPluginVersion,
    });
    return { ...site, ...alertStanding, status, score };
  });
}

/** A site's address, as far as its domain tells it. */
export const siteUrl = (domain: string): string => `https://${domain}`;

/** Alerts by severity. */
export const countAlerts = (severities: readonly (keyof AlertCounts)[]): AlertCounts => ({
  critical: severities.filter((severity) => severity === 'critical').length,
  high: severities.filter((severity) => severity === 'high').length,
});
