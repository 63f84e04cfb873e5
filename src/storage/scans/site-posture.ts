import type { Finding } from '../../domain/finding.ts';
import type { DerivedIdentities } from '../../domain/identity.ts';
import { judgePosture, type PostureSummary } from '../../domain/posture/posture-findings.ts';
import {
  judgeSite,
  type KnownOfSite,
  type SiteExpectations,
  type SiteStanding,
} from '../../domain/site/site.ts';
import type { Config } from '../../settings/config.ts';
import type { SnapshotSource } from '../mirror/snapshot-sources.ts';
import type { AlertReads } from '../sites/alerts.ts';
import { latestMeasures } from '../sites/latest-measures.ts';
import { siteExpectations } from '../sites/site-expectations.ts';
import type { Site, SiteReads } from '../sites/sites.ts';
import {
  type ComponentReads,
  countByDecision,
  judgeComponents,
  type KeptComponents,
  type KnownHere,
  keptComponents,
  overdueIn,
  type SiteFindings,
} from '../vulnerabilities/site-findings.ts';

/** The vulnerability data to search. */
export interface AskedMirror extends KnownHere {
  readonly snapshotId: string;
  readonly sources: readonly SnapshotSource[];
}

/** What a tenant has sent of a domain. */
interface DomainReads extends ComponentReads {
  readonly sites: SiteReads;
  readonly alerts: AlertReads;
}

/** What a posture scan reads from. */
export interface PostureReads {
  readonly tenantData: {
    readonly atOnce: <Value>(read: (data: DomainReads) => Promise<Value>) => Promise<Value>;
  };
  readonly identities: DerivedIdentities;
  readonly config: Config;
  /** Searches the current vulnerability data; undefined without any. */
  readonly mirror: {
    ask<Answer>(question: (current: AskedMirror) => Promise<Answer>): Promise<Answer | undefined>;
  };
}

/** The evaluated reports of a tenant about a domain. */
export interface SitePosture {
  /** Most severe first. */
  readonly findings: Finding[];
  /** Undefined for one that has never reported. */
  readonly site: (Site & SiteStanding) | undefined;
  /** Undefined when the site has reported no components, or there is no vulnerability data. */
  readonly components: { readonly found: SiteFindings; readonly mirror: AskedMirror } | undefined;
}

/** What is stored of a domain, all of one moment. */
interface StoredPosture {
  readonly known: Site | undefined;
  readonly expected: SiteExpectations;
  readonly alerts: KnownOfSite['alerts'];
  readonly measures: PostureSummary['measures'];
  readonly components: KeptComponents | undefined;
}

/**
 * Evaluates a tenant's reports about a domain with the current vulnerability data.
 *
 * @param domain normalised
 */
export async function judgeSitePosture(
  { tenantData, identities, config, mirror }: PostureReads,
  licenseId: number,
  domain: string,
  nowMs: number,
): Promise<SitePosture> {
  const storedOf = async (data: DomainReads): Promise<StoredPosture> => {
    const known = await data.sites.findByDomain(licenseId, domain);
    return {
      known,
      expected: await siteExpectations(data, config, licenseId),
      alerts: known ? await data.alerts.ofSite(licenseId, known.id) : [],
      measures: await latestMeasures(data, identities, licenseId, known?.publicId),
      components: known && (await keptComponents(data, identities, licenseId, known)),
    };
  };
  const { known, expected, alerts, measures, components: kept } = await tenantData.atOnce(storedOf);
  const components =
    kept &&
    (await mirror.ask(async (current) => ({
      found: await judgeComponents(kept, current, nowMs),
      mirror: current,
    })));
  const vulnerabilities = components === undefined ? null : countByDecision(components.found);
  const site = known && judgeSite(known, { alerts, vulnerabilities }, expected, nowMs);
  const findings = judgePosture({
    now: nowMs,
    lastSeenAt: site?.lastSeenAt ?? null,
    pluginVersion: site?.pluginVersion ?? null,
    ...expected,
    openAlerts: site?.openAlerts ?? [],
    measures,
    overdueVulnerabilities: components === undefined ? [] : overdueIn(components.found),
  });
  return { findings, site, components };
}
