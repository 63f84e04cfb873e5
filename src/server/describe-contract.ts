import { createIdentities } from '../domain/identity.ts';
import { defaultCatalog } from '../domain/license/catalog.ts';
import { defaultOffer } from '../domain/payment/price-list.ts';
import { refuse } from '../domain/refusal.ts';
import { authenticate } from '../http/caller.ts';
import { createLimits } from '../http/limits.ts';
import { RequestMetrics } from '../http/request-metrics.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { RecentUses } from '../lib/recent-uses.ts';
import type { Config } from '../settings/config.ts';
import type { TenantData } from '../storage/tenant-data.ts';
import { createApp } from './app.ts';

const noTenantData: TenantData = {
  sites: {
    list: () => [],
    all: () => [],
    count: () => 0,
    find: () => undefined,
    findByDomain: () => undefined,
    pluginVersions: () => [],
  },
  events: { page: () => ({ events: [], nextBeforeId: undefined }) },
  alerts: { ofSite: () => [] },
  registrations: { boundBy: () => undefined },
  rollups: { ofLicense: () => [], ofSite: () => [] },
  signals: { latest: () => undefined, isAnySince: () => false },
  usage: { isUsed: () => false },
  volumes: { ofLicense: () => ({ events: 0, bytes: 0 }), ofAll: () => ({ events: 0, bytes: 0 }) },
  verdictTally: () => ({ malicious: 0, suspicious: 0, clean: 0 }),
  atOnce: (read) => read(),
};

/** The contract without a service: its controllers are constructed and never called. */
export async function describeContract(config: Config): Promise<object> {
  const limits = createLimits(config, () => '', systemClock.monotonic);
  const noStore = refuse('STORE_UNAVAILABLE', 'There is no store.');
  const authenticateNobody = authenticate(() => undefined, limits);
  const { document } = createApp({
    config,
    catalog: defaultCatalog,
    clock: systemClock,
    log: silentLog,
    identities: createIdentities(new Uint8Array()),
    findLicense: () => undefined,
    tenantData: noTenantData,
    writer: { write: async () => noStore },
    publicUrl: () => '',
    payments: {
      processor: undefined,
      priceList: defaultOffer.priceList,
      enroll: async () => noStore,
      confirmPending: async () => {},
      isSubscribed: () => false,
      isAnySettled: () => false,
      checkoutState: () => 'awaited',
      take: async () => noStore,
    },
    feed: { current: () => undefined, ageSeconds: () => 0 },
    judgeContent: () => Promise.reject(new Error('There is no analysis.')),
    isAnalysisAvailable: () => true,
    surveySite: () => Promise.reject(new Error('There is no network.')),
    health: {
      problems: () => [],
      warnings: () => [],
      certificateEndsAt: () => undefined,
      reloads: { hasLastFailed: false },
    },
    uses: new RecentUses(0, systemClock.monotonic),
    logCollected: false,
    limits,
    requestMetrics: new RequestMetrics(),
    mayReadMetrics: () => false,
    isTidied: () => false,
    connections: () => undefined,
    authenticate: authenticateNobody,
    authenticateValid: authenticateNobody,
    peekLimits: () => {},
  });
  return document();
}
