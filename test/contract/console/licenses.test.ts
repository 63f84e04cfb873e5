import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { auditOf, whatIsKept } from '../../support/admin.ts';
import { addSite } from '../../support/alerts.ts';
import { type Browser, operatorOf } from '../../support/console.ts';
import { type RunningService, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const SEARCH = '/console/search';
const LICENSES = '/console/licenses';

let service: RunningService;
let olga: Browser;
let victor: Browser;
beforeAll(async () => {
  // Its own process: the page shows all licenses.
  service = await start('binary');
  olga = await operatorOf(service, 'olga', 'operator');
  victor = await operatorOf(service, 'victor', 'viewer');
});
afterAll(() => service.end());

const licenseRow = (name: string) => rows(service, 'select * from licenses where id = ?', name.slice(4))[0];
const KEY = /rdt_live_[A-Za-z0-9]+_?[A-Za-z0-9]+/;

/** Issues a license with the form, and returns its name and the displayed key. */
async function issued(form: Readonly<Record<string, string>> = {}) {
  const answer = await olga.post(`${LICENSES}/new`, { plan: 'pro', ...form });
  expect(answer.status).toBe(303);
  const path = answer.headers.get('location') ?? '';
  const [key = 'none'] = KEY.exec((await olga.get(path)).text) ?? [];
  return { path, name: path.slice(path.lastIndexOf('/') + 1), key };
}

/** Issues one license more than a page has. */
const issueMany = (...options: string[]) =>
  service.command(
    ...['license', 'issue', ...options, '--count', '51', '--out', join(temporaryDirectory(), 'keys.csv')],
  );

/** The answer of license/verify for a key. */
async function verify(key: string) {
  const answer = await fetch(`${service.url}/api/v1/license/verify`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ domain: 'shop.example.com' }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

describe('issuing', () => {
  test('shows the key once, and never in an address, a later page or the audit log', async () => {
    const { path, name, key } = await issued({
      domains: 'shop.example.com\r\nwww.shop.example.net',
      customer: 'Example Ltd',
      external_id: 'order-7',
      expires_at: '2031-05-01',
      reason: 'by telephone',
    });
    expect(path).not.toContain('rdt_');
    expect((await verify(key)).valid).toBe(true);
    expect((await olga.get(path)).text).not.toContain(key);
    expect(licenseRow(name)).toMatchObject({ customer: 'Example Ltd', external_id: 'order-7', plan: 'pro' });
    const entries = auditOf(service, 'license.issue');
    expect(entries.at(-1)).toMatchObject({ actor: 'operator:olga', subject: name, reason: 'by telephone' });
    expect(JSON.stringify(entries)).not.toContain(key);
  });

  test.each([
    ['an invalid domain', { domains: 'not_a domain!' }, 400],
    ['a past expiry', { expires_at: '2020-01-01' }, 409],
    ['a malformed expiry', { expires_at: 'next year' }, 400],
    ['an unknown plan', { plan: '<script>' }, 400],
    ['more sites than the maximum', { sites: '9999999' }, 400],
    ['an invalid e-mail', { email: 'no address' }, 400],
    ['an external id that is taken', { external_id: 'order-7' }, 409],
  ])('refuses %s, keeps the input and stores nothing', async (_, form, status) => {
    const before = whatIsKept(service);
    const page = await olga.post(`${LICENSES}/new`, { plan: 'pro', note: 'a "note" & more', ...form });
    expect([page.status, page.text]).toEqual([status, expect.stringContaining('role="alert"')]);
    expect(page.text).toContain('value="a &quot;note&quot; &amp; more"');
    expect(page.text).not.toContain('<script>');
    expect(whatIsKept(service)).toBe(before);
  });
});

describe('finding', () => {
  test('a pasted key opens its license, and appears in no address', async () => {
    const { path, key } = await issued();
    const answer = await olga.post(SEARCH, { text: ` ${key} ` });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, path]);
    expect((await olga.get(`${LICENSES}?text=${key}`)).text).not.toContain(key);
  });

  test('several licenses lists them with the matching field, and no match is reported', async () => {
    await issued({ customer: 'Twin & Sons' });
    await issued({ customer: 'Twin & Sons' });
    const { status, text } = await olga.post(SEARCH, { text: 'twin &' });
    expect([status, text.match(/Twin &amp; Sons/g)?.length]).toEqual([200, 3]);
    expect(text).toMatch(/<td[^>]*>customer<\/td>/);
    const nothing = await olga.post(SEARCH, { text: '<b>nobody</b>' });
    expect([nothing.status, nothing.text]).toEqual([200, expect.stringContaining('Nothing matches')]);
    expect(nothing.text).not.toContain('<b>nobody');
  });

  test('a customer or a site works as well, and links to their pages', async () => {
    const { path } = await issued({ customer: 'Ostrich Farms' });
    const ofCustomer = await olga.post(SEARCH, { text: 'ostrich' });
    expect(ofCustomer.text).toContain(`href="${path.replace('licenses', 'customers')}">Ostrich Farms</a>`);
    const licenseId = Number(path.slice(path.lastIndexOf('_') + 1));
    addSite(service, { licenseId, domain: 'unregistered.example.com' });
    const { status, headers } = await olga.post(SEARCH, { text: 'https://Unregistered.example.com/shop' });
    expect([status, headers.get('location')]).toEqual([
      303,
      `/console/sites/lic_${licenseId}/unregistered.example.com`,
    ]);
  });

  test('is possible on every page, and on a page for it', async () => {
    expect((await olga.get(LICENSES)).text).toContain('<form method="post" action="/console/search"');
    const { status, text } = await olga.get(SEARCH);
    expect([status, text]).toEqual([200, expect.stringContaining('Search for a customer')]);
  });

  test.each(['', ' ', 'x'.repeat(2_000), '%', "' or 1=1 --"])('%j has no result', async (text) => {
    const { status, text: html } = await olga.post(SEARCH, { text });
    expect([status, html]).toEqual([200, expect.stringContaining('Nothing matches')]);
  });

  test('by filters narrows the list, and the next page keeps them', async () => {
    await issueMany('--plan', 'starter');
    const first = await olga.get(`${LICENSES}?plan=starter`);
    expect(first.text.match(/<th scope="row">/g)?.length).toBe(50);
    const [, next = ''] = /href="([^"]+)" rel="next"/.exec(first.text) ?? [];
    const second = await olga.get(next.replaceAll('&amp;', '&'));
    expect([second.text.match(/<th scope="row">/g)?.length, second.text.includes('rel="next"')]).toEqual([
      1,
      false,
    ]);
    const none = await olga.get(`${LICENSES}?domain=nowhere.example&status=<i>`);
    expect([none.status, none.text]).toEqual([
      200,
      expect.stringContaining('No licenses match these filters'),
    ]);
  });
});

describe('acts on a license', () => {
  const reason = 'asked for by mail';
  test('unchanged fields of a form grant nothing, and cleared fields are removed', async () => {
    const { path, name } = await issued();
    const before = licenseRow(name);
    const shown = {
      plan: 'pro',
      was_plan: 'pro',
      expires_at: '',
      was_expires_at: '',
      sites: '',
      was_sites: '',
    };
    expect((await olga.post(`${path}/change`, shown)).status).toBe(303);
    expect((await olga.get(path)).text).toContain('othing changed');
    expect(licenseRow(name)).toEqual(before);
    for (const [sites, was_sites] of [
      ['7', ''],
      ['', '7'],
    ] as const) {
      await olga.post(`${path}/change`, { sites, was_sites });
      expect(licenseRow(name)?.sites_override).toBe(sites === '' ? null : Number(sites));
    }
  });

  test('a refused form that is sent again reverts no change by another operator', async () => {
    const { path, name } = await issued({ sites: '10' });
    await olga.post(`${path}/change`, { sites: '11', was_sites: '10' });
    const stale = { plan: 'enterprise', was_plan: 'pro', sites: '10', was_sites: '10', was_expires_at: '' };
    const refused = await olga.post(`${path}/change`, { ...stale, expires_at: 'soon' });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('name="was_sites" value="10"'),
    ]);
    expect((await olga.post(`${path}/change`, { ...stale, expires_at: '' })).status).toBe(303);
    expect(licenseRow(name)).toMatchObject({ plan: 'enterprise', sites_override: 11 });
  });

  test('a refused note keeps its reason, and shows it in no other form', async () => {
    const { path } = await issued();
    const form = { email: 'bad mail', was_email: '', note: 'x', was_note: '', reason: 'TICKET-77' };
    const { status, text } = await olga.post(`${path}/change`, form);
    expect([status, text.match(/value="TICKET-77"/g)?.length]).toEqual([400, 1]);
    expect(text.indexOf('TICKET-77')).toBeGreaterThan(text.indexOf('name="external_id"'));
  });

  test('a new key is shown on the page of its license only, also when two are created together', async () => {
    const all = [await issued(), await issued()];
    await Promise.all(all.map(({ path }) => olga.post(`${path}/rotate`, { grace_hours: '24' })));
    const { path: other } = await issued();
    expect((await olga.get(other)).text).not.toMatch(KEY);
    for (const { path, name } of all) {
      expect((await olga.post(`${path}/suspend`, { hold: 'operator' })).text).not.toMatch(KEY);
      const { cookie = '' } = olga;
      await fetch(service.adminUrl + path, { method: 'HEAD', headers: { cookie } });
      const [key = ''] = KEY.exec((await olga.get(path)).text) ?? [];
      expect([name, key.slice(-4)]).toEqual([name, licenseRow(name)?.key_last4 as string]);
    }
  });

  test('another key is shown once, and the current one works for the given hours', async () => {
    const { path, key } = await issued();
    expect((await olga.post(`${path}/rotate`, { grace_hours: '2' })).headers.get('location')).toBe(path);
    const [rotated = ''] = KEY.exec((await olga.get(path)).text) ?? [];
    expect((await olga.get(path)).text).not.toContain(rotated);
    expect([(await verify(rotated)).valid, (await verify(key)).valid, rotated === key]).toEqual([
      true,
      true,
      false,
    ]);
    await olga.post(`${path}/rotate`, { grace_hours: '0' });
    expect([(await verify(rotated)).valid, (await verify(key)).valid]).toEqual([false, false]);
  });

  test('a missing license is not found, by its page and by every act', async () => {
    for (const name of ['lic_999999', 'lic_0', '<b>', '%00'])
      expect((await olga.get(`${LICENSES}/${name}`)).status).toBe(404);
    expect((await olga.post(`${LICENSES}/lic_999999/suspend`, { hold: 'operator', reason })).status).toBe(
      404,
    );
  });
});

describe('a viewer', () => {
  test('sees why a license is refused, but neither its customer nor its acts', async () => {
    const { path } = await issued({
      customer: 'Secret & Co',
      email: 'boss@secret.example',
      note: 'a vip',
      external_id: 'x-1',
    });
    await olga.post(`${path}/suspend`, { hold: 'dispute', reason: 'chargeback of Secret' });
    const { status, text } = await victor.get(path);
    expect([status, text.includes('All checks are refused')]).toEqual([200, true]);
    for (const own of ['Secret', 'boss@', 'a vip', 'x-1', 'olga', '/suspend', '/revoke'])
      expect([own, text.includes(own)]).toEqual([own, false]);
    const list = await victor.get(LICENSES);
    expect([list.text.includes('Secret'), list.text.includes('/csv'), list.text.includes('/new')]).toEqual([
      false,
      false,
      false,
    ]);
    for (const text of ['Secret & Co', 'boss@secret.example', 'a vip', 'x-1'])
      expect((await victor.post(SEARCH, { text })).text).toContain('Nothing matches');
  });

  test('finds by domain also what an external id matches, and is not shown that there are more', async () => {
    const { path } = await issued({ domains: 'same.example.com', external_id: 'same.example.com' });
    const found = await victor.post(SEARCH, { text: 'same.example.com' });
    expect([found.status, found.headers.get('location')]).toEqual([303, path]);
    await issueMany('--plan', 'enterprise', '--customer', 'Zebra Holdings');
    const nothing = await victor.post(SEARCH, { text: 'Zebra' });
    expect(nothing.text).toBe((await victor.post(SEARCH, { text: 'Nobody' })).text);
    expect((await olga.post(SEARCH, { text: 'Zebra' })).text).toContain('the first 50');
  });
});

describe('the list as CSV', () => {
  test('has every filtered license, no formula, and is audited first', async () => {
    const { name } = await issued({ customer: '=HYPERLINK("http://evil.example")', plan: 'free' });
    const file = await olga.post(`${LICENSES}/csv?plan=free`);
    expect([file.status, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv;charset=utf-8',
      'attachment; filename="licenses.csv"',
    ]);
    const [header, ...lines] = file.text.trim().split('\r\n');
    expect([header?.startsWith('"license_id","key","status"'), lines.length]).toEqual([true, 1]);
    expect(lines[0]).toContain(`"${name}",`);
    expect(lines[0]).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(auditOf(service, 'license.export').at(-1)).toMatchObject({
      actor: 'operator:olga',
      after: expect.stringContaining('"plan":"free"'),
    });
  });
});

describe('several at once', () => {
  const licenses = () => rows(service, 'select count(*) as count from licenses')[0]?.count;

  test('20 licenses are issued with one form, and their keys are a file, once', async () => {
    const before = Number(licenses());
    const { status, headers, text } = await olga.post(`${LICENSES}/new`, {
      plan: 'enterprise',
      count: '20',
      customer: 'Reseller',
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv;charset=utf-8']);
    expect(headers.get('content-disposition')).toMatch(/attachment; filename="keys-lic_\d+\.\.lic_\d+\.csv"/);
    const lines = text.trim().split('\r\n');
    expect([lines.length, lines[0]]).toEqual([21, '"license_id","key"']);
    expect(new Set(lines.slice(1).map((line) => KEY.exec(line)?.[0])).size).toBe(20);
    expect(Number(licenses())).toBe(before + 20);
    expect(auditOf(service, 'license.issue').at(-1)?.after).toContain('"licenses":20');
  });

  test.each([
    ['0', {}],
    ['1001', {}],
    ['1.5', {}],
    ['many', {}],
    ['2', { domains: 'one.example.com' }],
    ['2', { external_id: 'order-7' }],
  ])('%s licenses are refused with %j: none is issued, and the input stays', async (count, form) => {
    const before = whatIsKept(service);
    const { status, text } = await olga.post(`${LICENSES}/new`, {
      plan: 'pro',
      count,
      note: 'a "note"',
      ...form,
    });
    expect([status >= 400 && status < 500, text]).toEqual([true, expect.stringContaining('role="alert"')]);
    expect(text).toContain('value="a &quot;note&quot;"');
    expect(text).toContain(`value="${count}"`);
    expect(whatIsKept(service)).toBe(before);
  });
});

describe('an import', () => {
  const PATH = `${LICENSES}/import`;
  const CSV = 'key,plan,domains,customer\nLEGACY-1234-5678-ABCD,pro,import-one.com,Ada & Co\n,free,,Bob\n';

  test('is previewed without a change, then done, with the generated keys as a file', async () => {
    const before = whatIsKept(service);
    const preview = await olga.post(PATH, { rows: CSV, plan: 'free' });
    expect([preview.status, preview.text]).toEqual([
      200,
      expect.stringContaining('2 licenses can be imported.'),
    ]);
    expect(preview.text).toContain('1 key will be generated');
    expect(whatIsKept(service)).toBe(before);
    const done = await olga.post(PATH, { rows: CSV, plan: 'free', confirm: '1' });
    expect(done.headers.get('content-disposition')).toStartWith('attachment; filename="keys-lic_');
    expect(done.text.trim().split('\r\n')).toHaveLength(2);
    const { headers } = await olga.post(SEARCH, { text: 'LEGACY-1234-5678-ABCD' });
    expect(headers.get('location')).toMatch(/^\/console\/licenses\/lic_\d+$/);
    expect(auditOf(service, 'license.import').at(-1)).toMatchObject({ actor: 'operator:olga' });
  });

  test('of licenses that all have keys leads to the list, with a notice', async () => {
    const rows = JSON.stringify({ key: 'OTHER-1234-5678-ABCD', plan: 'pro', note: '<b>' });
    const { status, headers } = await olga.post(PATH, { rows, confirm: '1' });
    expect([status, headers.get('location')]).toEqual([303, LICENSES]);
    expect((await olga.get(LICENSES)).text).toContain('1 license imported: lic_');
  });

  test.each([
    ['a refused line', 'plan,expires\npro,yesterday\n', /<th scope="row">2<\/th><td[^>]*>expires: /],
    ['a known key', 'key\nLEGACY-1234-5678-ABCD\n', /key: another license has it/],
    ['an unknown column', 'license\n<script>\n', /role="alert"/],
    ['malformed JSON', '{"plan": <script>}', /role="alert"/],
    ['no line', 'note\n', /the file has no licenses/],
  ])('with %s is refused with its lines, keeps the input, and changes nothing', async (_, rows, words) => {
    const before = whatIsKept(service);
    for (const confirm of [{}, { confirm: '1' }]) {
      const { status, text } = await olga.post(PATH, { rows, plan: 'pro', ...confirm });
      expect([status, text]).toEqual([409, expect.stringMatching(words)]);
      expect(text).not.toContain('<script>');
    }
    expect(whatIsKept(service)).toBe(before);
  });

  test('larger than 1 MiB is refused as a whole', async () => {
    const before = whatIsKept(service);
    expect((await olga.post(PATH, { rows: `note\n${'x'.repeat(2 ** 20)}` })).status).toBe(413);
    expect(whatIsKept(service)).toBe(before);
  });
});
