import { afterAll, beforeAll, expect, test } from 'bun:test';
import { auditOf } from '../../support/admin.ts';
import { addEvents, addSite } from '../../support/alerts.ts';
import { Browser, operatorOf } from '../../support/console.ts';
import { type RunningService, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

const PATH = '/console/events';
const HOUR_MS = 3_600_000;
const NOW = Date.now();
const HOSTILE = '<script>alert(1)</script>"\'&=1+1';

let service: RunningService;
let [operator, viewer]: Browser[] = [];
const sites: number[] = [];
beforeAll(async () => {
  // Its own process: the page shows events of all licenses.
  service = await start('binary');
  for (const [index, domain] of ['one.example.com', 'two.example.com', 'two.example.com'].entries()) {
    await service.issue('--plan', 'pro');
    sites.push(addSite(service, { licenseId: index + 1, domain }));
  }
  const [one = 0, two = 0, three = 0] = sites;
  const many = Array.from({ length: 60 }, (_, at) => ({ message: `m${at}` }));
  addEvents(service, { licenseId: 1, siteId: one, receivedAt: NOW - 5 * HOUR_MS }, many);
  addEvents(service, { licenseId: 2, siteId: two, receivedAt: NOW - 3 * HOUR_MS }, [
    { type: 'malware_found', severity: 'critical', message: 'in license two' },
    { type: 'malwares', severity: 'low', message: 'another word' },
  ]);
  addEvents(service, { licenseId: 3, siteId: three, receivedAt: NOW - HOUR_MS }, [
    { type: 'malware_removed', severity: 'info', message: 'in license three' },
    { type: 'odd', message: HOSTILE, metadata: JSON.stringify({ [HOSTILE]: HOSTILE }) },
  ]);
  operator = await operatorOf(service, 'otto', 'operator');
  viewer = await operatorOf(service, 'vera', 'viewer');
});
afterAll(() => service.end());

const as = (browser: Browser | undefined) => browser ?? new Browser(service);
const messagesIn = (text: string) =>
  [
    ...text.matchAll(
      /<span class="badge[^>]*>(?:critical|high|medium|low|info)<\/span><\/td><td[^>]*>(.*?)<\/td>/g,
    ),
  ].map(([, message]) => message);
const nextIn = (text: string) => /<a href="([^"]+)" rel="next">/.exec(text)?.[1]?.replaceAll('&amp;', '&');
const messages = async (query: string) => messagesIn((await as(viewer).get(`${PATH}?${query}`)).text);

test('events of all sites are listed in pages of 50, the latest arrivals first, each once', async () => {
  const walked: (string | undefined)[] = [];
  for (let path: string | undefined = PATH; path !== undefined; ) {
    const { text } = await as(viewer).get(path);
    expect(messagesIn(text).length).toBeWithin(1, 51);
    walked.push(...messagesIn(text));
    path = nextIn(text);
  }
  expect(walked).toHaveLength(64);
  expect(walked.slice(1)).toEqual([
    ...['in license three', 'another word', 'in license two'],
    ...Array.from({ length: 60 }, (_, at) => `m${59 - at}`),
  ]);
});

test.each([
  ['license=lic_2', ['another word', 'in license two']],
  ['domain=two.example.com&type=malware', ['in license three', 'in license two']],
  ['domain=one.example.com&license=lic_2', []],
  ['domain=none.example.com', []],
  ['type=malware_found', ['in license two']],
  ['severity=critical', ['in license two']],
  ['severity=info&license=lic_3', ['in license three']],
  [`since=${new Date(NOW - 4 * HOUR_MS).toISOString()}&type=malware`, ['in license three', 'in license two']],
  [`since=${new Date(NOW - 2 * HOUR_MS).toISOString()}&type=malware`, ['in license three']],
])('the filter %s finds the matching events', async (query, found) => {
  expect(await messages(query)).toEqual(found);
});

test.each(['license=one', 'domain=a..b', 'since=May', 'cursor=x', 'cursor=0'])(
  'the filter %s is refused with a reason',
  async (query) => {
    const { status, text } = await as(viewer).get(`${PATH}?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining('role="alert"')]);
  },
);

test('any message and metadata is shown as text', async () => {
  const { text } = await as(viewer).get(`${PATH}?license=lic_3`);
  expect(text).toContain('&lt;script&gt;alert(1)');
  expect(text).not.toContain('<script>alert');
});

test('an operator downloads the filtered events as CSV without formulas, with an audit entry', async () => {
  rows(service, "update events set message = '=1+1' where type = 'odd'");
  const file = await as(operator).post(`${PATH}/csv`, { license: 'lic_3', reason: 'for otto' });
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv;charset=utf-8']);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="events.csv"');
  const lines = file.text.split('\r\n');
  expect(lines[0]).toBe(
    '"received_at","occurred_at","license_id","domain","type","severity","message","event_id","metadata"',
  );
  expect(lines[1]).toContain(`,"lic_3","two.example.com","odd","low","'=1+1",,`);
  expect(lines).toHaveLength(4);
  expect(auditOf(service, 'events.export')).toMatchObject([
    { actor: 'operator:otto', subject: 'lic_3', reason: 'for otto' },
  ]);
  const since = await as(operator).post(`${PATH}/csv`, { since: new Date(NOW - 9 * HOUR_MS).toISOString() });
  expect(since.text.split('\r\n')).toHaveLength(64 + 2);
});

test.each([
  ['everything', {}, 409],
  ['an invalid license', { license: 'one' }, 400],
])('with %s no file is created, and nothing is stored', async (_, form, status) => {
  const before = auditOf(service, 'events.export').length;
  const answer = await as(operator).post(`${PATH}/csv`, form);
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining('role="alert"')]);
  expect(auditOf(service, 'events.export')).toHaveLength(before);
});

test('a viewer gets no file in any way, and nothing is stored', async () => {
  const before = auditOf(service, 'events.export').length;
  expect((await as(viewer).get(`${PATH}?license=lic_3`)).text).not.toContain(`${PATH}/csv`);
  expect((await as(viewer).post(`${PATH}/csv`, { license: 'lic_3' })).status).toBe(403);
  expect((await new Browser(service).post(`${PATH}/csv`, { license: 'lic_3' })).status).toBe(303);
  expect(auditOf(service, 'events.export')).toHaveLength(before);
});

test('the subject of an alert with a shortened type finds its events', async () => {
  const type = `suspicious_${'x'.repeat(50)}_ab`;
  const [siteId = 0] = sites;
  addEvents(service, { licenseId: 1, siteId, receivedAt: NOW }, [{ type, message: 'of a long type' }]);
  expect(await messages(`type=${type.slice(0, 52)}`)).toEqual(['of a long type']);
  expect(await messages(`type=${type.slice(0, 51)}`)).toEqual([]);
});

test('a search with few matches reads a limited number of arrivals, and continues where it ended', async () => {
  const [one = 0] = sites;
  rows(
    service,
    `with recursive n(i) as (select 1000 union all select i + 1 from n where i < 60000)
      insert into arrivals select i, i, 1, ?, ?, ?, ? from n`,
    ...[one, NOW, NOW, NOW],
  );
  const seen: (string | undefined)[] = [];
  let pages = 0;
  for (let path: string | undefined = `${PATH}?domain=two.example.com`; path !== undefined; pages += 1) {
    const { text } = await as(viewer).get(path);
    if (messagesIn(text).length === 0) expect(text).toContain('No match so far');
    seen.push(...messagesIn(text));
    path = nextIn(text);
  }
  expect([pages, seen.length]).toEqual([2, 4]);
});

test.each([
  ['an invalid severity', { severity: 'bogus' }],
  ['a type that is too long', { type: 'x'.repeat(65) }],
])('a download by %s is refused, and not audited', async (_, filter) => {
  const before = auditOf(service, 'events.export').length;
  const answer = await as(operator).post(`${PATH}/csv`, { license: 'lic_1', ...filter });
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('role="alert"')]);
  expect(auditOf(service, 'events.export').length).toBe(before);
});
