import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { csvLine } from '../../../src/lib/csv.ts';
import { addEvents } from '../../support/alerts.ts';
import type { Browser } from '../../support/console.ts';
import { foreignIn, tagsOf } from '../../support/markup.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, sharedService } from '../../support/service.ts';
import { rows, stored } from '../../support/store.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';

const PATH = '/portal/events';
const CSV = `${PATH}/csv`;
const DAY_MS = 86_400_000;
const NOW = Date.now();
/** The end of a complete body in chunks. */
const LAST_CHUNK = '\r\n0\r\n\r\n';
const HOSTILE = '<script>alert(1)</script>"\'&';
const COLUMNS = 'received_at occurred_at site type severity message event_id metadata'.split(' ');

let service: RunningService;
let [one, other]: Tenant[] = [];
let [browser, stranger]: Browser[] = [];
beforeAll(async () => {
  service = await sharedService();
  one = await tenantOf(service);
  other = await tenantOf(service);
  const licenseId = numberOf(one);
  const [shop, blog] = [await addSite(one, 'shop.example.com'), await addSite(one, 'blog.example.com')];
  const many = Array.from({ length: 420 }, (_, at) => ({ message: `m${at}` }));
  addEvents(service, { licenseId, siteId: shop, receivedAt: NOW - 5 * DAY_MS }, many);
  addEvents(service, { licenseId, siteId: blog, receivedAt: NOW - DAY_MS }, [
    { type: 'malware_found', severity: 'critical', message: '=cmd()' },
    { type: 'odd', severity: 'low', message: HOSTILE, metadata: JSON.stringify({ [HOSTILE]: HOSTILE }) },
  ]);
  const theirs = await addSite(other, 'other.example.com');
  addEvents(service, { licenseId: numberOf(other), siteId: theirs, receivedAt: NOW }, [
    { message: 'of another tenant' },
  ]);
  browser = await portalOf(service, one.key);
  stranger = await portalOf(service, other.key);
});
afterAll(() => {
  expect(service.log()).not.toContain('unexpected error');
});

const numberOf = ({ licenseId }: Tenant) => Number(licenseId.slice('lic_'.length));
/** The number in the store of a site that has reported. */
async function addSite(tenant: Tenant, domain: string): Promise<number> {
  await tenant.heartbeat(domain);
  const found = 'select id from sites where license_id = ? and domain = ?';
  return Number(rows(service, found, numberOf(tenant), domain)[0]?.id);
}
const as = (who: Browser | undefined): Browser => {
  if (who === undefined) throw new Error('the service did not start');
  return who;
};
const get = (query = '') => as(browser).get(query === '' ? PATH : `${PATH}?${query}`);
const nextIn = (text: string) => /<a href="([^"]+)" rel="next">/.exec(text)?.[1]?.replaceAll('&amp;', '&');
const messagesIn = (text: string) =>
  [
    ...text.matchAll(
      /<span class="badge[^>]*>(?:critical|high|medium|low|info)<\/span><\/td><td[^>]*>(.*?)<\/td>/g,
    ),
  ].map(([, message]) => message);
const sitesOf = async (of: Tenant | undefined): Promise<{ id: string; url: string }[]> =>
  (await of?.get('/sites'))?.json.data.sites;
const siteId = async (of: Tenant | undefined, domain: string) =>
  (await sitesOf(of)).find(({ url }) => url.includes(domain))?.id ?? '';
const day = (at: number) => new Date(at).toISOString().slice(0, 10);

test("events are listed in pages, the latest arrivals first, each once, and only the tenant's", async () => {
  const walked: (string | undefined)[] = [];
  for (let path: string | undefined = PATH; path !== undefined; ) {
    const { status, text } = await as(browser).get(path);
    expect(status).toBe(200);
    walked.push(...messagesIn(text));
    path = nextIn(text);
  }
  expect([walked.length, new Set(walked).size]).toEqual([422, 422]);
  expect(walked.slice(1, 3)).toEqual(['=cmd()', 'm419']);
  expect(messagesIn((await as(stranger).get(PATH)).text)).toEqual(['of another tenant']);
});

test('filters by site, type, severity and days are kept', async () => {
  const blog = await siteId(one, 'blog');
  const old = day(NOW - 3 * DAY_MS);
  const first = async (query: string) => messagesIn((await get(query)).text)[0];
  expect((await first(`site=${blog}`))?.slice(0, 4)).toBe('&lt;');
  expect(await first('type=malware_found')).toBe('=cmd()');
  expect(await first('severity=critical')).toBe('=cmd()');
  expect(await first(`until=${old}`)).toBe('m419');
  expect(messagesIn((await get(`since=${old}`)).text)).toHaveLength(2);
  const { text } = await get(`site=${blog}&type=malware_found&severity=critical&since=${old}`);
  expect(text).toContain(`<option value="${blog}" selected="">https://blog.example.com`);
  expect(text).toContain(`name="since" value="${old}"`);
  expect(text).toContain(`<input type="hidden" name="type" value="malware_found"/>`);
});

test('another tenant’s site has no events, and its address is not shown', async () => {
  const { status, text } = await get(`site=${await siteId(other, 'other')}`);
  expect([status, messagesIn(text), text.includes('No events match')]).toEqual([200, [], true]);
  expect(text).not.toContain('other.example.com');
});

test.each([
  'since=yesterday',
  'until=2027-13-01',
  'type=Not%20a%20type',
  'severity=fatal',
  'cursor=%3Cscript%3E',
])('%s is refused above the form, which keeps the input', async (query) => {
  const before = stored(service);
  const { status, text } = await get(query);
  const [, typed = ''] = query.split('=');
  expect([status, text.includes('role="alert"'), messagesIn(text)]).toEqual([400, true, []]);
  if (/since|until|type/.test(query)) {
    expect(text).toContain(`value="${decodeURIComponent(typed)}"`);
    expect(text).toContain('is malformed. Use');
  }
  expect(stored(service)).toEqual(before);
});

test('the file has every event of all pages, as in the API', async () => {
  const names = new Map((await sitesOf(one)).map(({ id, url }) => [id, url]));
  let expected = csvLine(COLUMNS);
  for (let cursor = ''; ; ) {
    const { events, next_cursor } = (await one?.get(`/events?limit=200${cursor}`))?.json.data ?? {};
    for (const event of events) {
      const { received_at, occurred_at, site, type, severity, message, event_id, metadata } = event;
      const shown = metadata === null ? null : JSON.stringify(metadata);
      const url = names.get(site) ?? '';
      expected += csvLine([received_at, occurred_at, url, type, severity, message, event_id, shown]);
    }
    if (next_cursor === null) break;
    cursor = `&cursor=${next_cursor}`;
  }
  const { status, headers, text } = await as(browser).post(CSV);
  expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="events.csv"']);
  expect(headers.get('content-type')).toContain('text/csv');
  expect(text.split('\r\n')).toHaveLength(424);
  expect(text).toBe(expected);
});

test('the file has the filtered events, and no formula', async () => {
  const { text } = await as(browser).post(CSV, { severity: 'critical', since: day(NOW - 3 * DAY_MS) });
  expect(text.split('\r\n')).toHaveLength(3);
  expect(text).toContain(`,"critical","'=cmd()",`);
});

test('a malformed filter is refused on the page, and creates no file', async () => {
  const before = stored(service);
  const { status, headers, text } = await as(browser).post(CSV, { since: 'yesterday' });
  expect([status, headers.get('content-disposition')]).toEqual([400, null]);
  expect(text).toContain('value="yesterday"');
  expect(stored(service)).toEqual(before);
});

test('a page of another origin gets no file', async () => {
  const { status, headers } = await as(browser).post(CSV, {}, { origin: 'https://evil.example' });
  expect([status, headers.get('content-disposition')]).toEqual([403, null]);
});

test('a plan without events shows the plan that includes them, and offers no file', async () => {
  const free = await portalOf(service, (await service.issue('--plan', 'free')).key);
  for (const page of [await free.get(PATH), await free.post(CSV)]) {
    expect([page.status, page.headers.get('content-disposition')]).toEqual([403, null]);
    expect(page.text).toContain('Requires the plan starter');
    expect(page.text).toContain('<nav');
  }
});

test('no text of an event is markup', async () => {
  const { text } = await get(`type=${encodeURIComponent(HOSTILE)}&since=${encodeURIComponent(HOSTILE)}`);
  for (const html of [(await get()).text, text])
    expect((await tagsOf(html)).map(foreignIn).filter((why) => why !== undefined)).toEqual([]);
  expect((await get()).text).not.toContain('<script>alert');
});

test('a file ends with its session, and only its request is logged', async () => {
  const big = await tenantOf(service);
  const siteId = await addSite(big, 'big.example.com');
  const licenseId = numberOf(big);
  const many = Array.from({ length: 4_000 }, () => ({ message: 'x'.repeat(5_000) }));
  addEvents(service, { licenseId, siteId, receivedAt: NOW }, many);
  const reader = await portalOf(service, big.key);
  // Over a connection that reads only on request: fetch would have all of a file before the session ends.
  const { host, hostname, port } = new URL(service.url);
  const connection = connect(Number(port), hostname);
  connection.write(
    `POST ${CSV} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nOrigin: ${service.url}\r\nCookie: ${reader.cookie}\r\n` +
      'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n\r\n',
  );
  // From the beginning, because a connection that is cut off closes even while nothing is read from it.
  const closed = new Promise((resolve) => connection.once('close', resolve));
  let received = '';
  await new Promise<void>((resolve) => {
    connection.on('data', (bytes) => {
      if (received === '') connection.pause();
      received += bytes.toString('latin1');
      resolve();
    });
  });
  expect(received).toStartWith('HTTP/1.1 200 ');
  await reader.post('/portal/sign-out');
  connection.resume();
  await closed;
  expect(received).not.toEndWith(LAST_CHUNK);
  const odd = service
    .log()
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'));
  expect(odd).toEqual([]);
});
