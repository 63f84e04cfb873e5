import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { PLANS, type Plan } from '../../src/domain/license/catalog.ts';
import { API, call } from '../support/client.ts';
import { bodyExamples, refusals } from '../support/conformance.ts';
import { importDemo } from '../support/mirror.ts';
import { type RunningService, SURE, start } from '../support/service.ts';
import { rows } from '../support/store.ts';

/** Every route with a key, and the lowest plan that includes it. */
const ROUTES: readonly (readonly [string, Plan])[] = [
  ['GET /sites', 'starter'],
  ['GET /sites/{siteId}', 'starter'],
  ['GET /sites/{siteId}/components', 'starter'],
  ['POST /sites/{siteId}/components', 'starter'],
  ['GET /sites/{siteId}/vulnerabilities', 'starter'],
  ['POST /sites/{siteId}/importance', 'starter'],
  ['GET /sites/{siteId}/verification', 'starter'],
  ['POST /sites/{siteId}/verification', 'starter'],
  ['GET /events', 'starter'],
  ['GET /reports', 'starter'],
  ['POST /scan', 'starter'],
  ['POST /scanner', 'starter'],
  ['GET /scans', 'starter'],
  ['POST /scans', 'starter'],
  ['GET /scans/{scanId}', 'starter'],
  ['POST /scans/{scanId}/cancel', 'starter'],
  ['GET /sites/{siteId}/scan-schedule', 'starter'],
  ['POST /sites/{siteId}/scan-schedule', 'starter'],
  ['GET /vulnerabilities/{vulnerabilityId}', 'starter'],
  ['POST /vulnerabilities/match', 'starter'],
  ['POST /risk/score', 'pro'],
  ['GET /evidence', 'pro'],
  ['GET /evidence/checkpoint', 'pro'],
  ['GET /evidence/entries', 'pro'],
  ['GET /evidence/entries/{index}/proof', 'pro'],
  ['GET /evidence/consistency', 'pro'],
  ['GET /evidence/export', 'pro'],
  ['POST /sites/{siteId}/trust', 'pro'],
  ['POST /credentials', 'pro'],
  ['GET /connect', 'pro'],
  ['POST /brain/analyze', 'pro'],
  ['POST /brain/analyze/batch', 'pro'],
  ['GET /sites/{siteId}/trust', 'free'],
  ['POST /credentials/verify', 'free'],
  ['GET /credentials', 'free'],
  ['GET /credentials/{credentialId}', 'free'],
  ['POST /credentials/{credentialId}/revoke', 'free'],
  ['GET /vulnerabilities/mirror', 'free'],
  ['GET /me', 'free'],
  ['GET /notifications', 'free'],
  ['POST /notifications', 'pro'],
  ['POST /notifications/{targetId}', 'pro'],
  ['POST /auth/verify', 'free'],
  ['POST /analytics/metrics', 'free'],
  ['POST /telemetry', 'free'],
  ['POST /digital-immunity/signal', 'free'],
  ['POST /saas/signal', 'free'],
  ['POST /server-guard/signal', 'free'],
  ['POST /pc-guard/signal', 'free'],
  ['POST /cloud-immunity/signal', 'free'],
  ['POST /keyhygiene/signal', 'free'],
  ['POST /restore/assess', 'free'],
  ['POST /canary/trip', 'free'],
  ['POST /threat-report/report', 'free'],
];

let made = 0;
/** Instead of the contract's examples, whose site is not registered. */
const BODIES: Readonly<Record<string, object>> = {
  get '/notifications'() {
    return { name: `target-${made++}`, address: 'https://hooks.example.com/' };
  },
  '/notifications/{targetId}': { action: 'test' },
  '/telemetry': { domain: 'shop.com', events: [] },
  '/scan': { site_url: 'shop.com' },
  '/scanner': { site_url: 'shop.com' },
  '/scans': { site_url: 'shop.com', scan_type: 'posture' },
};

interface Held {
  readonly options?: readonly string[];
  /** The operator's command, after `license`. */
  readonly change?: (id: string) => readonly string[];
  /** Changes that no command can make. */
  readonly facts?: Readonly<Record<string, number>>;
  /** The rights: those of its plan, or of `free` while suspended; otherwise the refusal of every route. */
  readonly rights: 'own' | 'suspended' | 'EXPIRED' | 'INVALID_KEY';
}
const suspendedBy = (hold: string): Held => ({
  change: (id) => ['suspend', id, '--hold', hold],
  rights: 'suspended',
});
const STATES: Readonly<Record<string, Held>> = {
  active: { rights: 'own' },
  'in the test environment': { options: ['--test'], rights: 'own' },
  'in trial': { options: ['--trial'], rights: 'own' },
  'suspended for payment': suspendedBy('payment'),
  'suspended in a dispute': suspendedBy('dispute'),
  'suspended by the operator': suspendedBy('operator'),
  'suspended by a payment past due': { facts: { payment_hold_from: 1 }, rights: 'suspended' },
  expired: { facts: { expires_at: 1 }, rights: 'EXPIRED' },
  revoked: { change: (id) => ['revoke', id, ...SURE], rights: 'INVALID_KEY' },
  pending: { options: ['--trial'], facts: { pending_until: 1 }, rights: 'INVALID_KEY' },
};

let service: RunningService;
beforeAll(async () => {
  // Its own process: vulnerability data is imported.
  service = await start('binary', {
    SERVICE_THREAT_FEED_ENABLED: '1',
    SERVICE_SURFACE_SCANS: '0',
    SERVICE_BASE_URL: 'https://redoubt.example',
    SERVICE_RATE_KEY_PER_MINUTE: '100000',
    SERVICE_RATE_IP_PER_MINUTE: '100000',
  });
  await importDemo(service);
});
afterAll(() => service.end());

test('the table has every route with a key, and the contract documents exactly the required plans', () => {
  const documenting = (code: string) =>
    refusals
      .filter((refusal) => refusal.code === code)
      .map(({ method, path }) => `${method} ${path.replace(API, '')}`)
      .sort();
  expect(ROUTES.map(([route]) => route).sort()).toEqual(documenting('EXPIRED'));
  const gated = ROUTES.filter(([, plan]) => plan !== 'free').map(([route]) => route);
  expect(gated.sort()).toEqual(documenting('PLAN_REQUIRED'));
});

describe.each(Object.entries(STATES))('a license %s', (_, { options = [], change, facts = {}, rights }) => {
  let key: string;
  let set: (column: string, value: string | number) => unknown;
  beforeAll(async () => {
    const issued = await service.issue('--plan', 'pro', '--domain', 'shop.com', ...options);
    key = issued.key;
    const id = Number(issued.license_id.slice(4));
    set = (column, value) => rows(service, `update licenses set ${column} = ? where id = ?`, value, id);
    if (change) await service.command('license', ...change(issued.license_id));
    for (const [column, value] of Object.entries(facts)) set(column, value);
  });

  const found = async (route: string) => {
    const [method = '', path = ''] = route.split(' ');
    const body = method === 'POST' ? (BODIES[path] ?? bodyExamples.get(API + path)?.[0]) : undefined;
    const place = path
      .replace('{siteId}', '0')
      .replace('{vulnerabilityId}', 'CVE-1998-0001')
      .replace('{scanId}', '0')
      .replace('{credentialId}', '0')
      .replace('{targetId}', '0')
      .replace('{index}', '0')
      .replace('consistency', 'consistency?first=0&second=0');
    const { status, json } = await call(service.url, API + place, { method, key, body });
    return [route, json?.error?.code ?? status, json?.error?.message];
  };
  const expected = (route: string, needed: Plan, plan: Plan) => {
    if (rights === 'EXPIRED' || rights === 'INVALID_KEY') return [route, rights, expect.any(String)];
    const has = rights === 'own' ? plan : 'free';
    if (PLANS.indexOf(has) >= PLANS.indexOf(needed)) {
      if (route === 'POST /credentials' && options.includes('--test'))
        return [route, 'CREDENTIALS_DISABLED', expect.stringContaining('test license')];
      if (route.includes('{credentialId}')) return [route, 'CREDENTIAL_NOT_FOUND', expect.any(String)];
      if (route.includes('{scanId}')) return [route, 'SCAN_NOT_FOUND', expect.any(String)];
      if (route.includes('{targetId}')) return [route, 'NOT_FOUND', expect.any(String)];
      if (!route.includes('{siteId}')) return [route, route === 'POST /scans' ? 202 : 200, undefined];
      return [route, route.endsWith('{siteId}') ? 'NOT_FOUND' : 'SITE_NOT_FOUND', expect.any(String)];
    }
    const why = rights === 'suspended' ? ' A suspended license is limited to the plan free.' : '';
    return [route, 'PLAN_REQUIRED', `This route requires the plan ${needed} or higher.${why}`];
  };

  test.each([...PLANS])(
    'of the plan %s opens exactly its routes, and other refusals give the reason',
    async (plan) => {
      set('plan', plan);
      for (const [route, needed] of ROUTES) expect(await found(route)).toEqual(expected(route, needed, plan));
      const [, feed] = await found('GET /threat-feed');
      expect(feed).toBe(rights === 'own' ? 200 : 'INVALID_KEY');
    },
  );
});
