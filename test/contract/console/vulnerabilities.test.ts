import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DEMO_COMPONENTS } from '../../../src/cli/demo-vulnerabilities.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { auditOf } from '../../support/admin.ts';
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

test('before an import, the page shows that there is no data and how to import', async () => {
  expect(await page()).toMatch(/No vulnerability data.*redoubt vulns import/);
});

test('overdue vulnerabilities are counted by sites and licenses, linked, escaped, without revoked licenses', async () => {
  const tenDaysAgo = Date.now() - 10 * DAY_MS;
  await importDemo(service, tenDaysAgo);
  const report = async (domains: string[]) => {
    const { key, licenseId, get, heartbeat } = await tenantOf(service);
    for (const domain of domains) await heartbeat(domain);
    for (const { id } of (await get('/sites')).json.data.sites)
      await call(service.url, `${API}/sites/${id}/components`, {
        key,
        body: { components: DEMO_COMPONENTS },
      });
    return licenseId;
  };
  const first = await report(['one.test', 'two.test']);
  await report(['three.test']);
  await service.command('license', 'revoke', await report(['four.test']), ...SURE);
  // As if the sites had reported them ten days ago.
  for (const { id, components } of rows(service, 'select site_id as id, components from site_inventories')) {
    const reported = (JSON.parse(String(components)) as unknown[][]).map((component) =>
      component.with(5, tenDaysAgo).with(7, tenDaysAgo),
    );
    rows(
      service,
      'update site_inventories set components = ? where site_id = ?',
      JSON.stringify(reported),
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
    'plugin example-gallery exploited',
    '3',
    '2',
    '1',
    expect.stringMatching(/^\d+$/),
    '1.2.4',
    expect.stringMatching(/ago$|\d{4}$/),
  ]);
});

test('another import is counted from the next visit on, and its sources are listed with their ages', async () => {
  await importDemo(service);
  const text = await page();
  expect(text).toMatch(/role="status">The vulnerability data is current, imported/);
  expect(text).toMatch(
    /class="notice verdict bad".*3 sites of 2 licenses need fixes within 3 days, or are overdue/,
  );
  const sources = tableOf(text, 'Sources');
  expect(sources.length).toBeGreaterThan(1);
  for (const cells of sources) expect(cells).toHaveLength(5);
  expect(tableOf(text, 'Overdue, longest first')).toHaveLength(1);
});

test('the page of a site lists its vulnerable components, with deadlines and fixes', async () => {
  const [site] = rows(service, "select license_id as id from sites where domain = 'two.test'");
  const { text } = await viewer.get(`/console/sites/lic_${site?.id}/two.test`);
  const [found] = tableOf(text, 'Vulnerabilities').filter(([component]) =>
    component?.includes('example-gallery'),
  );
  expect(found?.slice(0, 2)).toEqual(['plugin example-gallery 1.2.3', 'CVE-1998-0001']);
  expect(found?.slice(3)).toEqual(['act', expect.any(String), 'update to 1.2.4']);
});

test.each([
  ['a vulnerability', 'cve-1998-0001'],
  ['a part of the name of a component', 'Example-Gal'],
])('%s is found by the search, and links to the affected sites', async (_, text) => {
  const { headers, text: html } = await viewer.post('/console/search', { text });
  const address = 'component?ecosystem=wordpress-plugin&component=example-gallery';
  expect(headers.get('location') ?? html.replaceAll('&amp;', '&')).toContain(address);
});

describe('the page of a component', () => {
  const COMPONENT = { ecosystem: 'wordpress-plugin', component: 'example-gallery' };
  const at = (component: Readonly<Record<string, string>> = COMPONENT) =>
    `${PATH}/component?${new URLSearchParams(component)}`;
  let operator: Browser;
  beforeAll(async () => {
    operator = await operatorOf(service, 'otto', 'operator');
    const [first, second] = rows(
      service,
      'select distinct license_id as id from site_inventories order by license_id',
    );
    const name = (id: unknown) => `lic_${id}`;
    await service.command(
      'license',
      'change',
      name(first?.id),
      '--customer',
      'Ada <Ltd>',
      '--email',
      'ada@ada.example',
    );
    await service.command(
      'license',
      'change',
      name(second?.id),
      '--customer',
      'Bob',
      '--email',
      'bob@bob.example',
    );
  });

  test('is linked from the page of vulnerabilities', async () => {
    expect(await page()).toContain(`href="${at().replaceAll('&', '&amp;')}"`);
  });

  test('lists customers, sites, versions and deadlines, with a mail and its recipients for operators', async () => {
    const { status, text } = await operator.get(at());
    expect(status).toBe(200);
    expect(text).toContain('3 sites of 2 customers');
    const [ada] = tableOf(text, 'Most affected components').filter(
      ([customer]) => customer === 'Ada &lt;Ltd&gt;',
    );
    expect(ada?.slice(3, 5)).toEqual(['1.2.3', 'CVE-1998-0001 exploited']);
    expect(text).toMatch(
      /Subject: Security update for plugin example-gallery[^<]*update it to 1.2.4 or later now/,
    );
    expect(text).toContain('ada@ada.example, bob@bob.example');
  });

  test('shows a viewer neither names nor addresses, and no download', async () => {
    const { text } = await viewer.get(at());
    expect(text).toContain('3 sites of 2 licenses');
    expect(text).not.toMatch(/Ada|Bob|@ada\.example|Subject:|component\/csv/);
    expect((await viewer.post(`${PATH}/component/csv`, COMPONENT)).status).toBe(403);
    expect(auditOf(service, 'vulnerabilities.export')).toEqual([]);
  });

  test('offers an operator all of them as CSV, with an audit entry', async () => {
    const { headers, text } = await operator.post(`${PATH}/component/csv`, COMPONENT);
    expect(headers.get('content-type')).toContain('text/csv');
    const [header, ...lines] = text.trim().split('\r\n');
    expect(header).toStartWith('"license_id","customer","email","domain"');
    expect(lines).toHaveLength(3);
    expect(lines.join('\n')).toMatch(
      /"lic_\d+","Bob","bob@bob\.example","three\.test","wordpress-plugin","example-gallery","1\.2\.3"/,
    );
    expect(auditOf(service, 'vulnerabilities.export')).toMatchObject([
      { actor: 'operator:otto', after: JSON.stringify(COMPONENT) },
    ]);
  });

  test.each([
    ['no name', { ecosystem: 'npm' }],
    ['no ecosystem', { component: 'example-gallery' }],
  ])('is refused for %s', async (_, component) => {
    expect((await viewer.get(at(component as Record<string, string>))).status).toBe(400);
    const before = auditOf(service, 'vulnerabilities.export').length;
    expect((await operator.post(`${PATH}/component/csv`, component)).status).toBe(400);
    expect(auditOf(service, 'vulnerabilities.export')).toHaveLength(before);
  });

  test('shows an unknown component as text, with no sites', async () => {
    const { status, text } = await viewer.get(at({ ecosystem: 'npm', component: '<script>' }));
    expect([status, text.includes('<script>')]).toEqual([200, false]);
    expect(text).toContain('No site has a vulnerability of this component');
  });
});

test('damaged inventories are named as the reason for missing counts, and nothing is invented', async () => {
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

test('unreadable data is reported, and none of it is shown', async () => {
  const id = String(rows(service, 'select current from mirror')[0]?.current);
  rows(service, 'update mirror set current = ?', 'f'.repeat(16));
  const text = await page();
  rows(service, 'update mirror set current = ?', id);
  expect(text).toMatch(/class="notice bad".*cannot be read/);
  expect(text).not.toContain('example-gallery');
});
