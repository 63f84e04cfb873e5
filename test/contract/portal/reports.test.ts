import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { audited, closePages, isChromiumThere, launched, watched } from '../../support/chromium.ts';
import { API, call } from '../../support/client.ts';
import { operatorOf } from '../../support/console.ts';
import { foreignIn, tagsOf } from '../../support/markup.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, sharedService } from '../../support/service.ts';
import { stored } from '../../support/store.ts';
import { tenantOf } from '../../support/tenant.ts';

let service: RunningService;
let key: string;
let license: string;
let siteId: string;
const NOW = new Date().toISOString();
const MONTH = NOW.slice(0, 7);
const reportOf = (query = '', as = key) => call(service.url, `${API}/reports${query}`, { key: as });

beforeAll(async () => {
  service = await sharedService();
  const name = `<b>Customer</b> ${Bun.randomUUIDv7()}`;
  const tenant = await tenantOf(service, '--plan', 'pro', '--customer', name, '--sites', '9');
  ({ key } = tenant);
  license = tenant.licenseId;
  for (const domain of ['one', 'two']) await tenant.heartbeat(`${domain}.report.example.com`);
  const blocked = { type: 'sql_injection_blocked', severity: 'low', occurred_at: NOW };
  const old = { ...blocked, occurred_at: new Date(Date.now() - 62 * DAY_MS).toISOString() };
  const found = { type: 'malware_found', severity: 'critical', occurred_at: NOW };
  await tenant.send('one.report.example.com', [blocked, blocked, old, found]);
  await tenant.send('two.report.example.com', [blocked]);
  await tenant.send('two.report.example.com', [{ ...found, type: 'backdoor_found' }]);
  await tenant.send('two.report.example.com', [{ ...found, type: 'backdoor_removed' }]);
  const { json } = await call(service.url, `${API}/sites`, { key });
  siteId = json.data.sites.find(({ url }: { url: string }) => url.includes('one.')).id;
});

test('the report of a month has its events, alerts and sites, for all sites or for one', async () => {
  const { status, json } = await reportOf(`?month=${MONTH}`);
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ month: MONTH, complete: false, events: 6, events_month_before: 0 });
  expect(json.data.alerts).toHaveLength(2);
  expect(json.data.alerts).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ subject: 'malware', severity: 'critical', closed_at: null }),
      expect.objectContaining({ subject: 'backdoor', closed_at: expect.any(String) }),
    ]),
  );
  const sites = json.data.sites as { url: string; events: number; security_score: number }[];
  expect(sites.map(({ url, events }) => [url.slice(8, 11), events])).toEqual([
    ['one', 3],
    ['two', 3],
  ]);
  const one = (await reportOf(`?site=${siteId}`)).json.data;
  expect([one.events, one.sites.length, one.alerts.length]).toEqual([3, 1, 1]);
  const days = json.data.days.reduce((sum: number, day: Record<string, number>) => sum + (day.low ?? 0), 0);
  expect(days).toBe(3);
});

test.each([
  ['a month that is none', '?month=2026-13', 400, 'INVALID_QUERY'],
  ['a text as a month', '?month=<b>', 400, 'INVALID_QUERY'],
  ['an unknown site', '?site=zz', 404, 'SITE_NOT_FOUND'],
  ['an unknown filter', '?year=2026', 400, 'INVALID_QUERY'],
])('a report of %s is refused, also in the portal', async (_, query, status, code) => {
  const before = stored(service);
  const reply = await reportOf(query);
  expect([reply.status, reply.json.error.code]).toEqual([status, code]);
  if (!query.includes('year')) {
    const page = await (await portalOf(service, key)).get(`/portal/reports${query}`);
    expect([page.status, page.text.includes('There is no report of this month')]).toEqual([status, true]);
  }
  expect(stored(service).audit_log).toEqual(before.audit_log);
});

test('a license reads only its own sites, and the plan Free none', async () => {
  const other = await tenantOf(service, '--plan', 'pro');
  expect((await reportOf(`?site=${siteId}`, other.key)).status).toBe(404);
  expect((await reportOf('', other.key)).json.data).toMatchObject({ events: 0, sites: [], alerts: [] });
  const free = await service.issue('--plan', 'free');
  expect((await reportOf('', free.key)).json.error.code).toBe('PLAN_REQUIRED');
});

test('the pages of the portal and of the console show the same numbers, and names stay text', async () => {
  const { json } = await reportOf();
  const portal = await (await portalOf(service, key)).get('/portal/reports');
  const support = await operatorOf(service, `support-${Bun.randomUUIDv7().slice(-12)}`, 'support');
  const console = await support.get(`/console/customers/${license}/report?month=${MONTH}`);
  for (const { status, text } of [portal, console]) {
    expect(status).toBe(200);
    expect(text).toContain(`<p class="figure">${json.data.events}</p>`);
    for (const { url, events } of json.data.sites)
      expect(text).toMatch(new RegExp(`<th scope="row">${url.slice(8)}</th>.{0,120}>${events}</td>`));
    expect(text).toContain('&lt;b&gt;Customer&lt;/b&gt;');
    expect((await tagsOf(text)).map(foreignIn).filter(Boolean)).toEqual([]);
  }
  const viewer = await operatorOf(service, `viewer-${Bun.randomUUIDv7().slice(-12)}`, 'viewer');
  expect((await viewer.get(`/console/customers/${license}/report`)).status).toBe(403);
});

(isChromiumThere ? describe : describe.skip)('in a browser', () => {
  let browser: Awaited<ReturnType<typeof launched>>;
  beforeAll(async () => {
    browser = await launched();
  });
  afterAll(closePages);

  test('a report prints without navigation, in light colours, on A4 pages without overflow', async () => {
    const complaints: string[] = [];
    const [name = '', value = ''] = (await portalOf(service, key)).cookie?.split('=') ?? [];
    const cookies = [{ name, value, url: service.url }];
    const viewport = { width: 688, height: 1_000 };
    const page = await watched(browser, service.url, complaints, { cookies, viewport, colorScheme: 'dark' });
    await page.goto(`${service.url}/portal/reports`);
    expect(await audited(page)).toEqual({ violations: [], isChecked: true });
    expect(await page.locator('.head [data-print]').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const hidden of ['.side', '.top', '.filters', 'footer', '.acts', '.report details'])
      expect([hidden, await page.locator(hidden).first().isVisible()]).toEqual([hidden, false]);
    expect(await page.locator('.paper').textContent()).toContain('Security report');
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(18, 22, 29)');
    const wide = `[...document.querySelectorAll('.report *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 1).length`;
    expect(await page.evaluate(wide)).toBe(0);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(2);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
