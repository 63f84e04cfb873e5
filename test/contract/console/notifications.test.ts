import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Admin, adminOf, tokenOf, whatIsKept } from '../../support/admin.ts';
import { type Browser, operatorOf } from '../../support/console.ts';
import { tagsOf } from '../../support/markup.ts';
import { type RunningService, start } from '../../support/service.ts';
import { everythingKept, rows } from '../../support/store.ts';

const PATH = '/console/notifications';
const HOOK = 'https://hooks.example.com/services/zz-path';
const MAIL = 'mailto:anna.zz@example.com';
const HOSTILE = '"><img src=x onerror=zz>';

let service: RunningService;
let [operator, viewer]: Browser[] = [];
let admin: Admin;
beforeAll(async () => {
  // Its own process: pages list all targets, and everything stored is compared.
  service = await start('binary', { SERVICE_ADMIN_RATE_PER_MINUTE: '100000' });
  operator = await operatorOf(service, 'otto', 'operator');
  viewer = await operatorOf(service, 'vera', 'viewer');
  admin = adminOf(service, await tokenOf(service));
});
afterAll(() => service.end());

const as = (browser: Browser | undefined) => browser as Browser;
const add = (name: string, address: string, more: Record<string, string> = {}) =>
  as(operator).post(`${PATH}/add`, { name, address, 'events:alert.opened': '1', ...more });
const idOf = (name: string) =>
  String(rows(service, 'select public_id as id from targets where name = ?', name)[0]?.id);
const pageOf = (name: string) => `${PATH}/targets/${idOf(name)}`;

test('a new target leads to its page, which shows its secret once, with a button to copy it', async () => {
  const { status, headers } = await add('hook', HOOK);
  expect([status, headers.get('location')]).toEqual([303, pageOf('hook')]);
  const first = await as(operator).get(pageOf('hook'));
  const [secret = ''] = /whsec_[A-Za-z0-9+/]{43}=/.exec(first.text) ?? [];
  expect(secret).not.toBe('');
  expect(first.text).toMatch(/shown only once.*data-copy/s);
  expect((await as(operator).get(pageOf('hook'))).text).not.toContain('whsec_');
  for (const kept of everythingKept(service)) expect(kept).not.toContain(secret.slice(6));
});

test('a rotation shows another secret once', async () => {
  await add('rotated', HOOK);
  const [before = ''] = /whsec_\S{44}/.exec((await as(operator).get(pageOf('rotated'))).text) ?? [];
  await as(operator).post(`${PATH}/rotate`, { target: idOf('rotated') });
  const [after = ''] = /whsec_\S{44}/.exec((await as(operator).get(pageOf('rotated'))).text) ?? [];
  expect(after).not.toBe('');
  expect(after).not.toBe(before);
});

test('viewers see the health of targets, but no mailbox, no path of a webhook, no customer, and no button', async () => {
  await add('seen-hook', HOOK, { customers: 'Zz Customer' });
  await add('seen-mail', MAIL);
  for (const path of [PATH, pageOf('seen-hook'), pageOf('seen-mail')]) {
    const { status, text } = await as(viewer).get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).not.toMatch(/zz-path|anna\.zz|Zz Customer/);
    expect(text).not.toContain(`action="${PATH}`);
  }
  const list = (await as(viewer).get(PATH)).text;
  expect(list).toContain('https://hooks.example.com/…');
  expect(list).toContain('mailto:…@example.com');
  expect((await as(operator).get(PATH)).text).toContain(HOOK);
});

test('viewers can do nothing to targets, and nothing is stored', async () => {
  await add('kept', HOOK);
  const before = whatIsKept(service);
  const asked = [
    as(viewer).post(`${PATH}/add`, { name: 'new', address: HOOK }),
    ...['test', 'pause', 'resume', 'rotate', 'remove', 'replay'].map((verb) =>
      as(viewer).post(`${PATH}/${verb}`, { target: idOf('kept') }),
    ),
  ];
  for (const { status } of await Promise.all(asked)) expect(status).toBe(403);
  expect(whatIsKept(service)).toBe(before);
});

test.each<[string, Record<string, string>]>([
  ['a name on two lines', { name: 'two\r\nlines' }],
  ['a hostile name', { name: HOSTILE }],
  ['an address of another kind', { address: 'ftp://x' }],
  ['a hostile address', { address: HOSTILE }],
  ['an address without encryption', { address: 'http://10.0.0.1/' }],
  ['an event that is none', { 'events:nothing': '1' }],
  ['a format of another kind', { format: 'cef' }],
  ['certificates that are none', { ca: HOSTILE }],
  ['an unknown license', { license_ids: 'lic_999' }],
  ['a digest that is no number', { digest_minutes: 'soon' }],
  ['a digest of a year', { digest_minutes: '999999' }],
  ['a severity that is none', { min_severity: HOSTILE }],
  ['a license that is none', { license_ids: 'x' }],
])(
  'a form with %s is refused at the form, which keeps what was typed, and nothing is stored',
  async (_, wrong) => {
    const before = whatIsKept(service);
    const { status, text } = await add('refused', HOOK, { customers: HOSTILE, ...wrong });
    expect(status).toBeOneOf([400, 409]);
    expect(text).toMatch(/role="alert"[^>]*>[A-Z][^<]*\.</);
    expect(text).not.toMatch(/Expected|_minutes:|license_ids:/);
    expect(text).toContain('events:alert.opened" value="1" checked');
    expect((await tagsOf(text)).filter(({ name }) => name === 'img')).toEqual([]);
    expect(whatIsKept(service)).toBe(before);
  },
);

test('a test reports in words what happened, and is audited', async () => {
  await add('local', 'https://hooks.invalid/');
  const { headers } = await as(operator).post(`${PATH}/test`, { target: idOf('local') });
  const { text } = await as(operator).get(headers.get('location') ?? '');
  expect(text).toContain('Test of local: Not delivered. ');
  expect(rows(service, "select actor from audit_log where action = 'notification.test'")).toContainEqual({
    actor: 'operator:otto',
  });
});

test('a page shows deliveries, failures and customers as text, also hostile ones', async () => {
  await add('shown', HOOK, { customers: HOSTILE });
  const [target] = rows(service, "select id from targets where name = 'shown'");
  const attempt = {
    at: Date.now(),
    event: HOSTILE,
    type: 'alert.opened',
    events: 3,
    attempt: 2,
    outcome: 'failed',
    status: 500,
    latencyMs: 1_234,
    reason: HOSTILE,
  };
  rows(service, 'insert into delivery_logs values (?, ?)', Number(target?.id), JSON.stringify([attempt]));
  rows(
    service,
    'update target_states set failure = ?, failed_at = 1 where target_id = ?',
    HOSTILE,
    Number(target?.id),
  );
  const { text } = await as(operator).get(pageOf('shown'));
  expect(text).toContain('alert.opened and 2 more');
  expect(text).toContain('1,234 ms');
  expect((await tagsOf(text)).filter(({ name }) => name === 'img')).toEqual([]);
  const read = await admin('/notifications/shown/deliveries');
  expect(read.json.data.deliveries).toMatchObject([
    { event_id: HOSTILE, latency_ms: 1_234, outcome: 'failed' },
  ]);
});

test('a removed target is gone from list and page, and its page says so', async () => {
  await add('removed', HOOK);
  const page = pageOf('removed');
  const { headers } = await as(operator).post(`${PATH}/remove`, {
    target: idOf('removed'),
    reason: 'replaced',
  });
  expect(headers.get('location')).toBe(PATH);
  expect((await as(operator).get(PATH)).text).not.toContain('>removed<');
  expect((await as(operator).get(page)).status).toBe(404);
});

test('the admin API shows mailbox, path and customers only to tokens that may read and change targets', async () => {
  await add('masked', MAIL, { customers: 'Zz Customer' });
  const reading = adminOf(service, await tokenOf(service, ['notifications:read'], 'reader'));
  for (const path of ['/notifications', '/notifications/masked'])
    expect((await reading(path)).text).not.toMatch(/anna\.zz|zz-path|Zz Customer/);
  expect((await reading('/notifications/masked')).json.data).toMatchObject({ customers: null });
  const writing = adminOf(service, await tokenOf(service, ['notifications:write'], 'writer'));
  for (const verb of ['pause', 'resume', 'test']) {
    const { status, text } = await writing(`/notifications/masked/${verb}`, { body: {} });
    expect([verb, status]).toEqual([verb, 200]);
    expect(text).not.toMatch(/anna\.zz|zz-path|Zz Customer/);
  }
  expect((await admin('/notifications/masked')).json.data).toMatchObject({
    address: MAIL,
    customers: ['Zz Customer'],
  });
});

test('a repeated request adds nothing, shows no secret again and sends no second test', async () => {
  const body = { name: 'once', address: HOOK };
  const secrets = [];
  for (const once of ['a', 'a'])
    secrets.push((await admin('/notifications/add', { body, once })).json.data.secret);
  expect(secrets).toEqual([expect.stringContaining('whsec_'), null]);
  const tests = [];
  for (const once of ['b', 'b'])
    tests.push((await admin('/notifications/once/test', { body: {}, once })).json.data.test);
  expect(tests).toEqual([expect.objectContaining({ delivered: false }), null]);
});
