import { controlState } from '../../domain/domain-control/control.ts';
import type { License } from '../../domain/license/license.ts';
import { normalizeSiteDomain } from '../../domain/site/site-domain.ts';
import { type SurfaceTarget, surfaceTarget } from '../../domain/surface/target.ts';
import type { Parts } from '../parts.ts';
import { scansDisabled } from './outside-looks.ts';
import { notASite, notVerified, siteNotFound } from './scan-fields.ts';

/** @throws Refusal when a text is no site */
export function siteDomainOf(siteUrl: string): string {
  const domain = normalizeSiteDomain(siteUrl)?.name;
  if (domain === undefined) throw notASite();
  return domain;
}

/**
 * The site that a license has looked at from outside.
 *
 * @throws Refusal when it may not
 */
export async function ownSurfaceTarget(
  { config, tenantData, clock }: Pick<Parts, 'config' | 'tenantData' | 'clock'>,
  license: License,
  siteUrl: string,
): Promise<SurfaceTarget> {
  if (!config.surfaceScans) throw scansDisabled();
  const target = surfaceTarget(siteUrl, config.scanAllowPrivate);
  if (target === undefined) throw notASite();
  if (!license.domains.includes(target.domain)) throw siteNotFound();
  const control = await tenantData.domainControls.find(license.id, target.domain);
  if (controlState(control, clock.now()) !== 'verified') throw notVerified();
  return target;
}
