import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DEMO_COMPONENTS } from '../../../src/cli/demo-vulnerabilities.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { API, call } from '../../support/client.ts';
import { type Browser, operatorOf } from '../../support/console.ts';
import { importDemo } from '../../support/mirror.ts';
import { type RunningService, SURE, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';
import { tenantOf } from '../../support/tenant.ts';

const PATH = '/console/vulnerabilities';

let service: RunningService;
let viewer: Browser;
beforeAll(async () => {
  // Its own process: vulnerability data is imported and damaged.
  service = await start('binary');
  viewer = await operatorOf(service, 'vera', 'viewer');
});
afterAll(() => service.end());

const page = async () => (await viewer.get(PATH)).text;
/** The rows of one table, as the texts of their cells. */
const tableOf = (text: string, label: string) => {
  const [, table = ''] = new RegExp(`aria-label="${label}".*?<tbody>(.*?)</tbody>`).exec(text) ?? [];
  return table
    .split('</tr>')
    .slice(0, -1)
    .map((row) =>
      row
        .split(/<[/]t[dh]>/)
        .slice(0, -1)
        .map((cell) => cell.replace(/<[^>]*>/g, '')),
    );
};

test('before anything is imported, the page says so and how', async () => {
  expect(await page()).toMatch(/No vulnerability data.*redoubt vulns import/);
});

test('what is overdue is counted over all tenants by sites and licenses, with a link, escaped, and revoked licenses are left out', async () => {
  const tenDaysAgo = Date.now() - 10 * DAY_MS;
  await importDemo(service, tenDaysAgo);
  const tell = async (domains: string[]) => {
    const { key, licenseId, get, heartbeat } = await tenantOf(service);
    for (const domain of domains) await heartbeat(domain);
    for (const { id } of (await get('/sites')).json.data.sites)
      await call(service.url, `${API}/sites/${id}/components`, {
        key,
        body: { components: DEMO_COMPONENTS },
      });
    return licenseId;
  };
  const first = await tell(['one.test', 'two.test']);
  await tell(['three.test']);
  await service.command('license', 'revoke', await tell(['four.test']), ...SURE);
  // As if the sites had told of them ten days ago.
  for (const { id, components } of rows(service, 'select site_id as id, components from site_inventories')) {
    const told = (JSON.parse(String(components)) as unknown[][]).map((component) =>
      component.with(5, tenDaysAgo).with(7, tenDaysAgo),
    );
    rows(
      service,
      'update site_inventories set components = ? where site_id = ?',
      JSON.stringify(told),
      Number(id),
    );
  }
  rows(service, "update sites set domain = '<img src=x>' where domain = 'one.test'");
  const text = await page();
  expect(text).toMatch(/class="notice warn".*vulnerability data is out of date/);
  expect(text).not.toContain('<img');
  const [due, ...cells] = tableOf(text, 'Overdue, longest first')[0] ?? [];
  expect(due).toMatch(/^\d+ [A-Z][a-z]{2} \d{4}$|ago$/);
  expect(cells).toEqual([
    'plugin example-gallery 1.2.3',
    'CVE-1998-0001 (exploited)',
    'check for signs of compromise first, update to 1.2.4',
    '3',
    '2',
    `${first} &lt;img src=x&gt;`,
  ]);
  expect(text).toContain(`<a href="/console/licenses/${first}">`);
  expect(tableOf(text, 'Most affected components')).toContainEqual([
    'plugin example-gallery',
    '3',
    '2',
    '1',
    expect.stringMatching(/^\d+$/),
  ]);
});

test('another import is counted from the next visit on, and its sources stand there with their ages', async () => {
  await importDemo(service);
  const text = await page();
  expect(text).toMatch(/class="notice good".*data is current/);
  const sources = tableOf(text, 'Sources');
  expect(sources.length).toBeGreaterThan(1);
  for (const cells of sources) expect(cells).toHaveLength(5);
  expect(tableOf(text, 'Overdue, longest first')).toHaveLength(1);
});

test('components that are kept damaged are said to be the reason why nothing is counted, and nothing is made up', async () => {
  const kept = rows(service, 'select site_id, components from site_inventories');
  rows(service, "update site_inventories set components = 'x'");
  await importDemo(service, Date.now() + 1);
  const text = await page();
  expect(text).toContain('could not be counted');
  expect(text).not.toContain('example-gallery');
  for (const { site_id, components } of kept)
    rows(
      service,
      'update site_inventories set components = ? where site_id = ?',
      String(components),
      Number(site_id),
    );
  await importDemo(service, Date.now() + 2);
  expect(tableOf(await page(), 'Overdue, longest first')).toHaveLength(1);
});

test('data that cannot be read is said, and nothing of it is shown', async () => {
  const id = String(rows(service, 'select current from mirror')[0]?.current);
  rows(service, 'update mirror set current = ?', 'f'.repeat(16));
  const text = await page();
  rows(service, 'update mirror set current = ?', id);
  expect(text).toMatch(/class="notice bad".*cannot be read/);
  expect(text).not.toContain('example-gallery');
});
