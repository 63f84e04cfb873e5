import { Type as t } from '@sinclair/typebox';
import { refuse } from '../../domain/refusal.ts';
import { pathParameter } from '../../http/route/index.ts';
import type { SiteDetail } from '../../storage/sites/sites.ts';
import type { TenantReads } from '../../storage/tenant-data.ts';

/** A site ID in a query. */
export const SiteId = t.String({ description: 'site ID, as in GET /sites' });

export const SITE_ID = pathParameter('siteId', 'site ID, as in GET /sites');

/**
 * Finds a site of a license by its public id.
 *
 * @throws Refusal if the license has no such site
 */
export async function findSite(
  { sites }: Pick<TenantReads, 'sites'>,
  licenseId: number,
  publicId: string,
): Promise<SiteDetail> {
  const site = await sites.find(licenseId, publicId);
  if (site === undefined)
    throw refuse(
      'SITE_NOT_FOUND',
      'This license has no such site. GET /sites lists a site after its first heartbeat.',
    );
  return site;
}
