import { afterAll, beforeAll, expect, test } from 'bun:test';
import { SUBJECTS } from '../../support/acts.ts';
import { consoleAddress, consoleRoutes, whatIsKept } from '../../support/admin.ts';
import { API, call } from '../../support/client.ts';
import { Browser, operatorOf } from '../../support/console.ts';
import { type RunningService, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

let service: RunningService;
beforeAll(async () => {
  // Its own process: acts are tried on its first license, and all rows are compared.
  service = await start('binary');
  const { key } = await service.issue('--plan', 'pro', '--domain', 'shop.example.com');
  const body = { domain: 'shop.example.com', events: [{ type: 'login_failed', severity: 'low' }] };
  expect((await call(service.url, `${API}/telemetry`, { key, body })).status).toBe(200);
  await service.command('notify', 'add', 'x', 'https://hooks.example.com/');
});
afterAll(() => service.end());

const ROUTES = consoleRoutes
  .filter(({ path }) => /^\/console(?:\/|$)/.test(path) && !/-[0-9a-f]{12}\.\w+$/.test(path))
  .map(({ method, path }) => ({ method, path: consoleAddress(path) }));

/** Pages without a session. */
const OPEN = /^\/console\/(?:sign-in|welcome)/;
/** Acts of every signed-in operator. */
const OF_ALL = /^\/console\/(?:sign-out|account\/[\w-]+|search)$/;
const UNREAD_BY_VIEWERS =
  /^\/console\/(?:customers(?:\/lic_1(?:\/report)?)?|licenses\/(?:new|import)|audit|backups|settings|tokens|operators)$/;
const UNREAD_BY_SUPPORT = /^\/console\/(?:licenses\/(?:new|import)|tokens|operators)$/;
/** Reading by POST, and acts of support. */
const OF_SUPPORT =
  /^\/console\/(?:\w+(?:\/component)?\/csv|alerts\/(?:un)?acknowledge(?:-selected)?|licenses\/lic_1\/unbind)$/;
const OF_OWNERS = /^\/console\/(?:tokens|operators|backups\/verify)/;

const ask = (browser: Browser, { method, path }: (typeof ROUTES)[number]) =>
  method === 'GET' ? browser.get(path) : browser.post(path, { name: 'x', reason: 'x' });
/** A stream would never end. */
const ending = ROUTES.filter(({ path }) => !path.endsWith('/live'));

test('without a session, every page and act leads to the sign-in', async () => {
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

test('a viewer is refused every act and every page of other roles, and nothing is stored', async () => {
  const viewer = await operatorOf(service, 'victor', 'viewer');
  const before = whatIsKept(service);
  for (const route of ending.filter(({ path }) => !OPEN.test(path) && !OF_ALL.test(path))) {
    const isRefused = route.method === 'POST' || UNREAD_BY_VIEWERS.test(route.path);
    expect([route, (await ask(viewer, route)).status]).toEqual([route, isRefused ? 403 : 200]);
  }
  expect(whatIsKept(service)).toBe(before);
});

test('support is refused every other act and page, and nothing is stored', async () => {
  const support = await operatorOf(service, 'susan', 'support');
  const before = whatIsKept(service);
  for (const route of ending.filter(({ path }) => ![OPEN, OF_ALL, OF_SUPPORT].some((of) => of.test(path)))) {
    const isRefused = route.method === 'POST' || UNREAD_BY_SUPPORT.test(route.path);
    expect([route, (await ask(support, route)).status]).toEqual([route, isRefused ? 403 : 200]);
  }
  expect(whatIsKept(service)).toBe(before);
});

test('support downloads lists, and the audit log says so', async () => {
  const support = await operatorOf(service, 'sven', 'support');
  for (const path of ['licenses/csv', 'audit/csv', 'events/csv']) {
    const { status, headers } = await support.post(`/console/${path}`, { since: '2020-01-01' });
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, expect.stringContaining('csv')]);
  }
  const actions = rows(service, "select action from audit_log where actor = 'operator:sven' order by 1");
  expect(actions.map(({ action }) => action)).toEqual([
    ...['audit.export', 'events.export', 'license.export', 'operator.password'],
  ]);
});

test('support sees customers, explains and releases a domain, but does not block it', async () => {
  const names = ['--domain', 'one.example.com', '--customer', 'Zoo Ltd'];
  const { license_id: id } = await service.issue('--plan', 'pro', ...names);
  const [support, path] = [await operatorOf(service, 'sofia', 'support'), `/console/licenses/${id}`];
  const { text } = await support.get(`${path}?tab=sites&domain=one.example.com`);
  expect([text.includes('Zoo Ltd'), text.includes('one.example.com is')]).toEqual([true, true]);
  const offered = [...text.matchAll(/action="([^"]+)"/g)].map(([, action]) => action);
  expect(offered.filter((action) => action?.startsWith(`${path}/`))).toEqual([`${path}/unbind`]);
  expect([...text.matchAll(/\?act=(\w+)/g)].map(([, act]) => act)).toEqual(['unbind']);

  const before = whatIsKept(service);
  for (const form of [{ block: '1' }, { block: '0' }]) {
    const refused = await support.post(`${path}/unbind`, { domain: 'one.example.com', ...form });
    expect([form, refused.status]).toEqual([form, 403]);
  }
  expect(whatIsKept(service)).toBe(before);
  const form = { domain: 'one.example.com', reason: 'moved' };
  expect((await support.post(`${path}/unbind`, form)).status).toBe(303);
  const [entry] = rows(service, "select * from audit_log where action = 'license.unbind'");
  expect(entry).toMatchObject({ actor: 'operator:sofia', subject: id, reason: 'moved' });
});

test('support acknowledges an alert, and withdraws the acknowledgement', async () => {
  const [support, alerts] = [await operatorOf(service, 'saskia', 'support'), SUBJECTS.alerts];
  for (const verb of ['acknowledge', 'unacknowledge']) {
    const { form = {} } = await alerts.prepare(service, verb);
    expect([verb, (await support.get('/console/alerts')).text.includes(`alerts/${verb}"`)]).toEqual([
      verb,
      true,
    ]);
    expect([verb, (await support.post(`/console/alerts/${verb}`, form)).status]).toEqual([verb, 303]);
  }
});

test('an operator demoted to support can no longer suspend a license, and nothing is stored', async () => {
  const [browser, path] = [await operatorOf(service, 'sonja', 'operator'), '/console/licenses/lic_1/suspend'];
  await service.command('operator', 'role', 'sonja', '--role', 'support');
  expect((await browser.post(path)).headers.get('location')).toBe('/console/sign-in');
  await browser.signIn('sonja');
  const before = whatIsKept(service);
  expect((await browser.post(path, { hold: 'dispute', reason: 'x' })).status).toBe(403);
  expect(whatIsKept(service)).toBe(before);
});

test.each(['viewer', 'support', 'operator'] as const)(
  'the role %s gets no link to a page that it cannot open',
  async (role) => {
    const browser = await operatorOf(service, `is-${role}`, role);
    const { text } = await browser.get('/console');
    const shown = [...text.matchAll(/href="(\/console\/[\w-]+)"/g)].map(([, path = '']) => path);
    expect(shown.length).toBeGreaterThan(5);
    for (const path of shown) expect([path, (await browser.get(path)).status]).toEqual([path, 200]);
    const closed = { viewer: UNREAD_BY_VIEWERS, support: UNREAD_BY_SUPPORT, operator: OF_OWNERS }[role];
    expect(shown.filter((path) => closed.test(path))).toEqual([]);
  },
);

test('an operator is refused the pages and acts of owners', async () => {
  const operator = await operatorOf(service, 'olga', 'operator');
  const before = whatIsKept(service);
  for (const route of ROUTES.filter(({ path }) => OF_OWNERS.test(path)))
    expect([route, (await ask(operator, route)).status]).toEqual([route, 403]);
  expect(whatIsKept(service)).toBe(before);
});

test('no page, search or refusal shows a viewer a customer, a note or an actor', async () => {
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

test.each(ELSEWHERE)('%s redirects to no other site, with a session or without', async (path) => {
  const owner = await operatorOf(service, `otto${ELSEWHERE.indexOf(path)}`);
  for (const browser of [new Browser(service), owner])
    for (const { headers } of [await browser.get(path), await browser.post(path, { next: '//evil.example' })])
      expect(headers.get('location') ?? '/console').toMatch(/^\/console(?:\/sign-in)?$/);
});

test('a token of a session or of the admin API is ignored in the address of a page', async () => {
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
