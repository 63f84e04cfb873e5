import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { addAlert, addSite } from '../../support/alerts.ts';
import { API, call } from '../../support/client.ts';
import { Browser, operatorOf } from '../../support/console.ts';
import { type RunningService, SURE, start } from '../../support/service.ts';

const PATH = '/console/sites';
const HOUR_MS = 3_600_000;
const NOW = Date.now();
const HOSTILE = `"><img src=x onerror=alert(1)>`;
const LICENSE_OF_REVOKED = 2;

let service: RunningService;
let viewer: Browser | undefined;
beforeAll(async () => {
  // Its own process: the page shows sites of all licenses.
  service = await start('binary');
  for (const _ of Array(4)) await service.issue('--plan', 'pro');
  for (let at = 0; at < 70; at++)
    addSite(service, {
      licenseId: 1,
      domain: `s${at}.example.com`,
      seenAt: NOW - (at + 0.5) * HOUR_MS,
      version: `1.${at % 12}.0`,
    });
  addSite(service, { licenseId: LICENSE_OF_REVOKED, domain: 'revoked.example.com', seenAt: 1_000 });
  const siteId = addSite(service, { licenseId: 3, domain: HOSTILE, version: HOSTILE, seenAt: NOW });
  addAlert(service, { licenseId: 3, siteId, subject: 'malware', criticalAt: NOW });
  addSite(service, { licenseId: 4, domain: 's3.example.com', version: '1.3.0', seenAt: NOW - 50 * HOUR_MS });
  await service.command('license', 'revoke', `lic_${LICENSE_OF_REVOKED}`, ...SURE);
  viewer = await operatorOf(service, 'vera', 'viewer');
});
afterAll(() => service.end());

const as = (browser: Browser | undefined) => browser ?? new Browser(service);
const domainsIn = (text: string) =>
  [
    ...text.matchAll(
      /<th scope="row"><a href="[^"]*"[^>]*>(.*?)<\/a><\/th><td[^>]*><a href="\/console\/licenses\/lic_\d+">/g,
    ),
  ].map(([, domain]) => domain);
async function walk(query: string) {
  const walked: (string | undefined)[] = [];
  const sizes: number[] = [];
  for (let path: string | undefined = PATH + query; path !== undefined; ) {
    const { text, status } = await as(viewer).get(path);
    expect(status).toBe(200);
    walked.push(...domainsIn(text));
    sizes.push(domainsIn(text).length);
    path = /<a href="([^"]+)" rel="next">/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return { walked, sizes };
}
const named = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => `s${from - at}.example.com`);

test('sites are listed in pages of 50, longest silent first, each once, without those of revoked licenses', async () => {
  const { walked, sizes } = await walk('');
  expect(walked.filter((domain) => domain?.startsWith('s'))).toEqual([
    ...named(69, 50),
    's3.example.com',
    ...named(49, 0),
  ]);
  expect(sizes).toEqual([50, 22]);
});

test.each([
  ['?license=lic_1', named(69, 0), [50, 20]],
  ['?silent=1', [...named(69, 50), 's3.example.com', ...named(49, 24)], undefined],
  [
    '?silent=1&license=lic_1&version=1.1.0',
    ['s61.example.com', 's49.example.com', 's37.example.com', 's25.example.com'],
    [4],
  ],
  [
    '?version=1.3.0&silent=1',
    ['s63.example.com', 's51.example.com', 's3.example.com', 's39.example.com', 's27.example.com'],
    [5],
  ],
  ['?domain=s3.example.com', ['s3.example.com', 's3.example.com'], [2]],
  ['?domain=s3.example.com&license=lic_4', ['s3.example.com'], [1]],
  ['?domain=revoked.example.com', [], [0]],
  ['?version=9', [], [0]],
])('the filter %s finds the matching sites', async (query, found, pages) => {
  const { walked, sizes } = await walk(query);
  // Of two sites of one hour, the later id comes later.
  expect(walked).toEqual(found);
  if (pages) expect(sizes).toEqual(pages);
});

test('a row shows state, version, open alerts and score, with any text of the site escaped', async () => {
  const { text } = await as(viewer).get(`${PATH}?license=lic_3`);
  expect(text).toMatch(
    /active<\/span><\/td>.*<td[^>]*>&quot;&gt;&lt;img src=x.*<\/td><td class="num"[^>]*>1<\/td><td[^>]*><span class="scorebar"><strong>\d+</,
  );
  expect(text).not.toContain('<img');
});

test('the spread of plugin versions has eight and the rest, as a chart and as a table', async () => {
  const { text } = await as(viewer).get(PATH);
  const [, table = ''] = /<summary>Show as table<\/summary>(.*?)<\/table>/s.exec(text) ?? [];
  const bars = [...table.matchAll(/<th scope="row">(.*?)<\/th><td class="num">(\d+)<\/td>/g)].map(
    ([, name, count]) => [name, count],
  );
  expect(bars[0]).toEqual(['1.3.0', '7']);
  expect(bars).toHaveLength(9);
  expect(bars.at(-1)?.[0]).toBe('others');
  expect(bars.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(72);
  expect(text).toContain('aria-label="Sites by plugin version"');
});

describe('the page of a site', () => {
  const at = (license: string, domain: string) => `${PATH}/${license}/${encodeURIComponent(domain)}`;
  let key: string;
  const DOMAIN = 'page.example.com';
  beforeAll(async () => {
    let license_id: string;
    ({ key, license_id } = await service.issue('--plan', 'pro', '--domain', DOMAIN));
    expect(license_id).toBe('lic_5');
    const events = [
      { type: 'malware_found', severity: 'critical', message: 'in <wp-config.php>' },
      { type: 'login_failed', severity: 'low' },
    ];
    const body = {
      site_url: `https://${DOMAIN}`,
      license_key: key,
      plugin_version: '2.0.1',
      events,
      stats: { blocked: 7 },
    };
    expect((await call(service.url, `${API}/telemetry`, { key, body })).status).toBe(200);
  });

  test('has its score as in the API, with the deductions, alerts, events and figures of the plugin', async () => {
    const { text } = await as(viewer).get(at('lic_5', DOMAIN));
    const [{ id }] = (await call(service.url, `${API}/sites`, { key })).json.data.sites;
    const site = (await call(service.url, `${API}/sites/${id}`, { key })).json.data;
    expect(text).toContain(`aria-label="${site.security_score} of 100"`);
    for (const { finding, points, points_max } of site.score_factors)
      expect(text).toContain(
        `<td data-label="Points"><span class="one">${points} of ${points_max}</span></td><td data-label="Found">${finding}</td>`,
      );
    expect(text).toMatch(/<th scope="row">Malware<\/th><td[^>]*><span class="badge bad">critical<\/span>/);
    expect(text).toContain('in &lt;wp-config.php&gt;');
    expect(text).toMatch(/Blocked<\/dt><dd>7</);
    expect(text).toContain('href="/console/licenses/lic_5"');
    expect(text).toMatch(/2\.0\.1.*not proven.*never assessed/);
    expect(text).toContain('This site reports no components');
  });

  test('is linked from the list of sites, events and the license', async () => {
    const href = `href="${at('lic_5', DOMAIN)}"`;
    for (const page of [`${PATH}?license=lic_5`, '/console/events?license=lic_5', '/console/licenses/lic_5'])
      expect((await as(viewer).get(page)).text).toContain(href);
  });

  test('shows any domain and any figures as text', async () => {
    const { status } = await as(viewer).get(at('lic_3', HOSTILE));
    expect(status).toBe(404);
    const list = (await as(viewer).get(`${PATH}?license=lic_3`)).text;
    expect(list).not.toContain('<img');
  });

  test.each([
    ['of another license', 'lic_4', DOMAIN],
    ['that never reported', 'lic_5', 'other.example.com'],
    ['of no license', 'lic_99', DOMAIN],
    ['with a malformed license', '<script>', DOMAIN],
    ['with a malformed domain', 'lic_5', '../../etc'],
  ])('does not exist for a site %s', async (_, license, domain) => {
    const { status, text } = await as(viewer).get(at(license, domain));
    expect([status, text.includes('<script>')]).toEqual([404, false]);
  });
});

test.each(['license=one', 'domain=a..b', 'cursor=x'])(
  'the filter %s is refused with a reason',
  async (query) => {
    const { status, text } = await as(viewer).get(`${PATH}?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining('role="alert"')]);
  },
);

test('a visitor without a session is sent to the sign-in page', async () => {
  const { status, headers } = await new Browser(service).get(PATH);
  expect([status, headers.get('location')]).toEqual([303, '/console/sign-in']);
});
