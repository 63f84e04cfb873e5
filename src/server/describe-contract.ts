import { generateKeyPairSync } from 'node:crypto';
import { createIdentities } from '../domain/identity.ts';
import { refuse } from '../domain/refusal.ts';
import { authenticate } from '../http/caller.ts';
import { InsideRequests } from '../http/inside-requests.ts';
import { createLimits } from '../http/limits.ts';
import { RequestMetrics } from '../http/request-metrics.ts';
import { systemAfter, systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { RecentUses } from '../lib/recent-uses.ts';
import { Downloads } from '../pages/downloads.ts';
import type { Config } from '../settings/config.ts';
import { loadOffer } from '../settings/offer.ts';
import type { TenantReads } from '../storage/tenant-data.ts';
import { createApp } from './app.ts';

const noReads: TenantReads = {
  sites: {
    list: async () => [],
    all: async () => [],
    count: async () => 0,
    find: async () => undefined,
    findByDomain: async () => undefined,
    pluginVersions: async () => [],
  },
  events: { page: async () => ({ events: [], nextBeforeId: undefined }) },
  alerts: { ofSite: async () => [] },
  domainControls: { find: async () => undefined },
  trustSites: { find: async () => undefined, isAnyEnabled: async () => false },
  credentials: {
    find: async () => undefined,
    same: async () => undefined,
    page: async () => ({ credentials: [], nextBeforeId: undefined }),
  },
  rollups: { ofLicense: async () => [], ofSite: async () => [] },
  signals: { latest: async () => undefined, isAnySince: async () => false },
  usage: { isUsed: async () => false },
  volumes: { ofLicense: async () => ({ events: 0, bytes: 0 }), ofAll: async () => ({ events: 0, bytes: 0 }) },
  verdictTally: async () => ({ malicious: 0, suspicious: 0, clean: 0 }),
  inventories: { ofSite: async () => undefined, receivedAt: async () => undefined },
  scans: {
    find: async () => undefined,
    repeated: async () => undefined,
    unfinished: async () => undefined,
    page: async () => [],
  },
  scanSchedules: { ofSite: async () => undefined },
  assessments: { newest: async () => undefined, since: async () => [], ofScan: async () => undefined },
  evidence: {
    current: async () => undefined,
    ofLicense: async () => [],
    byPublicId: async () => undefined,
    entries: async () => [],
    matching: async () => [],
    momentOf: async () => undefined,
    signedLogs: async () => [],
    lastKey: async () => undefined,
    newestCheckpoint: async () => undefined,
    rootOf: async () => Buffer.alloc(0),
    inclusionProof: async () => [],
    inclusionProofs: async () => [],
    consistencyProof: async () => [],
  },
  importances: { ofSite: async () => undefined },
};

/** The contract without a service: its controllers are constructed and never called. */
export async function describeContract(config: Config): Promise<object> {
  const limits = createLimits(config, () => '', systemClock.monotonic);
  const { catalog, priceList } = loadOffer(config.catalogFile);
  const noStore = refuse('STORE_UNAVAILABLE', 'There is no store.');
  const authenticateNobody = authenticate(() => undefined, limits);
  const { document } = createApp({
    config,
    catalog,
    clock: systemClock,
    log: silentLog,
    identities: createIdentities(new Uint8Array()),
    findLicense: () => undefined,
    countVulnerabilities: async () => null,
    tenantData: { ...noReads, atOnce: (read) => read(noReads) },
    statusLists: {
      open: async () => undefined,
      isFree: async () => false,
      at: async () => undefined,
      issuerOf: async () => undefined,
      issuers: async () => [],
      revoked: async () => [],
    },
    writer: { write: async () => noStore },
    publicUrl: () => '',
    inside: new InsideRequests(),
    portal: {
      sessionOf: async () => undefined,
      licenseOf: async () => undefined,
      seen: () => ({ overTls: false, origin: '' }),
      downloads: new Downloads({ ...systemClock, after: systemAfter, onFault: () => {} }),
    },
    payments: {
      processor: undefined,
      priceList,
      enroll: async () => noStore,
      confirmPending: async () => {},
      isSubscribed: async () => false,
      isAnySettled: async () => false,
      checkoutState: async () => 'awaited',
      take: async () => noStore,
    },
    credentialKeys: {
      active: async () => undefined,
      canSign: () => true,
      all: async () => [],
      published: async () => [],
    },
    signingKeys: { signer: async () => undefined, all: async () => [] },
    evidenceKey: generateKeyPairSync('ed25519').privateKey,
    feed: { current: () => undefined, ageSeconds: () => 0 },
    mirror: { current: () => undefined, ask: async () => undefined, isBroken: false },
    judgeContent: () => Promise.reject(new Error('There is no analysis.')),
    judgeContents: () => Promise.reject(new Error('There is no analysis.')),
    isAnalysisAvailable: () => true,
    surveySite: () => Promise.reject(new Error('There is no network.')),
    trustDesk: {
      address: undefined,
      standing: async () => ({ state: 'not_current', problem: 'never_assessed' }),
      change: async () => noStore,
      published: async () => undefined,
    },
    securityTxt: undefined,
    evidenceDesk: { signed: async () => noStore, covering: async () => noStore },
    scanDesk: { add: () => {}, cancel: () => {}, progressOf: () => 0 },
    checkControl: () => Promise.reject(new Error('There is no network.')),
    health: {
      problems: () => [],
      warnings: async () => [],
      lastBackup: async () => undefined,
      certificateEndsAt: () => undefined,
      reloads: { hasLastFailed: false },
    },
    uses: new RecentUses(0, systemClock.monotonic),
    logCollected: false,
    limits,
    requestMetrics: new RequestMetrics(),
    noteAnswer: () => {},
    mayReadMetrics: () => false,
    isTidied: () => false,
    connections: () => undefined,
    authenticate: authenticateNobody,
    authenticateValid: authenticateNobody,
    peekLimits: () => {},
  });
  return document();
}
