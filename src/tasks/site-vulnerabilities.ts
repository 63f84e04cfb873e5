import type { DerivedIdentities } from '../domain/identity.ts';
import type { VulnerabilityCounts } from '../domain/site/score-factors.ts';
import { type Clock, MINUTE_MS } from '../lib/clock.ts';
import { FreshValues } from '../lib/fresh-values.ts';
import {
  type AskedSite,
  type ComponentReads,
  countByDecision,
  judgeComponents,
  keptComponents,
} from '../storage/vulnerabilities/site-findings.ts';
import type { Mirror } from './mirror.ts';

/** Longest use of a count after the site's importance or exposure has changed. */
const FRESH_MS = MINUTE_MS;
const SITES_MAX = 20_000;

interface SiteVulnerabilityParts {
  readonly reads: ComponentReads;
  readonly identities: DerivedIdentities;
  readonly mirror: Pick<Mirror, 'ask'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

type CountKey = readonly [
  licenseId: number,
  id: number,
  publicId: string,
  receivedAt: number,
  snapshot: string,
];

/** Counts the open vulnerabilities of a site; null if they cannot be determined. */
export type CountVulnerabilities = (
  licenseId: number,
  site: AskedSite,
) => Promise<VulnerabilityCounts | null>;

/**
 * Counts the vulnerabilities of sites. Counts are cached by the reported components and the vulnerability data, because lists
 * of sites are read more often than either changes.
 */
export function countSiteVulnerabilities({
  reads,
  identities,
  mirror,
  clock,
}: SiteVulnerabilityParts): CountVulnerabilities {
  const counts = new FreshValues<string, VulnerabilityCounts>(
    async (key) => {
      const [licenseId, id, publicId] = JSON.parse(key) as CountKey;
      const components = await keptComponents(reads, identities, licenseId, { id, publicId });
      return (
        components &&
        mirror.ask(async (current) =>
          countByDecision(await judgeComponents(components, current, clock.now())),
        )
      );
    },
    { freshMs: FRESH_MS, max: SITES_MAX, monotonic: clock.monotonic },
  );
  return async (licenseId, site) => {
    const receivedAt = await reads.inventories.receivedAt(licenseId, site.id);
    if (receivedAt === undefined) return null;
    const snapshot = await mirror.ask(async ({ snapshotId }) => snapshotId);
    if (snapshot === undefined) return null;
    const key: CountKey = [licenseId, site.id, site.publicId, receivedAt, snapshot];
    return (await counts.get(JSON.stringify(key))) ?? null;
  };
}
