import type { Finding } from '../domain/finding.ts';
import type { DerivedIdentities } from '../domain/identity.ts';
import { judgePosture, type PostureSummary } from '../domain/posture/posture-findings.ts';
import { standingOf } from '../domain/site/alerts.ts';
import type { Config } from '../settings/config.ts';
import { latestMeasures } from './latest-measures.ts';
import { siteExpectations } from './site-expectations.ts';
import {
  judgeComponents,
  type KeptComponents,
  type KnownHere,
  keptComponents,
  overdueIn,
} from './site-findings.ts';
import type { TenantData, TenantReads } from './tenant-data.ts';

/** What a posture scan reads from. */
export interface PostureReads {
  readonly tenantData: Pick<TenantData, 'atOnce'>;
  readonly identities: DerivedIdentities;
  readonly config: Config;
  /** Asks the vulnerability data in use; undefined when there is none. */
  readonly mirror: {
    ask<Answer>(question: (current: KnownHere) => Promise<Answer>): Promise<Answer | undefined>;
  };
}

type KeptPosture = Omit<PostureSummary, 'overdueVulnerabilities'> & {
  readonly components: KeptComponents | undefined;
};

/**
 * Judges what a tenant has sent of a domain, by what is imported now.
 *
 * @param domain normalised
 */
export async function judgeSitePosture(
  { tenantData, identities, config, mirror }: PostureReads,
  licenseId: number,
  domain: string,
  nowMs: number,
): Promise<Finding[]> {
  const keptOf = async (data: TenantReads): Promise<KeptPosture> => {
    const site = await data.sites.findByDomain(licenseId, domain);
    return {
      now: nowMs,
      lastSeenAt: site?.lastSeenAt ?? null,
      pluginVersion: site?.pluginVersion ?? null,
      ...(await siteExpectations(data, config, licenseId)),
      openAlerts: site ? standingOf(await data.alerts.ofSite(licenseId, site.id), nowMs).openAlerts : [],
      measures: await latestMeasures(data, identities, licenseId, site?.publicId),
      components: site && (await keptComponents(data, identities, licenseId, site)),
    };
  };
  const { components, ...posture } = await tenantData.atOnce(keptOf);
  const found = components && (await mirror.ask((current) => judgeComponents(components, current, nowMs)));
  return judgePosture({ ...posture, overdueVulnerabilities: found === undefined ? [] : overdueIn(found) });
}
