import { consolePages } from '../../src/console/console.ts';
import { SCOPES, type Scope } from '../../src/domain/admin/scope.ts';
import { OWN_BRAND } from '../../src/domain/brand/brand.ts';
import { createIdentities } from '../../src/domain/identity.ts';
import { defaultOffer } from '../../src/domain/payment/price-list.ts';
import { refuse } from '../../src/domain/refusal.ts';
import { EXAMPLE_FINGERPRINT } from '../../src/domain/threat/fingerprint.ts';
import { createAdminLimits } from '../../src/http/admin-limits.ts';
import { EventStreams } from '../../src/http/event-streams.ts';
import { bindToProcess } from '../../src/http/process-bound.ts';
import { RequestMetrics } from '../../src/http/request-metrics.ts';
import { systemAfter, systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createFeedDesk } from '../../src/operator/feed-desk.ts';
import { createSignIn } from '../../src/operator/sign-in.ts';
import { Downloads } from '../../src/pages/downloads.ts';
import { Notices } from '../../src/pages/notices.ts';
import { PendingForms } from '../../src/pages/pending-forms.ts';
import { createServiceStatus } from '../../src/routes/admin/service-status.ts';
import type { AdminAppParts } from '../../src/server/admin-app.ts';
import { describeAdminContract } from '../../src/server/describe-contract.ts';
import { loadConfig, settingSources } from '../../src/settings/config.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import { readOperators } from '../../src/storage/operators/operators.ts';
import { readSecondFactor } from '../../src/storage/operators/second-factors.ts';
import { readTenantData } from '../../src/storage/tenant-data.ts';
import { call, type Reply, type Request } from './client.ts';
import { bodyExamplesIn, type Contract, refusalsIn } from './conformance.ts';
import { newDatabase } from './database.ts';
import type { RunningService } from './service.ts';
import { rows } from './store.ts';

export const ADMIN = '/admin/v1';

const NO_STORE = refuse('STORE_UNAVAILABLE', 'There is no store.');
const NO_DESK = { do: async () => NO_STORE };
const IDENTITIES = createIdentities(new Uint8Array(32));
const QUIET = {
  problems: () => [],
  warnings: async () => [],
  lastBackup: async () => undefined,
  certificateEndsAt: () => undefined,
  reloads: { hasLastFailed: false },
};

const nothing = () => undefined;

/** What the admin listener serves is made from, without a service. */
export const adminPartsOf = (db: Database): AdminAppParts => ({
  db,
  config: loadConfig({}),
  offer: defaultOffer,
  clock: systemClock,
  log: silentLog,
  desk: NO_DESK,
  limits: createAdminLimits(1, () => '', systemClock.monotonic),
  authenticate: async () => ({ caller: { tokenId: 1, name: 'nobody', scopes: [] } }),
  health: QUIET,
  feed: { ageSeconds: () => 0, current: nothing },
  mirror: { current: nothing, ask: async () => undefined, isBroken: false },
  requestMetrics: new RequestMetrics(),
  countVulnerabilities: async () => null,
  brand: OWN_BRAND,
  tenantData: readTenantData(db, db),
  trustDesk: { published: async () => undefined },
  serviceStatus: createServiceStatus({
    db,
    config: loadConfig({}),
    clock: systemClock,
    requestMetrics: new RequestMetrics(),
    health: QUIET,
    feed: { ageSeconds: () => 0, current: nothing },
    mirror: { current: nothing, ask: async () => undefined, isBroken: false },
  }),
  notices: new Notices(),
  cookieBinding: bindToProcess(),
  flowBinding: bindToProcess(),
  oidc: undefined,
  pendingForms: new PendingForms(1, systemClock.monotonic),
  downloads: new Downloads({ ...systemClock, after: systemAfter, onFault: () => {} }),
  streams: new EventStreams({ after: systemAfter, onFault: nothing }),
  operators: readOperators(db),
  seen: () => ({ overTls: false, origin: '' }),
  addressOf: () => '',
  noteFailedSignIn: nothing,
  identities: IDENTITIES,
  secondFactorOf: readSecondFactor(db),
  signIn: createSignIn({
    identities: IDENTITIES,
    secondFactorOf: readSecondFactor(db),
    operators: readOperators(db),
    desk: NO_DESK,
    clock: systemClock,
    after: systemAfter,
    writer: { write: async () => NO_STORE },
  }),
  noteAnswer: nothing,
  feedDesk: createFeedDesk({ db, clock: systemClock, countFeed: async () => undefined }),
  settlePayments: nothing,
  sendTest: async () => ({ outcome: 'delivered', status: 204, latencyMs: 1 }),
  siteRisks: async () => undefined,
  backupDesk: { latest: nothing, begin: () => false, create: () => false },
  executableChange: nothing,
  sources: settingSources({}),
  overTls: false,
  hstsSeconds: undefined,
  bodyTimeoutSeconds: 1,
  isTidied: () => false,
});

/** The contract of the admin API. */
export const adminContract = (await describeAdminContract()) as Contract;

/** Every path that the console of an executable has, with its method. What pages need of a service is never called. */
export const consoleRoutes = await (async () => {
  const db = connect(newDatabase());
  const routes = consolePages(adminPartsOf(db)).map(({ method, path }) => ({ method, path }));
  await disconnect(db);
  // Only the source has it.
  return routes.filter(({ path }) => path !== '/console/_kit');
})();

export const adminExamples = bodyExamplesIn(adminContract);
export const adminRefusals = refusalsIn(adminContract);

/** Every operation, in the order of the contract. */
export const adminOperations = Object.entries(adminContract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

/** Makes a token, of every scope unless told otherwise. */
export async function tokenOf(
  service: RunningService,
  scopes: readonly Scope[] = SCOPES,
  name = 'shop',
): Promise<string> {
  const words = scopes.flatMap((scope) => ['--scope', scope]);
  return JSON.parse(await service.command('token', 'create', name, ...words, '--json')).token;
}

/** A request of the admin API; null = without a token. */
export interface Asked extends Omit<Request, 'key'> {
  readonly token?: string | null;
  /** The Idempotency-Key. */
  readonly once?: string;
}

export type Admin = (path: string, asked?: Asked) => Promise<Reply>;

/** Calls the admin API with a token, as `call` does, and checks every answer by its contract. */
export const adminOf =
  (service: RunningService, own: string): Admin =>
  (path, { token = own, once, headers = {}, ...asked } = {}) =>
    call(
      service.adminUrl,
      ADMIN + path,
      {
        ...asked,
        key: token ?? undefined,
        headers: { ...headers, ...(once === undefined ? {} : { 'idempotency-key': once }) },
      },
      adminContract,
    );

/** Everything that an act could leave: each table that acts change, and the audit log. */
const KEPT = `licenses license_domains blocked_domains previous_keys domain_controls feed_rulings alerts
  admin_requests audit_log evidence_entries payment_events`
  .split(/\s+/)
  .map((table) => `select * from ${table} order by 1, 2`);
/** Without what signing in, or using a token, changes. */
const ACTORS = [
  'select id, name, role, link_hash, disabled_at, totp_secret from operators order by id',
  'select id, name, revoked_at from admin_tokens order by id',
];

/** A text that differs whenever an act has left something. */
export const whatIsKept = (service: RunningService): string =>
  JSON.stringify([...KEPT, ...ACTORS].map((sql) => rows(service, sql)));

/** What the audit log has of an action, the oldest first. */
export const auditOf = (service: RunningService, action: string) =>
  rows(service, 'select * from audit_log where action = ? order by id', action);

/** Of the license, the site, the threat and the component of a test. */
const PARAMS: Readonly<Record<string, string>> = {
  licenseId: 'lic_1',
  domain: 'shop.example.com',
  fingerprint: EXAMPLE_FINGERPRINT,
};
const QUERIES: Readonly<Record<string, string>> = {
  '/console/vulnerabilities/component': '?ecosystem=npm&component=x',
};

/** The address of a page of the console by its path, with `x` for what no test has. */
export const consoleAddress = (path: string): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => PARAMS[name] ?? 'x') + (QUERIES[path] ?? '');
