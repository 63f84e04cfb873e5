import { heartbeatSeconds } from '../../domain/site/heartbeat.ts';
import type { SiteExpectations } from '../../domain/site/site.ts';
import { newestVersion } from '../../lib/version-order.ts';
import type { Config } from '../../settings/config.ts';
import type { SiteReads } from './sites.ts';

/** The interval of heartbeats of a license's sites. */
export const heartbeatSecondsOf = async (
  { sites }: { readonly sites: SiteReads },
  config: Config,
  licenseId: number,
): Promise<number> => heartbeatSeconds(await sites.count(licenseId), config.rateKeyPerMinute);

/** The expected behavior of a license's sites. */
export const siteExpectations = async (
  data: { readonly sites: SiteReads },
  config: Config,
  licenseId: number,
): Promise<SiteExpectations> => ({
  heartbeatSeconds: await heartbeatSecondsOf(data, config, licenseId),
  newestPluginVersion: config.pluginVersion ?? newestVersion(await data.sites.pluginVersions(licenseId)),
});
