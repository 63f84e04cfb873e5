import { controlState } from '../../domain/domain-control/control.ts';
import type { License } from '../../domain/license/license.ts';
import { normalizeSiteDomain } from '../../domain/site/site-domain.ts';
import { type SurfaceTarget, surfaceTarget } from '../../domain/surface/target.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../settings/config.ts';
import type { TenantReads } from '../../storage/tenant-data.ts';
import { scansDisabled } from './outside-looks.ts';
import { notASite, notVerified, siteNotFound } from './scan-fields.ts';

interface SiteReads {
  readonly tenantData: Pick<TenantReads, 'sites'>;
}
interface ControlReads {
  readonly tenantData: Pick<TenantReads, 'domainControls'>;
  readonly clock: Clock;
}
interface TargetReads extends ControlReads {
  readonly config: Config;
}

/**
 * Returns the domain of a site that is registered for the license or has reported.
 *
 * @throws Refusal if the license has no such site
 */
export async function ownSiteDomain(
  { tenantData }: SiteReads,
  license: License,
  siteUrl: string,
): Promise<string> {
  const domain = normalizeSiteDomain(siteUrl)?.name;
  if (domain === undefined) throw notASite();
  if (license.domains.includes(domain)) return domain;
  if ((await tenantData.sites.findByDomain(license.id, domain)) === undefined) throw siteNotFound();
  return domain;
}

/** @throws Refusal unless the license has proved that it controls the domain */
export async function requireControl(
  { tenantData, clock }: ControlReads,
  licenseId: number,
  domain: string,
): Promise<void> {
  const control = await tenantData.domainControls.find(licenseId, domain);
  if (controlState(control, clock.now()) !== 'verified') throw notVerified();
}

/**
 * Returns the target of a surface scan.
 *
 * @throws Refusal if the license may not scan it
 */
export async function ownSurfaceTarget(
  parts: TargetReads,
  license: License,
  siteUrl: string,
): Promise<SurfaceTarget> {
  const { config } = parts;
  if (!config.surfaceScans) throw scansDisabled();
  const target = surfaceTarget(siteUrl, config.scanAllowPrivate);
  if (target === undefined) throw notASite();
  if (!license.domains.includes(target.domain)) throw siteNotFound();
  await requireControl(parts, license.id, target.domain);
  return target;
}
