import { afterAll, beforeAll, expect, test } from 'bun:test';
import { addAlert, addSite } from '../../support/alerts.ts';
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
      ...{ licenseId: 1, domain: `s${at}.example.com`, seenAt: NOW - (at + 0.5) * HOUR_MS },
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
  [...text.matchAll(/<th scope="row">(.*?)<\/th><td><a href="\/console\/licenses\/lic_\d+">/g)].map(
    ([, domain]) => domain,
  );
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

test('sites come by pages of 50, the one that was heard of longest ago first, each once, without those of revoked licenses', async () => {
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
])('the filter %s finds what it says', async (query, found, pages) => {
  const { walked, sizes } = await walk(query);
  // Of two sites of one hour, the later id comes later.
  expect(walked).toEqual(found);
  if (pages) expect(sizes).toEqual(pages);
});

test('a row tells state, version, open alerts and score, and whatever a site calls itself comes out as text', async () => {
  const { text } = await as(viewer).get(`${PATH}?license=lic_3`);
  expect(text).toMatch(/<td>active<\/td>.*<td>&quot;&gt;&lt;img src=x.*<\/td><td>1<\/td><td>\d+<\/td>/);
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

test.each(['license=one', 'domain=a..b', 'cursor=x'])(
  'the filter %s is refused and says why',
  async (query) => {
    const { status, text } = await as(viewer).get(`${PATH}?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining('role="alert"')]);
  },
);

test('who is not signed in is sent to sign in', async () => {
  const { status, headers } = await new Browser(service).get(PATH);
  expect([status, headers.get('location')]).toEqual([303, '/console/sign-in']);
});
