import { beforeAll, expect, test } from 'bun:test';
import { API, call } from '../../support/client.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, sharedService } from '../../support/service.ts';
import { issueExpired } from '../../support/store.ts';
import { tenantOf } from '../../support/tenant.ts';

let service: RunningService;
beforeAll(async () => {
  service = await sharedService();
});

const textOf = async (key: string, path = '/portal') => (await (await portalOf(service, key)).get(path)).text;
const CRITICAL = [{ type: 'malware_found', severity: 'critical', occurred_at: new Date().toISOString() }];

test('the features of the next plan are those that the license would have with it', async () => {
  const { key, license_id: id } = await service.issue(
    ...['--plan', 'pro', '--sites', '3', '--deny-module', 'ai_analysis', '--deny-module', 'decoys'],
  );
  const shown = await textOf(key);
  await service.command('license', 'change', id, '--plan', 'enterprise', '--reason', 'test');
  const { modules, sites } = (await call(service.url, `${API}/me`, { key })).json.data;
  const [, opened = ''] = /Included in enterprise<\/h2><ul>(.*?)<\/ul>/.exec(shown) ?? [];
  const listed = [...opened.matchAll(/<li>(.*?)<\/li>/g)].map(([, name]) => name);
  expect(listed).toEqual(['pc guard', 'cloud immunity', 'digital immunity']);
  expect([sites.allowed, modules]).toEqual([3, expect.not.arrayContaining(['decoys', 'ai_analysis'])]);
});

test('an open alert links to the sites where the plan includes them, and to no locked page otherwise', async () => {
  for (const [plan, leads] of [
    ['starter', true],
    ['free', false],
  ] as const) {
    const tenant = await tenantOf(service, '--plan', plan);
    await tenant.heartbeat(`${plan}.example.com`);
    await tenant.send(`${plan}.example.com`, CRITICAL);
    const text = await textOf(tenant.key);
    expect(text).toContain(`Alert on ${plan}.example.com: malware`);
    expect(/<a class="button quiet small" href="\/portal\/sites\/\w+">Open site</.test(text)).toBe(leads);
  }
});

test('the daily use is shown as in the API, in events and in volume', async () => {
  const tenant = await tenantOf(service, '--daily-bytes', '20000');
  await tenant.heartbeat('used.example.com');
  const messages = Array.from({ length: 25 }, (_, at) => ({
    ...CRITICAL[0],
    message: `${at} `.padEnd(150, 'x'),
  }));
  await tenant.send('used.example.com', messages);
  const { bytes_used: bytes } = (await tenant.get('/me')).json.data.daily_budget;
  expect(bytes).toBeGreaterThan(16_000);
  const text = await textOf(tenant.key);
  expect(text).toContain('Your daily event limit is nearly reached');
  expect(text).toContain(`${Math.ceil(bytes / 1024)} KiB of 20 KiB`);
});

test('a license that is expired or suspended shows the plan to buy it for', async () => {
  const ended = await issueExpired(service, '--plan', 'pro');
  expect(await textOf(ended.key)).toContain('It had the plan Pro.');
  const held = await service.issue('--plan', 'pro');
  await service.command('license', 'suspend', held.license_id, '--hold', 'operator', '--reason', 'test');
  const text = await textOf(held.key);
  expect(text).toContain('Your plan: Pro');
  expect(text).not.toContain('opens</h2>');
});

test.each(['events', 'scans', 'sites', 'evidence', 'evidence/credentials'])(
  'a malformed cursor in the list of %s is explained in plain words',
  async (name) => {
    const { key } = await tenantOf(service);
    const browser = await portalOf(service, key);
    const page = await browser.get(`/portal/${name}?cursor=abc`);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('malformed. Choose again')]);
    expect(page.text).toContain('aria-current="page"');
  },
);

test('a type that is too long, and an invalid site, are explained in plain words', async () => {
  const { key } = await tenantOf(service);
  const browser = await portalOf(service, key);
  const page = await browser.get(`/portal/events?type=${'x'.repeat(65)}`);
  expect([page.status, page.text.includes('[a-z]')]).toEqual([400, false]);
  expect((await browser.get('/portal/scans?site=%22x')).status).toBe(200);
  const analysis = { input_type: 'text', content: 'still here', site: ' x' };
  const refused = await browser.post('/portal/analysis', analysis);
  expect(refused.status).toBe(404);
  expect(refused.text).toContain('still here');
});

test('urgent items come first: an exploited vulnerability, then critical alerts, then silent sites', async () => {
  const tenant = await tenantOf(service, '--plan', 'pro', '--sites', '20');
  for (const name of ['one', 'two']) await tenant.heartbeat(`${name}.first.example.com`);
  await tenant.send('two.first.example.com', CRITICAL);
  const text = await textOf(tenant.key);
  const things = [...text.matchAll(/<li><span class="dot (\w+)"><\/span><span><strong>(.*?)<\/strong>/g)];
  expect(things.map(([, is, what]) => [is, what])).toEqual([
    ['bad', 'Alert on two.first.example.com: malware'],
  ]);
  expect(text).toMatch(/aria-label="\d+ of 100".*<strong>two\.first\.example\.com<\/strong>/);
});

test('a tenant without sites sees how to connect one', async () => {
  const { key } = await service.issue('--plan', 'starter');
  const text = await textOf(key);
  expect(text).toContain('No site has reported yet');
  expect(text).not.toContain('class="ring');
});
