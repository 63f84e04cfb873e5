import { afterAll, beforeAll, expect, test } from 'bun:test';
import { whatIsKept } from '../../support/admin.ts';
import { API, call } from '../../support/client.ts';
import type { Browser } from '../../support/console.ts';
import { tagsOf } from '../../support/markup.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, start, until } from '../../support/service.ts';
import { everythingKept, rows } from '../../support/store.ts';

const PATH = '/portal/notifications';
const HOOK = 'https://hooks.example.com/services/path';
const HOSTILE = '"><img src=x onerror=zz>';

let service: RunningService;
beforeAll(async () => {
  // Its own process: everything stored is compared.
  service = await start('binary', {
    SERVICE_RATE_KEY_PER_MINUTE: '100000',
    SERVICE_RATE_IP_PER_MINUTE: '100000',
  });
});
afterAll(() => service.end());

interface Tenant {
  readonly key: string;
  readonly license: string;
  readonly browser: Browser;
}
async function tenantOf(plan = 'pro', on = service): Promise<Tenant> {
  const { key, license_id: license } = await on.issue('--plan', plan);
  return { key, license, browser: await portalOf(on, key) };
}
const targetsOf = async ({ key }: Tenant, on = service) =>
  (await call(on.url, `${API}/notifications`, { key })).json.data.targets;
const add = ({ browser }: Tenant, form: Record<string, string> = {}) =>
  browser.post(PATH, { name: 'ops', address: HOOK, 'events:alert.opened': '1', ...form });
const act = (tenant: Tenant, id: string, action: string) => tenant.browser.post(`${PATH}/${id}/${action}`);

test('a tenant adds, tests, pauses, resumes, rotates and removes a target, each in the audit log under its license', async () => {
  const tenant = await tenantOf();
  const added = await add(tenant);
  const [secret = ''] = /whsec_\S{44}/.exec(added.text) ?? [];
  expect([added.status, secret === '']).toEqual([200, false]);
  expect(added.text).toMatch(/shown only once.*data-copy/s);
  expect((await tenant.browser.get(PATH)).text).not.toContain('whsec_');
  for (const kept of everythingKept(service)) expect(kept).not.toContain(secret.slice(6));
  const [target] = await targetsOf(tenant);
  expect(target).toMatchObject({ name: 'ops', address: HOOK, events: ['alert.opened'], paused_at: null });

  expect((await act(tenant, target.id, 'test')).text).toContain('Test of ops: Not delivered. ');
  expect((await act(tenant, target.id, 'pause')).headers.get('location')).toBe(PATH);
  expect((await targetsOf(tenant))[0].paused_reason).toBe('tenant');
  await act(tenant, target.id, 'resume');
  expect((await targetsOf(tenant))[0].paused_reason).toBeNull();
  const [another = ''] = /whsec_\S{44}/.exec((await act(tenant, target.id, 'rotate')).text) ?? [];
  expect([another === '', another === secret]).toEqual([false, false]);
  await act(tenant, target.id, 'remove');
  expect(await targetsOf(tenant)).toEqual([]);
  const entries = rows(
    service,
    'select action, actor from audit_log where subject = ? and actor = ? order by id',
    ...[tenant.license, `tenant:${tenant.license}`],
  );
  expect(entries.map(({ action }) => action)).toEqual(
    ['add', 'test', 'pause', 'resume', 'rotate', 'remove'].map((verb) => `notification.${verb}`),
  );
});

test('a tenant cannot see or change targets of another tenant or of the operator, and operators list them apart', async () => {
  const [owner, other] = [await tenantOf(), await tenantOf()];
  await add(owner);
  await service.command('notify', 'add', 'ours', 'https://operator.example.com/zz-operator');
  const [{ id }] = await targetsOf(owner);
  const [operators] = rows(service, "select public_id as id from targets where name = 'ours'");
  const before = whatIsKept(service);
  for (const foreign of [id, String(operators?.id), 'tgt_nothing'])
    for (const action of ['test', 'pause', 'resume', 'rotate', 'remove']) {
      const page = await act(other, foreign, action);
      expect([action, page.status]).toEqual([action, 404]);
      expect(page.text).toContain('no longer exists');
      const body = { action };
      const asked = await call(service.url, `${API}/notifications/${foreign}`, { key: other.key, body });
      expect([asked.status, asked.json.error.code]).toEqual([404, 'NOT_FOUND']);
    }
  expect(whatIsKept(service)).toBe(before);
  expect(await targetsOf(other)).toEqual([]);
  expect((await other.browser.get(PATH)).text).not.toMatch(/hooks\.example|zz-operator/);
  expect(await service.command('notify', 'list')).not.toContain(HOOK);
  expect(await service.command('notify', 'list', '--license', owner.license)).toContain(HOOK);
  // The same name is free for everyone.
  expect((await add(other)).status).toBe(200);
});

test.each<[string, Record<string, string>, number]>([
  ['a name on two lines', { name: 'two\r\nlines' }, 400],
  ['a hostile name', { name: HOSTILE }, 400],
  ['a hostile address', { address: HOSTILE }, 409],
  ['a syslog address', { address: 'syslog+tls://siem.example.com' }, 409],
  ['plain http', { address: 'http://10.0.0.1/' }, 409],
  ['two mailboxes', { address: 'mailto:a@example.com,b@example.com' }, 409],
  ['a format of another kind', { address: 'mailto:a@example.com', format: 'slack' }, 409],
  ['a digest that is no number', { digest_minutes: 'soon' }, 400],
  ['a digest of a year', { digest_minutes: '99999' }, 400],
  ['a digest below zero', { digest_minutes: '-1' }, 400],
  ['a severity that is none', { min_severity: HOSTILE }, 400],
  ['a format that is none', { format: HOSTILE }, 400],
])(
  '%s is refused in words, the form keeps what was typed, and nothing is stored',
  async (_, wrong, status) => {
    const tenant = await tenantOf();
    const before = whatIsKept(service);
    const page = await add(tenant, wrong);
    expect(page.status).toBe(status);
    expect(page.text).toMatch(/role="alert"[^>]*>[A-Z][^<]*\.</);
    expect(page.text).not.toMatch(/Expected|digest_minutes:|min_severity:/);
    expect(page.text).toContain('events:alert.opened" value="1" checked');
    expect((await tagsOf(page.text)).filter(({ name }) => name === 'img')).toEqual([]);
    expect(whatIsKept(service)).toBe(before);
  },
);

test('a form without any event is refused in words', async () => {
  const { browser } = await tenantOf();
  const before = whatIsKept(service);
  const page = await browser.post(PATH, { name: 'ops', address: HOOK });
  expect([page.status, page.text]).toEqual([400, expect.stringContaining('Choose at least one event')]);
  expect(whatIsKept(service)).toBe(before);
});

test('events for operators only cannot be selected', async () => {
  const { key } = await tenantOf();
  const before = whatIsKept(service);
  for (const type of ['audit', 'system.problem', 'feed.changed', 'alert.acknowledged', 'test']) {
    const body = { name: 'ops', address: HOOK, events: [type] };
    const { status, json } = await call(service.url, `${API}/notifications`, { key, body });
    expect([type, status, json.error.code]).toEqual([type, 400, 'INVALID_PAYLOAD']);
  }
  expect(whatIsKept(service)).toBe(before);
});

test('after a downgrade a target can still be paused and removed, and nothing else', async () => {
  const tenant = await tenantOf();
  await add(tenant);
  const [{ id }] = await targetsOf(tenant);
  await service.command('license', 'change', tenant.license, '--plan', 'starter');
  const { text } = await tenant.browser.get(PATH);
  expect(text).toContain('Included in pro');
  expect(text).toContain(`action="${PATH}/${id}/pause"`);
  expect(text).not.toContain(`action="${PATH}/${id}/test"`);
  for (const action of ['test', 'resume', 'rotate']) expect((await act(tenant, id, action)).status).toBe(403);
  expect((await add(tenant, { name: 'more' })).status).toBe(403);
  for (const action of ['pause', 'remove']) expect((await act(tenant, id, action)).status).toBe(303);
  expect(await targetsOf(tenant)).toEqual([]);
});

test('a sixth target is refused, and changes and tests have a daily limit', async () => {
  const tenant = await tenantOf();
  for (const name of ['a', 'b', 'c', 'd', 'e']) expect((await add(tenant, { name })).status).toBe(200);
  const sixth = await add(tenant, { name: 'f' });
  expect([sixth.status, await targetsOf(tenant)]).toMatchObject([409, { length: 5 }]);
  expect(sixth.text).toContain('limit of 5 targets');
  rows(service, "update daily_usage set accepted = 100 where route = 'notifications'");
  const [{ id }] = await targetsOf(tenant);
  expect((await act(tenant, id, 'test')).status).toBe(429);
  expect((await act(tenant, id, 'pause')).status).toBe(303);
});

test('where the operator turned it off, targets are paused, and the page says so and only removes them', async () => {
  // Its own process: it tests a setting.
  const on = await start('binary');
  const { key } = await tenantOf('pro', on);
  const body = { name: 'ops', address: HOOK };
  expect((await call(on.url, `${API}/notifications`, { key, body })).status).toBe(200);
  await on.end();
  const off = await start('binary', { ...on.env, SERVICE_TENANT_NOTIFICATIONS: '0' });
  const tenant = { key, license: 'lic_1', browser: await portalOf(off, key) };
  const shown = async () => (await tenant.browser.get(PATH)).text;
  await until(async () => (await shown()).includes('paused by your provider'));
  const [{ id }] = await targetsOf(tenant, off);
  const before = whatIsKept(off);
  expect(await shown()).toContain('turned notifications off');
  expect((await add(tenant)).status).toBe(403);
  for (const action of ['test', 'resume', 'rotate']) expect((await act(tenant, id, action)).status).toBe(403);
  const { status, json } = await call(off.url, `${API}/notifications`, { key, body });
  expect([status, json.error.code]).toEqual([403, 'NOTIFICATIONS_DISABLED']);
  expect(whatIsKept(off)).toBe(before);
  expect((await act(tenant, id, 'remove')).status).toBe(303);
  await off.end();
});
