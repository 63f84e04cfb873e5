import { afterAll, beforeAll, expect, test } from 'bun:test';
import { REFUSALS } from '../../src/domain/refusal.ts';
import { API, call, expectHeaders, type Reply } from '../support/client.ts';
import { bodyExamples, type DocumentedRefusal, paths, refusals, violation } from '../support/conformance.ts';
import { CROWDED, crowd } from '../support/crowd.ts';
import { engineOf } from '../support/engines.ts';
import { importDemo } from '../support/mirror.ts';
import { once } from '../support/once.ts';
import { sendRaw } from '../support/raw.ts';
import { type Env, type RunningService, start } from '../support/service.ts';
import { issueExpired, refuseEach, rows, stored, without } from '../support/store.ts';
import { SECRET_KEY } from '../support/stripe/handlers.ts';

// Needs more time than the others.

const KIB = 1024;
const BASE_URL = 'https://redoubt.example';

const isEmbedded = engineOf(import.meta).name === 'SQLite';

/** Surface scans are off, bodies must hurry, the volume of a day is 1, and the payment processor is not there. */
let service: RunningService;
/** Every key and every address may ask once a minute. */
let narrow: RunningService;
let keys: Record<'whole' | 'free' | 'expired' | 'used' | 'narrow', string>;
/** Of the whole license. */
let site: string;

beforeAll(async () => {
  // Its own process: refusals need special settings and a failing database.
  [service, narrow] = await Promise.all([
    start('binary', {
      SERVICE_THREAT_FEED_ENABLED: '1',
      SERVICE_FEED_EPOCH_SECONDS: '86400',
      SERVICE_RATE_KEY_PER_MINUTE: '100000',
      SERVICE_RATE_IP_PER_MINUTE: '100000',
      SERVICE_BODY_TIMEOUT_SECONDS: '1',
      SERVICE_DAILY_CAP: '1',
      SERVICE_SURFACE_SCANS: '0',
      SERVICE_BASE_URL: BASE_URL,
      SERVICE_STRIPE_SECRET_KEY: SECRET_KEY,
      SERVICE_STRIPE_API_BASE: 'http://127.0.0.1:1',
    }),
    start('binary', {
      SERVICE_THREAT_FEED_ENABLED: '1',
      SERVICE_RATE_KEY_PER_MINUTE: '1',
      SERVICE_RATE_IP_PER_MINUTE: '1',
    }),
  ]);
  const [whole, free, expired, used, limited] = await Promise.all([
    service.issue('--plan', 'enterprise'),
    service.issue('--plan', 'free', '--domain', 'only.com'),
    issueExpired(service, '--plan', 'pro'),
    service.issue('--plan', 'pro', '--daily-bytes', '1'),
    narrow.issue('--plan', 'enterprise'),
  ]);
  keys = { whole: whole.key, free: free.key, expired: expired.key, used: used.key, narrow: limited.key };
  site = await siteOf(service, whole.key);
  await importDemo(service);
  rows(
    service,
    `insert into targets (public_id, license_id, name, kind, address, format, events, min_severity, digest_ms, licenses, customers, is_personal_included, created_at)
      values ('${TARGET}', ?, 'ops', 'webhook', 'https://hooks.example.com/', 'slack', '[]', 'info', 0, '[]', '[]', 0, 1)`,
    numberOf(whole.license_id),
  );
  rows(service, 'insert into target_states (target_id) select id from targets');
});
afterAll(() => Promise.all([service.end(), narrow.end()]));

async function siteOf({ url }: RunningService, key: string, domain = 'whole.com'): Promise<string> {
  await call(url, `${API}/telemetry`, { key, body: { site_url: domain, license_key: key } });
  return (await call(url, `${API}/sites`, { key })).json.data.sites[0].id;
}

/** An address without a listener; at localhost, a test of another file may listen. */
const UNHEARD = '127.0.0.3';
const NOBODYS = 'of-nobody';
const NO_SITE = '0';
/** Of the whole license. */
const TARGET = 'tgt_of-whole';
const placeOf = (pattern: string, siteId: string) =>
  pattern
    .replace('{siteId}', siteId)
    .replace('{vulnerabilityId}', 'CVE-1998-9999')
    .replace('{credentialId}', NOBODYS)
    .replace('{targetId}', siteId === NO_SITE ? NOBODYS : TARGET)
    .replace('{scanId}', NOBODYS)
    .replace('{trustId}', NOBODYS)
    .replace('{index}', siteId === NO_SITE ? '999999' : '0');

const routesOf = (code: string) =>
  refusals
    .filter((refusal) => refusal.code === code)
    .map((refusal) => ({
      ...refusal,
      path: placeOf(refusal.path, /NOT_FOUND$/.test(code) ? NO_SITE : site),
    }));

/** The contract's examples of what is sent to a route. */
const examplesOf = ({ method, path }: Route) =>
  method === 'POST'
    ? bodyExamples.get(
        path
          .replace(/(?<=\/sites\/)\w+/, '{siteId}')
          .replace(/(?<=\/notifications\/)[\w-]+$/, '{targetId}')
          .replace(/(?<=\/credentials\/)[\w-]+(?=\/revoke$)/, '{credentialId}'),
      )
    : undefined;

type Route = Pick<DocumentedRefusal, 'method' | 'path'>;
type Answer = Pick<Reply, 'status' | 'json'>;

interface Asked {
  readonly on?: RunningService;
  /** Null = none. */
  readonly key?: string | null;
  readonly query?: string;
  /** In place of the contract's example. */
  readonly body?: unknown;
}

const ask = ({ method, path }: Route, { on = service, key = keys.whole, query = '', body }: Asked = {}) =>
  call(on.url, path + query, {
    method,
    key: key ?? undefined,
    body: body ?? examplesOf({ method, path })?.[0],
  });

/** Sends a request's head and nothing of its body. */
const begin = ({ method, path }: Route, host: string, length: number) =>
  sendRaw(
    service.url,
    [
      `${method} ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${keys.whole}`,
      `Content-Length: ${length}`,
      '\r\n',
    ].join('\r\n'),
  );

const announcing =
  (length: number): Produce =>
  async (route) => {
    const answer = await begin(route, 'x.test', length);
    const json = JSON.parse(answer.body);
    expectHeaders(answer.headers);
    expect(violation(route.method, route.path, answer, json)).toBeUndefined();
    return { status: answer.status, json };
  };

type Produce = (route: Route) => Promise<Answer>;
const sending =
  (body: unknown): Produce =>
  (route) =>
    ask(route, { body });
const malformed = sending('{');
/** The contract's example with some fields changed or added. */
const changed =
  (change: object): Produce =>
  (route) =>
    ask(route, { body: { ...examplesOf(route)?.[0], ...change } });
const withSecret = changed({ password: 'x' });
/** With a malformed body, if any, which must not be read before the key is checked. */
const keyed =
  (name: keyof typeof keys | 'unknown' | null): Produce =>
  (route) =>
    ask(route, {
      key: name === null || name === 'unknown' ? name : keys[name],
      ...(examplesOf(route) ? { body: '{' } : {}),
    });

/** What brings each code about on the routes that document it. */
const PRODUCED_BY: Readonly<Record<string, Produce>> = {
  HEADERS_TOO_LARGE: ({ method, path }) =>
    call(service.url, path, { method, key: keys.whole, headers: { 'x-long': 'x'.repeat(33 * KIB) } }),
  URI_TOO_LONG: (route) => ask(route, { query: `?${'x'.repeat(8 * KIB)}` }),
  PAYLOAD_TOO_LARGE: announcing(1024 * KIB + 1),
  UNSUPPORTED_CONTENT_ENCODING: ({ method, path }) =>
    call(service.url, path, {
      method,
      key: keys.whole,
      headers: { 'content-encoding': 'br' },
      body: '{}',
    }),
  REQUEST_TIMEOUT: announcing(1),
  UNAUTHORIZED: keyed(null),
  INVALID_KEY: keyed('unknown'),
  EXPIRED: keyed('expired'),
  // Ending a trust state or a target needs no plan, so that the body has to be looked into before.
  PLAN_REQUIRED: (route) =>
    route.path.endsWith('/trust')
      ? ask(route, { key: keys.free })
      : isOfTargets(route)
        ? ask(route, { key: keys.free, body: onTarget(route) })
        : keyed('free')(route),
  RATE_LIMITED: (route) => ask(route, { on: narrow, key: keys.narrow }),
  DAILY_CAP_EXCEEDED: (route) =>
    isOfTargets(route)
      ? ask(route, { body: onTarget(route) })
      : isOfCredentials(route)
        ? onOwnSite(route, 'whole.com', {
            env: { SERVICE_BASE_URL: BASE_URL, SERVICE_DAILY_CAP: '1' },
            body: () => ({ type: 'license' }),
            prepare: (own, license) => {
              useUp(own, license, 'credentials');
            },
          })
        : isOfTrust(route)
          ? onOwnSite(route, 'whole.com', {
              env: { SERVICE_BASE_URL: BASE_URL, SERVICE_DAILY_CAP: '1' },
              body: () => ({ enabled: false }),
              prepare: (own, license) => {
                useUp(own, license, 'trust');
              },
            })
          : isOfScans(route)
            ? onOwnSite(route, 'whole.com', {
                env: { SERVICE_SCAN_DAILY_CAP: '1' },
                prepare: (own, license) => {
                  useUp(own, license, 'scans');
                },
              })
            : ask(route, { key: keys.used }),
  IDEMPOTENCY_KEY_REUSED: (route) =>
    onOwnSite(route, 'whole.com', {
      headers: { 'idempotency-key': 'again' },
      prepare: (own, license) => {
        insertScan(own, license, 'whole.com');
        rows(
          own,
          `insert into scan_requests select license_id, 'again', 'another', id, ${Date.now()} from scans where license_id = ?`,
          numberOf(license),
        );
      },
    }),
  SCAN_QUEUE_FULL: (route) =>
    onOwnSite(route, 'whole.com', {
      prepare: (own, license) => {
        for (let at = 0; at < 5; at++) insertScan(own, license, `${at}.com`);
      },
    }),
  EVIDENCE_NOT_FOUND: (route) =>
    ask(route, route.path.endsWith('/consistency') ? { query: '?first=0&second=999' } : {}),
  TARGET_REFUSED: (route) =>
    ask(route, {
      body: route.path.endsWith('/notifications')
        ? { name: 'ftp', address: 'ftp://x' }
        : { action: 'rotate' },
    }),
  NOTIFICATIONS_DISABLED: (route) =>
    onOwnSite(route, 'whole.com', {
      env: { SERVICE_TENANT_NOTIFICATIONS: '0' },
      body: () => onTarget(route),
    }),
  SCAN_NOT_FOUND: ask,
  CREDENTIAL_NOT_FOUND: ask,
  TRUST_NOT_FOUND: ask,
  TRUST_DISABLED: (route) => onOwnSite(route, 'whole.com', { env: { SERVICE_TRUST_ENABLED: '0' } }),
  CREDENTIALS_DISABLED: (route) =>
    onOwnSite(route, 'whole.com', { env: { SERVICE_BASE_URL: 'http://redoubt.example' }, body: ofSite }),
  ASSESSMENT_REQUIRED: (route) =>
    onOwnSite(route, 'whole.com', {
      env: { SERVICE_BASE_URL: BASE_URL },
      body: ofSite,
      async prepare(own, license) {
        await own.command('license', 'verify-domain', license, '--domain', 'whole.com');
      },
    }),

  INVALID_PAYLOAD: malformed,
  ANALYTICS_INVALID_PAYLOAD: malformed,
  INVALID_SIGNAL_SCHEMA: malformed,
  INVALID_SAAS_SIGNAL_SCHEMA: malformed,
  SERVER_GUARD_INVALID_SIGNAL: malformed,
  PC_GUARD_INVALID_SIGNAL: malformed,
  INVALID_KEYHYGIENE_SIGNAL: malformed,
  INVALID_RESTORE_SIGNAL: malformed,
  INVALID_CANARY_TRIP: malformed,
  THREATREPORT_INVALID_REPORT: malformed,
  WRITE_REJECTED: withSecret,
  SERVER_GUARD_PRIVACY_REJECTED: withSecret,
  PC_GUARD_PRIVACY_REJECTED: withSecret,
  CREDENTIAL_MATERIAL_REJECTED: withSecret,
  RESTORE_CONTENT_REJECTED: withSecret,
  INVALID_COMPONENTS: malformed,
  COMPONENTS_PRIVACY_REJECTED: withSecret,
  SAAS_BINDING_INVALID: changed({ licenseIdHash: 'no token' }),
  SAAS_BINDING_MISMATCH: changed({ licenseIdHash: 'another' }),
  INVALID_QUERY: (route) => ask(route, { query: '?nothing=1' }),
  ANALYTICS_INVALID_QUERY: sending({ sections: 'sites' }),
  ANALYTICS_UNKNOWN_FIELD: sending({ tenant: 'another' }),
  ANALYTICS_UNKNOWN_SECTION: sending({ sections: ['nothing'] }),
  ANALYTICS_QUERY_TOO_LARGE: sending({ sections: Array(17).fill('sites') }),
  NOT_FOUND: ask,
  SITE_NOT_FOUND: (route) =>
    ask(
      route,
      isOfOneSite(route)
        ? {}
        : route.method === 'GET'
          ? { query: '?site=zz' }
          : isOfCredentials(route)
            ? { body: ofSite(NOBODYS) }
            : {
                body: { site_url: 'elsewhere.com', ...(isOfScans(route) ? { scan_type: 'posture' } : {}) },
              },
    ),
  VULNERABILITY_NOT_FOUND: ask,
  MIRROR_EMPTY: ask,
  // The kernel refuses every packet to this address.
  SCAN_UNAVAILABLE: (route) =>
    onOwnSite(route, '127.255.255.255', {
      async prepare(own, license) {
        if (isOfOneSite(route)) return;
        await own.command('license', 'verify-domain', license, '--domain', '127.255.255.255');
      },
    }),
  SURFACE_SCAN_DISABLED: (route) =>
    ask(route, isOfOneSite(route) ? {} : { body: { site_url: 'elsewhere.com', scan_type: 'surface' } }),
  DOMAIN_NOT_VERIFIED: (route) =>
    isOfCredentials(route)
      ? onOwnSite(route, 'whole.com', { env: { SERVICE_BASE_URL: BASE_URL }, body: ofSite })
      : onOwnSite(route, '203.0.114.9', { env: { SERVICE_BASE_URL: BASE_URL }, type: 'surface' }),
  DOMAIN_MISMATCH: (route) =>
    isOfOneSite(route)
      ? onOwnSite(route, 'shop.test', { isBound: false })
      : ask(route, { body: { domain: 'elsewhere.com', events: [] } }),
  SITE_LIMIT_REACHED: (route) =>
    ask(route, { key: keys.free, body: { site_url: 'elsewhere.com', license_key: keys.free } }),
  UNKNOWN_CATALOG_ITEM: sending({ items: ['nothing'] }),
  LICENSE_NOT_PROLONGABLE: sending({ items: ['pro'], license_key: 'nonsense' }),
  TRIAL_NOT_AVAILABLE: changed({ domain: 'shop.localhost' }),
  PAYMENT_SETUP_FAILED: ask,
  PAYMENT_PROCESSOR_ERROR: ask,

  STORE_UNAVAILABLE: (route) => {
    if (isOfTargets(route)) return ask(route, { body: onTarget(route) });
    if (isOfCredentials(route))
      return onOwnSite(route, 'whole.com', {
        body: () => examplesOf(route)?.[0] ?? {},
        place: withFixedCredential,
      });
    if (isOfOneSite(route) || isOfScans(route) || isOfEvidence(route))
      return onOwnSite(route, UNHEARD, { place: withoutWriting });
    // A new domain, which license/verify has to store.
    return ask(route, route.path === `${API}/license/verify` ? { body: { domain: 'new.com' } } : {});
  },
  THREATREPORT_STORE_UNAVAILABLE: ask,
  ANALYSIS_BUSY: async () => {
    const crowded = await start('binary', CROWDED);
    const { refused } = await crowd(crowded, (await crowded.issue('--plan', 'pro')).key);
    await crowded.end('SIGKILL');
    return refused()[0] as Reply;
  },
  FEED_UNAVAILABLE: ask,
  // A license to prolong, which checkout has to look for.
  INTERNAL: (route) =>
    ask(route, route.path === `${API}/checkout` ? { body: { items: ['pro'], license_key: keys.whole } } : {}),
};

const isOfOneSite = ({ path }: Route) => path.includes('/sites/');
const isOfCredentials = ({ path }: Route) => path.includes('/credentials');
const isOfTargets = ({ path }: Route) => path.includes('/notifications');
/** What needs plan, permission and the day's limit of a route of targets; each target is another one. */
let targets = 0;
const onTarget = ({ path }: Route) =>
  path.endsWith('/notifications')
    ? { name: `target-${targets++}`, address: 'https://hooks.example.com/' }
    : { action: 'test' };
const isOfTrust = ({ path }: Route) => path.endsWith('/trust');
const ofSite = (site_id: string) => ({ type: 'site_posture', site_id });
const isOfScans = ({ path }: Route) => path.includes('/scans');
const isOfEvidence = ({ path }: Route) => path.includes('/evidence');

const OWN_SETTINGS = { SERVICE_SCAN_ALLOW_PRIVATE: '1', SERVICE_BASE_URL: BASE_URL };

interface OwnSite {
  readonly env?: Env;
  readonly isBound?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: 'posture' | 'surface';
  /** In place of one that names the site by its domain. */
  readonly body?: (site: string) => object;
  readonly prepare?: (on: RunningService, license: string) => Promise<void> | void;
  /** In place of a new license of a service that others ask as well. */
  readonly place?: () => Promise<Place>;
}

const others: Promise<RunningService>[] = [];
function startOther(env: Env): Promise<RunningService> {
  const other = start('binary', env);
  others.push(other);
  return other;
}
afterAll(() => Promise.all(others.map(async (other) => (await other).end())));

const bySettings = new Map<string, Promise<RunningService>>();
/** A service with some settings, for routes that look only at a license of their own. */
function serviceWith(env: Env): Promise<RunningService> {
  const name = JSON.stringify(env);
  const service = bySettings.get(name) ?? startOther(env);
  bySettings.set(name, service);
  return service;
}

interface Place {
  readonly own: RunningService;
  readonly license: string;
  readonly key: string;
  /** The id of the site. */
  readonly id: string;
}
async function placeOn(own: RunningService, domain: string, isBound = true): Promise<Place> {
  const { key, license_id } = await own.issue('--plan', 'pro', ...(isBound ? ['--domain', domain] : []));
  return { own, license: license_id, key, id: await siteOf(own, key, domain) };
}

/** Asks of a site on another service, which looks at sites wherever they are. */
async function onOwnSite(
  route: Route,
  domain: string,
  { env = OWN_SETTINGS, isBound, headers = {}, type, body: bodyOf, prepare, place }: OwnSite,
): Promise<Reply> {
  const { own, license, key, id } =
    (await place?.()) ?? (await placeOn(await serviceWith(env), domain, isBound));
  await prepare?.(own, license);
  const scan_type = type ?? (isOfScans(route) ? 'posture' : 'surface');
  const body =
    bodyOf?.(id) ?? (isOfOneSite(route) ? examplesOf(route)?.[0] : { site_url: domain, scan_type });
  const path = route.path.replace(site, id);
  const sent = route.method === 'GET' ? {} : { body };
  return call(own.url, path, { method: route.method, key, ...sent, headers });
}

const numberOf = (license: string) => Number(license.slice('lic_'.length));
/** Has a license use up one of what it has a day. */
const useUp = (own: RunningService, license: string, what: string) =>
  rows(
    own,
    'insert into daily_usage values (?, ?, ?, 1)',
    ...[numberOf(license), what, new Date().toISOString().slice(0, 10)],
  );

/** A scan of a license that waits, and that no process knows of. */
const insertScan = (own: RunningService, license: string, domain: string, publicId = domain) =>
  rows(
    own,
    `insert into scans (public_id, license_id, domain, site_url, type, trigger, queued_at)
      values ('${publicId}', ${numberOf(license)}, '${domain}', 'https://${domain}/', 'posture', 'api', 1)`,
  );

/** For routes that look for a site before they write. */
const withoutWriting = once(async () => {
  const place = await placeOn(await startOther(OWN_SETTINGS), UNHEARD);
  const { own, license } = place;
  await importDemo(own);
  insertScan(own, license, 'other.com', NOBODYS);
  rows(
    own,
    `insert into domain_controls values (?, '${UNHEARD}', 'http', ${Date.now()}, 1, null, null, null)`,
    numberOf(license),
  );
  for (const table of ['scans', 'domain_controls']) refuseEach(own, 'update', table);
  for (const table of [
    'site_inventories',
    'site_importances',
    'scans',
    'scan_schedules',
    'evidence_checkpoints',
    'trust_sites',
  ])
    refuseEach(own, 'insert', table);
  return place;
});

/** Has a credential of a license and keeps anything from becoming of it, or of others. */
const withFixedCredential = once(async () => {
  const place = await placeOn(await startOther({ SERVICE_BASE_URL: BASE_URL }), 'whole.com');
  const { own, license } = place;
  rows(own, "insert into credential_keys values ('kid', '{}', 1, 1, null)");
  rows(own, "insert into status_lists values (7, 'https://former.example', 1, 1)");
  rows(
    own,
    `insert into credentials (public_id, license_id, type, basis, kid, list_id, list_index, token, issued_at, expires_at)
      values ('${NOBODYS}', ?, 'license', '', 'kid', 7, 7, '', 1, 2)`,
    numberOf(license),
  );
  for (const act of ['insert', 'update'] as const) refuseEach(own, act, 'credentials');
  return place;
});

/** Those that come when the same was asked for before. */
const USED_UP = ['RATE_LIMITED', 'DAILY_CAP_EXCEEDED'];

const withoutStore = (attempt: () => Promise<void>) =>
  without(
    service,
    [
      'sites',
      'license_domains',
      'trials',
      'daily_usage',
      'signal_history',
      'signal_snapshots',
      'threat_reports',
      'verdict_counts',
    ],
    attempt,
  );
/** PostgreSQL without its counters is away, not at fault; without a column of its licenses it is. */
async function withoutLicenses(attempt: () => Promise<void>): Promise<void> {
  if (isEmbedded) return without(service, ['generations', 'trust_sites'], attempt);
  const rename = (from: string, to: string) => {
    rows(service, `alter table licenses rename column ${from} to ${to}`);
    rows(service, 'update generations set licenses = licenses + 1');
  };
  rename('environment', 'taken_away');
  try {
    await without(service, ['trust_sites'], attempt);
  } finally {
    rename('taken_away', 'environment');
    // What else is tried without a store is about licenses that are remembered.
    for (const key of Object.values(keys)) await call(service.url, `${API}/me`, { key });
  }
}

/** Under which circumstances, if not the usual ones. */
const CIRCUMSTANCES: Readonly<Record<string, (attempt: () => Promise<void>) => Promise<void>>> = {
  STORE_UNAVAILABLE: withoutStore,
  THREATREPORT_STORE_UNAVAILABLE: withoutStore,
  INTERNAL: withoutLicenses,
  MIRROR_EMPTY: async (attempt) => {
    const [mirror] = rows(service, 'select current from mirror');
    rows(service, 'update mirror set current = null');
    await attempt();
    rows(service, 'update mirror set current = ?', String(mirror?.current));
  },
  FEED_UNAVAILABLE: (attempt) => {
    rows(service, 'delete from feed_snapshots');
    return attempt();
  },
};

/** Routes without a fault that could be caused from outside, and what they answer when licenses cannot be read. */
const NO_FAULT: Readonly<Record<string, number>> = {
  // They read nothing; for their headers, a license that cannot be read is none.
  [`${API}/status`]: 200,
  [`${API}/openapi`]: 200,
  // It reads keys alone.
  '/.well-known/redoubt-keys': 200,
  // It asks the writer and the payment processor only, whose failures have codes of their own. A column that is missing is the writer's.
  [`${API}/license/trial`]: isEmbedded ? 502 : 503,
};

/** Posts that store nothing. */
const READING = [
  'auth/verify',
  'checkout',
  'scan',
  'scanner',
  'analytics/metrics',
  'credentials/verify',
  'threat-report/report',
  'vulnerabilities/match',
  'risk/score',
].map((path) => `${API}/${path}`);

/** Whether a code can be brought about here. A store that cannot even be read is looked at in postgres.test.ts. */
const isProducible = (code: string, { method, path }: Route): boolean => {
  if (code === 'INTERNAL') return !(path in NO_FAULT);
  if (code !== 'STORE_UNAVAILABLE') return true;
  return method === 'GET'
    ? /\/evidence(?:$|\/checkpoint$|\/export$|.*\/proof$)/.test(path)
    : !READING.includes(path);
};

const codes = [...new Set(refusals.map(({ code }) => code))];

test('every code that the contract documents can be produced, and there are few others', () => {
  expect(Object.keys(PRODUCED_BY).sort()).toEqual(codes.sort());
  // What no route answers, see below and odd-requests.test.ts, and those of the webhook and of TAXII, which are no part of the contract.
  const others = Object.keys(REFUSALS).filter((code) => !codes.includes(code));
  expect(others.sort()).toEqual([
    'INVALID_HOST',
    'INVALID_PATH',
    'METHOD_NOT_ALLOWED',
    'NOT_ACCEPTABLE',
    'READ_ONLY_COLLECTION',
    'UNSUPPORTED_MEDIA_TYPE',
    'WEBHOOK_REJECTED',
  ]);
});

test.each(codes)('%s is what every route that documents it answers, keeping nothing', async (code) => {
  if (USED_UP.includes(code)) for (const route of routesOf(code)) await PRODUCED_BY[code]?.(route);
  const kept = () => [stored(service), stored(narrow)];
  const before = kept();
  const attempt = async () => {
    const routes = routesOf(code).filter((route) => isProducible(code, route));
    await Promise.all(
      routes.map(async (route) => {
        const { status, json } = (await PRODUCED_BY[code]?.(route)) ?? {};
        expect([route.path, status, json.error?.code ?? json.error]).toEqual([
          route.path,
          route.status,
          code,
        ]);
      }),
    );
  };
  await (CIRCUMSTANCES[code] ?? ((always) => always()))(attempt);
  expect(kept()).toEqual(before);
});

const isAt = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

test('other methods, other paths and bad hosts are refused in the envelope', async () => {
  for (const pattern of paths) {
    const documented = new Set(refusals.filter((each) => each.path === pattern).map(({ method }) => method));
    const allow = [...documented].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const path = placeOf(pattern, '0');
    const served = refusals.filter((each) => each.path !== pattern && isAt(each.path, path));
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allow.includes(method) || served.some((each) => each.method === method.replace('HEAD', 'GET')))
        continue;
      const { status, headers, json } = await call(service.url, path, { method, key: keys.whole });
      expect([method, path, status, headers.get('allow')]).toEqual([method, path, 405, allow.join(', ')]);
      if (method !== 'HEAD') expect(json.error.code).toBe('METHOD_NOT_ALLOWED');
    }
    const unknown = await ask({ method: 'POST', path: `${path}/` });
    expect([path, unknown.status, unknown.json.error.code]).toEqual([path, 404, 'NOT_FOUND']);
    const { status, headers, body } = await begin({ method: 'POST', path }, '/', 0);
    expect([path, status, JSON.parse(body).error.code]).toEqual([path, 400, 'INVALID_HOST']);
    expectHeaders(headers);
  }
});

test('without licenses to read, these routes answer nevertheless, with their headers', async () => {
  await withoutLicenses(async () => {
    for (const [path, expected] of Object.entries(NO_FAULT)) {
      const method = bodyExamples.has(path) ? 'POST' : 'GET';
      expect([path, (await ask({ method, path })).status]).toEqual([path, expected]);
    }
    expect((await ask({ method: 'GET', path: `${API}/unknown` })).status).toBe(404);
  });
});
