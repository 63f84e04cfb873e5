import { afterAll, beforeAll, expect, test } from 'bun:test';
import { getTableName } from 'drizzle-orm';
import { TABLES } from '../../src/storage/subjects.ts';
import { API, call } from '../support/client.ts';
import { bodyExamples, contract } from '../support/conformance.ts';
import { importDemo } from '../support/mirror.ts';
import { type RunningService, start } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { type TrustTenant, tenantOf } from '../support/trust.ts';

// Its own service: every daily limit is small.

const CAP = 3;
const CALLS = 12;
/** The rows that the calls may add to any table: the limit, and the few first ones of a log, a day or a site. */
const ROWS_MAX = CAP + 3;
const DOMAIN = 'shop.com';
const TABLE_NAMES = TABLES.map(getTableName);

let service: RunningService;
let tenant: TrustTenant;
let credentialId: string;
let scanId: string;
let targetId: string;
beforeAll(async () => {
  // Its own process: it tests daily caps.
  service = await start('binary', {
    SERVICE_BASE_URL: 'https://redoubt.example',
    SERVICE_RATE_KEY_PER_MINUTE: '100000',
    SERVICE_RATE_IP_PER_MINUTE: '100000',
    SERVICE_DAILY_CAP: String(CAP),
    SERVICE_SCAN_DAILY_CAP: String(CAP),
    SERVICE_DAILY_EVENTS: String(CAP),
    SERVICE_DAILY_BYTES: '4096',
    SERVICE_TRIALS_PER_DAY: String(CAP),
  });
  await importDemo(service);
  tenant = await tenantOf(service, DOMAIN);
  const ask = async (path: string, body: object) =>
    (await call(service.url, API + path, { key: tenant.key, body })).json.data;
  credentialId = (await ask('/credentials', { type: 'license' })).credential_id;
  const target = { name: 'ops', address: 'https://hooks.example.com/' };
  targetId = (await ask('/notifications', target)).target.id;
  scanId = (await ask('/scans', onSite(0))).scan_id;
}, 60_000);
afterAll(() => service.end());

type Body = (at: number) => object;
const example =
  (path: string): Body =>
  () =>
    bodyExamples.get(API + path)?.[0] ?? {};
const varied =
  (path: string, vary: Body): Body =>
  (at) => ({ ...example(path)(at), ...vary(at) });
const onSite: Body = () => ({ site_url: DOMAIN, scan_type: 'posture' });

/** Every route with a body, and bodies that each store something new. */
const BODIES: Readonly<Record<string, Body>> = {
  '/analytics/metrics': example('/analytics/metrics'),
  '/auth/verify': () => ({}),
  '/brain/analyze': (at) => ({ input_type: 'text', content: `text ${at}` }),
  '/brain/analyze/batch': (at) => ({ items: [{ id: `${at}`, input_type: 'text', content: `text ${at}` }] }),
  '/canary/trip': varied('/canary/trip', (at) => ({ payloadHash: `payload-hash-${at}` })),
  '/checkout': example('/checkout'),
  '/cloud-immunity/signal': example('/cloud-immunity/signal'),
  '/credentials': (at) => ({ type: 'license', valid_days: at + 1 }),
  '/credentials/verify': example('/credentials/verify'),
  '/credentials/{credentialId}/revoke': example('/credentials/{credentialId}/revoke'),
  '/digital-immunity/signal': example('/digital-immunity/signal'),
  '/keyhygiene/signal': example('/keyhygiene/signal'),
  '/license/trial': (at) => ({
    domain: `shop-${at}.com`,
    install_hash: `install-hash-of-shop-${at}`,
    email: `a${at}@shop-${at}.com`,
  }),
  '/license/verify': () => ({ license_key: tenant.key, domain: DOMAIN }),
  '/pc-guard/signal': example('/pc-guard/signal'),
  '/restore/assess': example('/restore/assess'),
  '/risk/score': example('/risk/score'),
  '/saas/signal': varied('/saas/signal', () => ({ licenseIdHash: undefined })),
  '/scan': onSite,
  '/scanner': onSite,
  '/scans': onSite,
  '/scans/{scanId}/cancel': () => ({}),
  '/server-guard/signal': example('/server-guard/signal'),
  '/sites/{siteId}/components': (at) => ({
    components: [{ ecosystem: 'wordpress-plugin', name: `plugin-${at}`, version: '1.0' }],
  }),
  '/sites/{siteId}/importance': (at) => ({ importance: at % 2 ? 'high' : 'low' }),
  '/sites/{siteId}/scan-schedule': (at) => ({ interval_hours: at % 2 ? 24 : 168, scan_type: 'posture' }),
  '/sites/{siteId}/trust': (at) => ({
    enabled: at % 4 !== 1,
    rotate: at % 2 === 0,
    show_grade: at % 3 === 0,
  }),
  '/sites/{siteId}/verification': () => ({ method: 'http', check: true }),
  '/telemetry': (at) => ({
    site_url: DOMAIN,
    license_key: tenant.key,
    events: [{ type: `attack_${at}`, severity: 'critical', message: `${at}`, event_id: `event-${at}` }],
  }),
  '/threat-report/report': varied('/threat-report/report', (at) => ({ payloadHash: `report-hash-${at}` })),
  '/vulnerabilities/match': example('/vulnerabilities/match'),
  // Last, because events of the others would wait for each target.
  '/notifications': (at) => ({ name: `target-${at}`, address: 'https://hooks.example.com/' }),
  '/notifications/{targetId}': (at) => ({ action: at % 2 ? 'rotate' : 'test' }),
};
const count = (): Map<string, number> =>
  new Map(
    TABLE_NAMES.map((table) => [
      table,
      Number(rows(service, `select count(*) as found from ${table}`)[0]?.found),
    ]),
  );
/** The tables that have grown by more than the limit, with the number of new rows. */
const grownSince = (before: ReadonlyMap<string, number>) =>
  [...count()]
    .map(([table, found]) => [table, found - (before.get(table) ?? 0)] as const)
    .filter(([, more]) => more > ROWS_MAX);
const placed = (path: string) =>
  path
    .replace('{siteId}', tenant.sites[DOMAIN] ?? '')
    .replace('{credentialId}', credentialId)
    .replace('{targetId}', targetId)
    .replace('{scanId}', scanId);
const routesOf = (method: string) =>
  Object.entries(contract.paths)
    .filter(([, operations]) => method in operations)
    .map(([path]) => path.replace(API, ''));

test('every route with a body is listed here', () => {
  expect(Object.keys(BODIES).toSorted()).toEqual(routesOf('post').toSorted());
});

test.each(Object.entries(BODIES))('POST %s stores a bounded number of rows a day', async (path, bodyOf) => {
  for (const used of ['daily_usage', 'daily_volumes']) rows(service, `delete from ${used}`);
  const before = count();
  const statuses: number[] = [];
  for (let at = 0; at < CALLS; at += 1) {
    const { status } = await call(service.url, API + placed(path), { key: tenant.key, body: bodyOf(at) });
    statuses.push(status);
  }
  expect(statuses.some((status) => status < 300)).toBe(true);
  expect([path, grownSince(before)]).toEqual([path, []]);
});

test('no read-only route stores a row per request', async () => {
  for (const path of routesOf('get')) {
    const before = count();
    const address = (path.startsWith('/.') ? '' : API) + placed(path).replace(/\{\w+\}/, '0');
    for (let at = 0; at < CALLS; at += 1) await call(service.url, address, { key: tenant.key });
    expect([path, grownSince(before)]).toEqual([path, []]);
  }
});
