import { judgeSite, type SiteStanding } from '../../domain/site/site.ts';
import { ANY_TIME } from '../../domain/site/site-status.ts';
import type { Parts } from '../../routes/parts.ts';
import { readAlerts } from '../../storage/sites/alerts.ts';
import { siteExpectations } from '../../storage/sites/site-expectations.ts';
import { readSites, type Site } from '../../storage/sites/sites.ts';

export type JudgedSite = Site & SiteStanding & { readonly licenseId: number };

export type SiteJudgeParts = Parts<'config' | 'countVulnerabilities' | 'db'>;

/** Returns a function that assesses sites of a license, worst first. */
export function createSiteJudge({ db, config, countVulnerabilities }: SiteJudgeParts) {
  const reads = { sites: readSites(db), alerts: readAlerts(db) };
  return async (licenseId: number, now: number, limit: number): Promise<JudgedSite[]> => {
    const sites = await reads.sites.list({ licenseId, afterId: 0, lastSeen: ANY_TIME, limit });
    const expected = await siteExpectations(reads, config, licenseId);
    const judged: JudgedSite[] = [];
    for (const site of sites) {
      const known = {
        alerts: await reads.alerts.ofSite(licenseId, site.id),
        vulnerabilities: await countVulnerabilities(licenseId, site),
      };
      judged.push({ ...judgeSite(site, known, expected, now), licenseId });
    }
    return worstFirst(judged);
  };
}

export const worstFirst = (sites: readonly JudgedSite[]): JudgedSite[] =>
  sites.toSorted((one, other) => one.score.score - other.score.score);
