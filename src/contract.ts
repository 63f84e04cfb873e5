import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { defaultCatalog } from './domain/catalog.ts';
import { createIdentities } from './domain/identity.ts';
import { refuse } from './domain/refusal.ts';
import { NO_VERDICTS } from './domain/verdict-tally.ts';
import { authenticate } from './http/caller.ts';
import { createLimits } from './http/limits.ts';
import { RequestMetrics } from './http/request-metrics.ts';
import { systemClock } from './lib/clock.ts';
import { silentLog } from './lib/log.ts';
import type { TenantData } from './storage/tenant-data.ts';

const noTenantData: TenantData = {
  sites: {
    list: () => [],
    all: () => [],
    find: () => undefined,
    findByDomain: () => undefined,
    pluginVersions: () => [],
  },
  events: { page: () => ({ events: [], nextBeforeId: undefined }) },
  alerts: { between: () => [] },
  rollups: { ofLicense: () => [], ofSite: () => [] },
  signals: { latest: () => undefined },
  verdictTally: () => NO_VERDICTS,
  atOnce: (read) => read(),
};

/** The contract without a service: its controllers are constructed and never called. */
export async function describeContract(config: Config): Promise<object> {
  const limits = createLimits(config, () => '', systemClock.monotonic);
  const authenticateNobody = authenticate(() => undefined, limits);
  const { document } = await createApp({
    config,
    catalog: defaultCatalog,
    clock: systemClock,
    log: silentLog,
    identities: createIdentities(new Uint8Array()),
    findLicense: () => undefined,
    writer: { write: async () => refuse('STORE_UNAVAILABLE', 'There is no store.') },
    tenantData: noTenantData,
    feed: { current: () => undefined, ageSeconds: () => 0, problem: undefined, stop: () => {} },
    surveySite: () => Promise.reject(new Error('There is no network.')),
    health: { problems: () => [] },
    limits,
    requestMetrics: new RequestMetrics(),
    mayReadMetrics: () => false,
    authenticate: authenticateNobody,
    authenticateValid: authenticateNobody,
    peekLimits: () => {},
  });
  return document;
}
