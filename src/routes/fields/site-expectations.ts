import { heartbeatSeconds } from '../../domain/site/heartbeat.ts';
import type { SiteExpectations } from '../../domain/site/site.ts';
import { newestVersion } from '../../lib/version-order.ts';
import type { Parts } from '../parts.ts';

/** How often a license's sites are to send heartbeats. */
export const heartbeatSecondsOf = (
  { tenantData, config }: Pick<Parts, 'tenantData' | 'config'>,
  licenseId: number,
): number => heartbeatSeconds(tenantData.sites.count(licenseId), config.rateKeyPerMinute);

/** What a license's sites are measured against. */
export const siteExpectations = (
  parts: Pick<Parts, 'tenantData' | 'config'>,
  licenseId: number,
): SiteExpectations => ({
  heartbeatSeconds: heartbeatSecondsOf(parts, licenseId),
  newestPluginVersion:
    parts.config.pluginVersion ?? newestVersion(parts.tenantData.sites.pluginVersions(licenseId)),
});
