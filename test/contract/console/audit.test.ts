import { afterAll, beforeAll, expect, test } from 'bun:test';
import { auditOf } from '../../support/admin.ts';
import { Browser, operatorOf } from '../../support/console.ts';
import { type RunningService, run, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

const PATH = '/console/audit';
const CSV = `${PATH}/csv`;
const HOSTILE = `"><img src=x onerror=alert(1)>`;

let service: RunningService;
let viewer: Browser;
let operator: Browser;
beforeAll(async () => {
  // Its own process: the page shows the whole audit log.
  service = await start('binary');
  await service.issue('--plan', 'pro');
  await service.command('license', 'suspend', 'lic_1', '--hold', 'operator', '--reason', `=1+1 ${HOSTILE}`);
  [viewer, operator] = await Promise.all([
    operatorOf(service, 'vera', 'viewer'),
    operatorOf(service, 'otto', 'operator'),
  ]);
});
afterAll(() => service.end());

const entries = () => rows(service, 'select count(*) as n from audit_log')[0]?.n;

test('a viewer sees neither the log nor a link to it, and downloads nothing', async () => {
  expect((await viewer.get('/console')).text).not.toContain(PATH);
  expect((await operator.get('/console')).text).toContain(PATH);
  const before = entries();
  expect([(await viewer.get(PATH)).status, (await viewer.post(CSV)).status]).toEqual([403, 403]);
  expect(entries()).toBe(before);
});

test('a visitor without a session is sent to the sign-in page, and another site downloads nothing', async () => {
  const before = entries();
  const nobody = new Browser(service);
  for (const answer of [await nobody.get(PATH), await nobody.post(CSV)])
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/sign-in']);
  expect((await operator.post(CSV, {}, {})).status).toBe(403);
  expect(
    (await operator.post(CSV, {}, { origin: service.adminUrl, 'sec-fetch-site': 'cross-site' })).status,
  ).toBe(403);
  expect((await operator.get(CSV)).status).toBe(405);
  expect(entries()).toBe(before);
});

test('an entry shows the change, its actor and its reason, links to its license, and is escaped', async () => {
  const { status, text } = await operator.get(`${PATH}?subject=1&actor=cli`);
  expect(status).toBe(200);
  expect(text).toContain('<a href="/console/licenses/lic_1">lic_1</a>');
  expect(text).toContain('<li>Holds: - → operator</li>');
  expect(text).toContain('=1+1 &quot;&gt;&lt;img');
  expect(text).not.toContain('<img');
  expect(text).not.toContain('operator.password');
});

test.each([
  ['subject', 'lic_1', ['license.suspend', 'license.issue']],
  ['subject', 'lic_2', []],
  ['subject', 'operator:otto', ['operator.password', 'operator.add']],
  ['actor', 'operator:otto', ['operator.password']],
  ['actor', 'stripe', []],
  ['since', '2999-01-01', []],
])('the filter %s %s shows the matching entries', async (name, value, expected) => {
  const { text } = await operator.get(`${PATH}?${new URLSearchParams({ [name]: value })}`);
  const actions = Array.from(
    text.matchAll(/<td title="([a-z]+\.[a-z-]+)"/g),
    ([, action]) => action as string,
  );
  expect(actions).toEqual(expected);
});

test('hostile filters are escaped, and a malformed date is refused', async () => {
  const query = new URLSearchParams({ subject: HOSTILE, actor: HOSTILE, cursor: HOSTILE });
  const { status, text } = await operator.get(`${PATH}?${query}`);
  expect([status, text.includes('<img')]).toEqual([200, false]);
  const before = entries();
  for (const since of ['2026-02-30', 'yesterday', '2026-01-01T00:00:00Z', HOSTILE]) {
    const at = `?${new URLSearchParams({ since })}`;
    for (const answer of [await operator.get(PATH + at), await operator.post(CSV + at)])
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Malformed date.')]);
  }
  expect(entries()).toBe(before);
});

test('the download has every filtered entry and no formula, and is audited first', async () => {
  const query = '?subject=lic_1&since=2026-01-01';
  const { status, headers, text } = await operator.post(CSV + query);
  expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
    200,
    'text/csv;charset=utf-8',
    'attachment; filename="audit.csv"',
  ]);
  const [header, suspended, issued, ...rest] = text.split('\r\n');
  expect(header).toBe('"at","actor","action","subject","reason","before","after","request_id"');
  expect(suspended).toContain(`,"license.suspend","lic_1","'=1+1 ""><img src=x onerror=alert(1)>",`);
  expect([issued?.split(',')[2], rest]).toEqual(['"license.issue"', ['']]);
  expect(auditOf(service, 'audit.export')).toMatchObject([
    {
      actor: 'operator:otto',
      after: '{"format":"csv","subject":"lic_1","since":"2026-01-01T00:00:00.000Z"}',
    },
  ]);
});

test('a key as a filter of a download is refused, and appears in no entry', async () => {
  const { key } = await service.issue('--plan', 'pro');
  const before = entries();
  const { status, text } = await operator.post(`${CSV}?subject=${key}`);
  expect([status, text]).toEqual([409, expect.stringContaining('This is a key')]);
  expect(entries()).toBe(before);
});

test('a long log is shown in pages of 50, and downloaded whole', async () => {
  rows(
    service,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 12000)
      insert into audit_log (at, actor, action, subject) select i, 'system', 'test.fill', 'many' from n`,
  );
  const { text } = await operator.get(`${PATH}?subject=many`);
  expect(text.match(/test\.fill/g)?.length).toBe(50);
  const next = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(next).toContain('subject=many');
  expect((await operator.get(next)).text.match(/test\.fill/g)?.length).toBe(50);
  expect((await operator.post(`${CSV}?subject=many`)).text.split('\r\n').length).toBe(12_002);
});

test('the command writes the same CSV, which is audited as well, and ignores pages', async () => {
  const ours = (await operator.post(`${CSV}?subject=lic_1`)).text;
  expect(await service.command('audit', '--csv', '--subject', 'lic_1')).toBe(ours);
  expect(auditOf(service, 'audit.export').at(-1)).toMatchObject({
    after: '{"format":"csv","subject":"lic_1"}',
  });
  const { exitCode, stdout } = await run('binary', service.env, 'audit', '--csv', '--limit', '1');
  expect([exitCode, stdout]).toEqual([2, '']);
});
