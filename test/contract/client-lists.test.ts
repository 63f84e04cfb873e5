import { beforeAll, describe, expect, test } from 'bun:test';
import { API, call } from '../support/client.ts';
import { importDemo } from '../support/mirror.ts';
import { type RunningService, sharedService } from '../support/service.ts';
import { stored } from '../support/store.ts';

// The output of PHP's json_encode for a list with removed entries: an object with numbers for names.

let service: RunningService;
let key: string;
let site: string;
beforeAll(async () => {
  service = await sharedService();
  key = (await service.issue('--plan', 'pro', '--domain', 'lists.com')).key;
  await call(service.url, `${API}/telemetry`, { key, body: { site_url: 'lists.com', license_key: key } });
  site = (await call(service.url, `${API}/sites`, { key })).json.data.sites[0].id;
});

const HELP =
  "Expected a list. PHP's json_encode writes an object when an array has gaps: send array_values(...)";
const gaps = (entry: unknown) => ({ 0: entry, 2: entry });
const EVENT = { type: 'login_failed' };
const COMPONENT = { ecosystem: 'wordpress-plugin', name: 'hello', version: '1' };
const FLAGS = { piiIncluded: false, contentIncluded: false, secretsIncluded: false };

const LISTS: readonly [route: string, place: string, code: string, body: (licenseKey: string) => object][] = [
  ['/telemetry', 'events', 'INVALID_PAYLOAD', () => ({ domain: 'lists.com', events: gaps(EVENT) })],
  [
    '/telemetry',
    'events',
    'INVALID_PAYLOAD',
    (license_key) => ({ site_url: 'lists.com', license_key, events: gaps(EVENT) }),
  ],
  ['/sites/:site/components', 'components', 'INVALID_COMPONENTS', () => ({ components: gaps(COMPONENT) })],
  ['/vulnerabilities/match', 'components', 'INVALID_COMPONENTS', () => ({ components: gaps(COMPONENT) })],
  ['/checkout', 'items', 'INVALID_PAYLOAD', () => ({ items: gaps('pro') })],
  ['/analytics/metrics', 'sections', 'ANALYTICS_INVALID_QUERY', () => ({ sections: gaps('sites') })],
  [
    '/brain/analyze/batch',
    'items',
    'INVALID_PAYLOAD',
    () => ({ items: gaps({ id: 'a', input_type: 'text', content: 'x' }) }),
  ],
  [
    '/keyhygiene/signal',
    'keys',
    'INVALID_KEYHYGIENE_SIGNAL',
    () => ({ ...FLAGS, keys: gaps({ kind: 'api_key' }) }),
  ],
];

describe('a list with gaps is refused with the remedy, and nothing is stored', () => {
  test.each(LISTS)('%s: %s', async (route, place, code, body) => {
    const before = stored(service);
    const { status, json } = await call(service.url, API + route.replace(':site', site), {
      key,
      body: body(key),
    });
    const { code: refused = json.error, message = json.message } = json.error ?? {};
    expect([status, refused, message]).toEqual([400, code, `${place}: ${HELP}`]);
    expect(stored(service)).toEqual(before);
  });

  test('any other object in place of a list is not treated as a list of PHP', async () => {
    for (const events of [{}, { a: EVENT }, { 0: EVENT, x: EVENT }, { '-1': EVENT }, { '1.5': EVENT }]) {
      const { status, json } = await call(service.url, `${API}/telemetry`, {
        key,
        body: { domain: 'lists.com', events },
      });
      expect([status, json.error.message]).toEqual([400, 'events: Expected array']);
    }
  });

  test('forbidden content is refused as in a list', async () => {
    const body = { components: gaps({ ...COMPONENT, name: 'ann@example.com' }) };
    const { json } = await call(service.url, `${API}/vulnerabilities/match`, { key, body });
    expect(json.error.code).toBe('COMPONENTS_PRIVACY_REJECTED');
    expect(json.error.message).not.toContain('ann');
  });
});

describe('a list of malformed components only', () => {
  const send = async (components: unknown[]) =>
    (await call(service.url, `${API}/sites/${site}/components`, { key, body: { components } })).json.data;
  const kept = async () => (await call(service.url, `${API}/sites/${site}/components`, { key })).json.data;
  /** Names of folders that are not UTF-8, as Python writes them, and others that cannot be stored. */
  const BROKEN = ['\udcff-plugin', 'plug\0in'].flatMap((text) => [
    { ...COMPONENT, name: text },
    { ...COMPONENT, version: text },
    { ...COMPONENT, [text]: 'x' },
  ]);
  const ODD = [
    { ...COMPONENT, name: 'My Plugin (old)' },
    { ...COMPONENT, version: null },
    7,
    null,
    [],
    {},
    ...BROKEN,
  ];

  test('leaves the inventory of the site unchanged, and counts each as unsupported', async () => {
    await importDemo(service);
    expect(await send(ODD)).toMatchObject({
      persistence: 'unchanged',
      component_count: 0,
      counts: { unsupported: ODD.length },
    });
    expect((await kept()).inventory_at).toBeNull();
    expect(await send([COMPONENT, ...ODD])).toMatchObject({ persistence: 'stored', component_count: 1 });
    const before = await kept();
    for (const odd of [ODD, ...ODD.map((one) => [one])]) {
      expect(await send(odd)).toMatchObject({
        persistence: 'unchanged',
        component_count: 1,
        finding_count: 0,
        counts: { unsupported: odd.length, no_known: 0 },
      });
      expect(await kept()).toEqual(before);
    }
    expect(await send([])).toMatchObject({ persistence: 'forgotten', component_count: 0 });
    expect((await kept()).components).toEqual([]);
  });
});

describe('names of components are compared', () => {
  const match = async (components: unknown[]) =>
    (await call(service.url, `${API}/vulnerabilities/match`, { key, body: { components } })).json.data;
  const names = async (components: unknown[]) => {
    await call(service.url, `${API}/sites/${site}/components`, { key, body: { components } });
    const { json } = await call(service.url, `${API}/sites/${site}/components`, { key });
    return json.data.components.map(({ name }: { name: string }) => name);
  };
  const all = (ecosystem: string, ...names: string[]) =>
    names.map((name) => ({ ecosystem, name, version: '1' }));

  test.each([
    ['wordpress-plugin', ['WooCommerce', 'woocommerce', 'WOOCOMMERCE'], ['woocommerce']],
    ['wordpress-plugin', ['Yoast-SEO', 'LayerSlider'], ['yoast-seo', 'layerslider']],
    ['wordpress-theme', ['Divi', 'divi'], ['divi']],
    ['pypi', ['Django', 'Flask_SQLAlchemy', 'flask-sqlalchemy'], ['django', 'flask-sqlalchemy']],
    ['debian:12', ['OpenSSL', 'openssl'], ['openssl']],
    ['npm', ['JSONStream', 'jsonstream'], ['jsonstream']],
  ])('without case in %s: %j', async (ecosystem, sent, expected) => {
    expect((await match(all(ecosystem, ...sent))).counts.unsupported).toBe(0);
    expect(await names(all(ecosystem, ...sent))).toEqual(expected);
  });

  test('and are refused, with nothing stored, when they look like a credential', async () => {
    const before = stored(service);
    const components = all('wordpress-plugin', 'hello', key);
    const { json } = await call(service.url, `${API}/sites/${site}/components`, {
      key,
      body: { components },
    });
    expect([json.error.code, JSON.stringify(json).includes(key)]).toEqual([
      'COMPONENTS_PRIVACY_REJECTED',
      false,
    ]);
    expect(stored(service)).toEqual(before);
  });
});
