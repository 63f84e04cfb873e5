import { beforeAll, expect, test } from 'bun:test';
import { API, call } from '../../support/client.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, sharedService } from '../../support/service.ts';
import { issueExpired, rows } from '../../support/store.ts';
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

test('alerts of a site, silent sites, outdated plugins and unproven domains follow as one thing each, and the menu counts alerts', async () => {
  const domains = ['a', 'b', 'c'].map((name) => `${name}.later-first.com`);
  const { key, license_id: license } = await service.issue(
    ...['--plan', 'pro', '--sites', '9'],
    ...domains.flatMap((domain) => ['--domain', domain]),
  );
  const report = (domain: string | undefined, more: object) =>
    call(service.url, `${API}/telemetry`, { key, body: { domain, ...more } });
  for (const [at, domain] of domains.entries())
    await report(undefined, {
      site_url: `https://${domain}`,
      license_key: key,
      plugin_version: at === 0 ? '2.0.0' : '1.0.0',
    });
  const [malware] = CRITICAL;
  await report(domains[0], { events: [malware, { ...malware, type: 'webshell_found' }] });
  await service.command(
    ...['license', 'verify-domain', license, '--domain', domains[1] ?? '', '--reason', 'seen'],
  );
  rows(service, 'update sites set last_seen_at = 1 where domain = ?', domains[2] ?? '');
  const text = await textOf(key);
  const things = [...text.matchAll(/<li><span class="dot (\w+)"><\/span><span><strong>(.*?)<\/strong>/g)];
  expect(things.map(([, is, what]) => [is, what])).toEqual([
    ['bad', '2 alerts on a.later-first.com: malware, webshell'],
    ['warn', 'c.later-first.com stopped reporting'],
    ['warn', 'Update the security plugin on b.later-first.com and 1 more'],
    ['info', 'Prove that you own 2 domains'],
  ]);
  expect(text).toMatch(/Alerts<span class="mark bad">2<\/span>/);
  const [, start = ''] = /href="([^"]+)">Start</.exec(text) ?? [];
  expect(await textOf(key, start)).toContain('_redoubt-challenge.a.later-first.com');
});

test('a tenant without sites sees how to connect one', async () => {
  const { key } = await service.issue('--plan', 'starter');
  const text = await textOf(key);
  expect(text).toContain('No site has reported yet');
  expect(text).not.toContain('class="ring');
});
