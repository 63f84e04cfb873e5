import { afterAll, beforeAll, expect, test } from 'bun:test';
import { consoleAddress, consoleRoutes, whatIsKept } from '../../support/admin.ts';
import { API, call } from '../../support/client.ts';
import { Browser, operatorOf } from '../../support/console.ts';
import { type RunningService, start } from '../../support/service.ts';

let service: RunningService;
beforeAll(async () => {
  // Its own process: acts are tried on its first license, and all rows are compared.
  service = await start('binary');
  const { key } = await service.issue('--plan', 'pro', '--domain', 'shop.example.com');
  const body = { domain: 'shop.example.com', events: [{ type: 'login_failed', severity: 'low' }] };
  expect((await call(service.url, `${API}/telemetry`, { key, body })).status).toBe(200);
});
afterAll(() => service.end());

const ROUTES = consoleRoutes
  .filter(({ path }) => /^\/console(?:\/|$)/.test(path) && !/-[0-9a-f]{12}\.\w+$/.test(path))
  .map(({ method, path }) => ({ method, path: consoleAddress(path) }));

/** What needs no session. */
const OPEN = /^\/console\/(?:sign-in|welcome)/;
/** What everybody who has signed in may do, beside reading. */
const OF_ALL = /^\/console\/(?:sign-out|account\/[\w-]+|search)$/;
const UNREAD_BY_VIEWERS =
  /^\/console\/(?:customers(?:\/lic_1)?|licenses\/(?:new|import)|audit|backups|settings|tokens|operators)$/;
const OF_OWNERS = /^\/console\/(?:tokens|operators|backups\/verify)/;

const ask = (browser: Browser, { method, path }: (typeof ROUTES)[number]) =>
  method === 'GET' ? browser.get(path) : browser.post(path, { name: 'x', reason: 'x' });
/** A stream would never end. */
const ending = ROUTES.filter(({ path }) => !path.endsWith('/live'));

test('nobody without a session reads or does anything but sign in', async () => {
  const before = whatIsKept(service);
  for (const route of ROUTES.filter(({ path }) => !OPEN.test(path))) {
    const { status, headers } = await ask(new Browser(service), route);
    expect([route, status, headers.get('location')]).toEqual([route, 303, '/console/sign-in']);
  }
  expect(whatIsKept(service)).toBe(before);
});

test('no form is accepted from another origin, or without one, in any role', async () => {
  const owner = await operatorOf(service, 'olivia');
  const before = whatIsKept(service);
  for (const { path } of ROUTES.filter(({ method }) => method === 'POST'))
    for (const origin of ['https://evil.example', 'null', service.url, undefined]) {
      const { status } = await owner.post(path, {}, origin === undefined ? {} : { origin });
      expect([path, origin, status]).toEqual([path, origin, 403]);
    }
  expect(whatIsKept(service)).toBe(before);
});

test('a viewer is refused every act and every page that is not for viewers, and nothing is stored', async () => {
  const viewer = await operatorOf(service, 'victor', 'viewer');
  const before = whatIsKept(service);
  for (const route of ending.filter(({ path }) => !OPEN.test(path) && !OF_ALL.test(path))) {
    const isRefused = route.method === 'POST' || UNREAD_BY_VIEWERS.test(route.path);
    expect([route, (await ask(viewer, route)).status]).toEqual([route, isRefused ? 403 : 200]);
  }
  expect(whatIsKept(service)).toBe(before);
});

test.each(['viewer', 'operator'])('a %s is shown no page that is not for this role', async (role) => {
  const browser = await operatorOf(service, `is-${role}`, role);
  const { text } = await browser.get('/console');
  const shown = [...text.matchAll(/href="(\/console\/[\w-]+)"/g)].map(([, path = '']) => path);
  expect(shown.length).toBeGreaterThan(5);
  for (const path of shown) expect([path, (await browser.get(path)).status]).toEqual([path, 200]);
  const closed = role === 'viewer' ? UNREAD_BY_VIEWERS : OF_OWNERS;
  expect(shown.filter((path) => closed.test(path))).toEqual([]);
});

test('an operator is refused what is for owners', async () => {
  const operator = await operatorOf(service, 'olga', 'operator');
  const before = whatIsKept(service);
  for (const route of ROUTES.filter(({ path }) => OF_OWNERS.test(path)))
    expect([route, (await ask(operator, route)).status]).toEqual([route, 403]);
  expect(whatIsKept(service)).toBe(before);
});

test('nothing that a viewer reads, finds or is refused holds a customer, a note, or who has acted', async () => {
  const notes = ['--customer', 'Zq Customer', '--email', 'zq@example.com', '--note', 'zq note'];
  await service.command('license', 'change', 'lic_1', ...notes, '--external-id', 'zq-order');
  await service.command('license', 'suspend', 'lic_1', '--hold', 'operator', '--reason', 'zq reason');
  const [viewer, owner] = [await operatorOf(service, 'vera', 'viewer'), await operatorOf(service, 'zoe')];
  for (const route of ending.filter(({ path }) => !OPEN.test(path) && !/sign-out/.test(path))) {
    const { text } = await ask(viewer, route);
    expect([route, text]).toEqual([route, expect.not.stringMatching(/zq[ @-]/i)]);
  }
  for (const text of ['Zq Customer', 'zq@example.com', 'zq-order', 'zq note']) {
    const found = await viewer.post('/console/search', { text });
    expect([found.status, found.text]).toEqual([200, expect.not.stringContaining('lic_1')]);
  }
  const { text } = await owner.get('/console/licenses/lic_1');
  expect([text.includes('Zq Customer'), text.includes('zq reason')]).toEqual([true, true]);
});

const ELSEWHERE = [
  '//evil.example/console',
  '/console//evil.example',
  '/\\evil.example',
  '/console/sign-in?next=https://evil.example',
  '/?url=//evil.example',
  '/console/licenses?next=//evil.example',
];

test.each(ELSEWHERE)('nobody is led elsewhere by %s, signed in or not', async (path) => {
  const owner = await operatorOf(service, `otto${ELSEWHERE.indexOf(path)}`);
  for (const browser of [new Browser(service), owner])
    for (const { headers } of [await browser.get(path), await browser.post(path, { next: '//evil.example' })])
      expect(headers.get('location') ?? '/console').toMatch(/^\/console(?:\/sign-in)?$/);
});

test('a token opens nothing in the address of a page, neither that of a session nor that of the admin API', async () => {
  const owner = await operatorOf(service, 'oscar');
  const [, session = ''] = (owner.cookie ?? '').split('=');
  const { token } = JSON.parse(
    await service.command('token', 'create', 'shop', '--scope', 'status:read', '--json'),
  );
  expect((await owner.get('/console')).status).toBe(200);
  for (const query of [`redoubt_console=${session}`, `token=${session}`, `access_token=${token}`]) {
    const { status, headers } = await new Browser(service).get(`/console?${query}`);
    expect([status, headers.get('location')]).toEqual([303, '/console/sign-in']);
    expect((await new Browser(service).get(`/admin/v1/status?${query}`)).status).toBe(401);
  }
});
