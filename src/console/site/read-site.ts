import { judgeSite, type SiteStanding } from '../../domain/site/site.ts';
import { byUrgency } from '../../routes/fields/finding-fields.ts';
import type { Parts } from '../../routes/parts.ts';
import { readAssessments } from '../../storage/scans/assessments.ts';
import { readScans } from '../../storage/scans/scans.ts';
import { readSignals } from '../../storage/signals/signals.ts';
import { readAlerts } from '../../storage/sites/alerts.ts';
import { readAllEvents } from '../../storage/sites/all-events.ts';
import { readDomainControls } from '../../storage/sites/domain-controls.ts';
import { readOpenAlerts } from '../../storage/sites/open-alerts.ts';
import { siteExpectations } from '../../storage/sites/site-expectations.ts';
import { readSites, type SiteDetail } from '../../storage/sites/sites.ts';
import { readTrustSites } from '../../storage/trust/trust-sites.ts';
import { readImportances } from '../../storage/vulnerabilities/importances.ts';
import { readInventories } from '../../storage/vulnerabilities/inventories.ts';
import {
  countByDecision,
  judgeComponents,
  keptComponents,
  type SiteFindings,
} from '../../storage/vulnerabilities/site-findings.ts';

const SHOWN = { alerts: 20, events: 10, scans: 5 } as const;

export type SiteParts = Parts<'config' | 'db' | 'identities' | 'mirror'>;

/** Returns a function that reads one site with its alerts, vulnerabilities, newest events and scans; undefined for an unknown site. */
export function createSiteReader({ db, config, identities, mirror }: SiteParts) {
  const reads = { sites: readSites(db), alerts: readAlerts(db) };
  const components = {
    inventories: readInventories(db),
    importances: readImportances(db),
    signals: readSignals(db),
  };
  const openAlerts = readOpenAlerts(db);
  const events = readAllEvents(db);
  const scans = readScans(db);
  const assessments = readAssessments(db);
  const controls = readDomainControls(db);
  const trust = readTrustSites(db);

  const findingsOf = async (
    licenseId: number,
    site: SiteDetail,
    now: number,
  ): Promise<SiteFindings | 'no_components' | 'no_data'> => {
    const kept = await keptComponents(components, identities, licenseId, site);
    if (kept === undefined) return 'no_components';
    const found = await mirror.ask((current) => judgeComponents(kept, current, now));
    return found === undefined ? 'no_data' : { ...found, findings: found.findings.toSorted(byUrgency) };
  };

  return async (licenseId: number, domain: string, now: number) => {
    const summary = await reads.sites.findByDomain(licenseId, domain);
    const site = summary && (await reads.sites.find(licenseId, summary.publicId));
    if (site === undefined) return undefined;
    const findings = await findingsOf(licenseId, site, now);
    const known = {
      alerts: await reads.alerts.ofSite(licenseId, site.id),
      vulnerabilities: typeof findings === 'string' ? null : countByDecision(findings),
    };
    const judged: SiteDetail & SiteStanding = judgeSite(
      site,
      known,
      await siteExpectations(reads, config, licenseId),
      now,
    );
    const ofSite = { licenseId, domain };
    const newest = { status: null, type: null, since: 0, beforeId: Number.MAX_SAFE_INTEGER };
    return {
      licenseId,
      site: judged,
      findings,
      alerts: (await openAlerts.page(ofSite, { limit: SHOWN.alerts }, now)).alerts,
      events: (await events.page(ofSite, { limit: SHOWN.events })).events,
      scans: await scans.page({ ...ofSite, ...newest, limit: SHOWN.scans }),
      assessment: await assessments.newest(licenseId, domain),
      control: await controls.find(licenseId, domain),
      trust: await trust.find(licenseId, domain),
    };
  };
}

/** The data of a site's page. */
export type SiteShown = NonNullable<Awaited<ReturnType<ReturnType<typeof createSiteReader>>>>;
