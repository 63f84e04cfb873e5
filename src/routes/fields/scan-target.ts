import { controlState } from '../../domain/domain-control/control.ts';
import type { License } from '../../domain/license/license.ts';
import { normalizeSiteDomain } from '../../domain/site/site-domain.ts';
import { type SurfaceTarget, surfaceTarget } from '../../domain/surface/target.ts';
import type { Parts } from '../parts.ts';
import { scansDisabled } from './outside-looks.ts';
import { notASite, notVerified, siteNotFound } from './scan-fields.ts';

/**
 * The domain of a site that a license has registered, or that was heard of.
 *
 * @throws Refusal when it is none of its sites
 */
export async function ownSiteDomain(
  { tenantData }: Pick<Parts, 'tenantData'>,
  license: License,
  siteUrl: string,
): Promise<string> {
  const domain = normalizeSiteDomain(siteUrl)?.name;
  if (domain === undefined) throw notASite();
  if (license.domains.includes(domain)) return domain;
  if ((await tenantData.sites.findByDomain(license.id, domain)) === undefined) throw siteNotFound();
  return domain;
}

/** @throws Refusal when nothing proves that a license controls a domain */
export async function requireControl(
  { tenantData, clock }: Pick<Parts, 'tenantData' | 'clock'>,
  licenseId: number,
  domain: string,
): Promise<void> {
  const control = await tenantData.domainControls.find(licenseId, domain);
  if (controlState(control, clock.now()) !== 'verified') throw notVerified();
}

/**
 * The site that a license has looked at from outside.
 *
 * @throws Refusal when it may not
 */
export async function ownSurfaceTarget(
  parts: Pick<Parts, 'config' | 'tenantData' | 'clock'>,
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
