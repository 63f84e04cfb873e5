import { ownTurn } from '../../lib/own-turn.ts';
import { type AlertFacts, type AlertStanding, incidentSeverity, standingOf } from './alerts.ts';
import type { AlertCounts, VulnerabilityCounts } from './score-factors.ts';
import { type SiteScore, scoreSite } from './site-score.ts';
import { type SiteStatus, siteStatus } from './site-status.ts';

/** The state of a site at one moment, from its stored facts. */
export interface SiteStanding extends AlertStanding {
  readonly status: SiteStatus;
  readonly score: SiteScore;
}

/** The fields of a site that determine its state. */
interface JudgedSite {
  readonly id: number;
  readonly lastSeenAt: number;
  readonly pluginVersion: string | null;
}

/** The expected behavior of a license's sites. */
export interface SiteExpectations {
  /** Between two heartbeats of a site. */
  readonly heartbeatSeconds: number;
  /** As released, or else of all sites of the license; null when no site reports one. */
  readonly newestPluginVersion: string | null;
}

/** The alerts and vulnerabilities of one site. */
export interface KnownOfSite {
  readonly alerts: readonly AlertFacts[];
  readonly vulnerabilities: VulnerabilityCounts | null;
}

/** Evaluates one site. */
export function judgeSite<Site extends JudgedSite>(
  site: Site,
  { alerts, vulnerabilities }: KnownOfSite,
  { heartbeatSeconds, newestPluginVersion }: SiteExpectations,
  nowMs: number,
): Site & SiteStanding {
  const status = siteStatus(site.lastSeenAt, nowMs, heartbeatSeconds);
  const alertStanding = standingOf(alerts, nowMs);
  const incidents = alerts.flatMap((facts) => incidentSeverity(facts, nowMs) ?? []);
  const score = scoreSite({
    status,
    openAlerts: countAlerts(alertStanding.openAlerts.map(({ severity }) => severity)),
    incidents: countAlerts(incidents),
    pluginVersion: site.pluginVersion,
    newestPluginVersion,
    vulnerabilities,
  });
  return { ...site, ...alertStanding, status, score };
}

const SITES_PER_TURN = 50;

/**
 * Evaluates sites of one license, some in each turn of the event loop, because thousands of them take long.
 *
 * @param knownOf reads the alerts and vulnerabilities of one
 * @param gone when the result is no longer needed
 * @returns them in the same order, some at a time
 */
export async function* judgeInTurns<Site extends JudgedSite>(
  sites: readonly Site[],
  knownOf: (site: Site) => Promise<KnownOfSite>,
  expectations: SiteExpectations,
  nowMs: number,
  gone: AbortSignal,
): AsyncGenerator<(Site & SiteStanding)[]> {
  for (let from = 0; from < sites.length && !gone.aborted; from += SITES_PER_TURN) {
    if (from > 0) await ownTurn();
    const some = sites.slice(from, from + SITES_PER_TURN);
    yield await Promise.all(
      some.map(async (site) => judgeSite(site, await knownOf(site), expectations, nowMs)),
    );
  }
}

/** A site's address, as far as its domain tells it. */
export const siteUrl = (domain: string): string => `https://${domain}`;

/** Alerts by severity. */
export const countAlerts = (severities: readonly (keyof AlertCounts)[]): AlertCounts => ({
  critical: severities.filter((severity) => severity === 'critical').length,
  high: severities.filter((severity) => severity === 'high').length,
});
