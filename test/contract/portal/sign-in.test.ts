import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { tlsSettings } from '../../support/certificate.ts';
import { API, call } from '../../support/client.ts';
import { Browser } from '../../support/console.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, start } from '../../support/service.ts';
import { everythingKept, issueExpired, rows, stored } from '../../support/store.ts';
import { tenantOf } from '../../support/tenant.ts';

const SIGN_IN = '/portal/sign-in';
let service: RunningService;
beforeAll(async () => {
  // Wrong keys of one address are limited; here each browser comes from an address of its own.
  // Its own process: it trusts a proxy, and sign-in attempts are limited by address.
  service = await start('binary', { SERVICE_TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => service.end());

let addresses = 0;
/** A browser at its own address. */
function newBrowser(of = service): Browser {
  const browser = new Browser(of, of.url);
  addresses += 1;
  browser.address = `198.51.100.${addresses}`;
  return browser;
}
const sessions = () => Number(rows(service, 'select count(*) as n from portal_sessions')[0]?.n);
const newKey = async (...options: string[]) => (await service.issue('--plan', 'pro', ...options)).key;

describe('signing in', () => {
  test('with a key sets a cookie that no script reads and no other site sends, with a new session', async () => {
    const key = await newKey();
    const browser = newBrowser();
    browser.cookie = `redoubt_portal=${'A'.repeat(43)}`;
    const answer = await browser.post(SIGN_IN, { key: ` ${key}\n` });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^redoubt_portal=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain('AAAA');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/portal']);
    const page = await browser.get('/portal');
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.text).not.toContain(key);
    expect((await browser.get(SIGN_IN)).headers.get('location')).toBe('/portal');
  });

  test('again in the same browser ends the previous session', async () => {
    const [first, second] = [await newKey(), await newKey()];
    const browser = newBrowser();
    await browser.post(SIGN_IN, { key: first });
    const stolen = newBrowser();
    stolen.cookie = browser.cookie;
    await browser.post(SIGN_IN, { key: second });
    expect((await stolen.get('/portal')).headers.get('location')).toBe(SIGN_IN);
    expect((await browser.get('/portal')).status).toBe(200);
  });

  test.each([
    ['no key', ''],
    ['an unknown key', `rdt_live_${'A'.repeat(32)}_AAAAAA`],
    ['malformed text', '<img src=x onerror=alert(1)>'],
    ['a token of the admin API', `rdo_${'A'.repeat(32)}_AAAAAA`],
  ])('refuses %s, and does not repeat it', async (_, key) => {
    const before = stored(service);
    const page = await newBrowser().post(SIGN_IN, { key });
    expect([page.status, page.headers.getSetCookie()]).toEqual([401, []]);
    expect(page.text).toContain('role="alert"');
    if (key !== '') expect(page.text).not.toContain(key);
    expect(stored(service)).toEqual(before);
  });

  test('refuses a revoked key like an unknown one', async () => {
    const issued = await service.issue('--plan', 'pro');
    const browser = newBrowser();
    await browser.post(SIGN_IN, { key: issued.key });
    await service.command('license', 'revoke', issued.license_id, '--reason', 'test', '--yes');
    const unknown = await newBrowser().post(SIGN_IN, { key: `rdt_live_${'A'.repeat(32)}_AAAAAA` });
    const revoked = await newBrowser().post(SIGN_IN, { key: issued.key });
    expect([revoked.status, revoked.text]).toEqual([401, unknown.text]);
    expect((await browser.get('/portal')).headers.get('location')).toBe(SIGN_IN);
  });

  test('is limited for wrong keys by address like the API, and always possible with a valid one', async () => {
    const key = await newKey();
    const browser = newBrowser();
    const wrong = () => browser.post(SIGN_IN, { key: 'wrong' });
    const statuses = [];
    for (let tries = 0; tries < 32; tries += 1) statuses.push((await wrong()).status);
    expect([statuses.slice(0, 30).every((status) => status === 401), statuses.at(-1)]).toEqual([true, 429]);
    expect((await wrong()).headers.get('retry-after')).toMatch(/^\d+$/);
    const reply = await call(service.url, `${API}/me`, {
      key: 'wrong',
      headers: { 'x-forwarded-for': browser.address ?? '' },
    });
    expect(reply.status).toBe(429);
    expect((await browser.post(SIGN_IN, { key })).status).toBe(303);
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['no origin', {}],
    ['a page of another site', { origin: 'own', 'sec-fetch-site': 'cross-site' }],
  ])('accepts no form from %s', async (_, headers: Record<string, string>) => {
    const key = await newKey();
    const before = sessions();
    const sent = headers.origin === 'own' ? { ...headers, origin: service.url } : headers;
    const page = await newBrowser().post(SIGN_IN, { key }, sent);
    expect([page.status, page.headers.getSetCookie(), sessions()]).toEqual([403, [], before]);
    expect(page.text).toContain('SERVICE_BASE_URL');
  });

  test('accepts no key in an address', async () => {
    const key = await newKey();
    const page = await newBrowser().get(`/portal?key=${key}`);
    expect([page.status, page.headers.get('location')]).toEqual([303, SIGN_IN]);
    expect((await newBrowser().get(`${SIGN_IN}?key=${key}`)).text).not.toContain(key);
  });
});

describe('a session', () => {
  test('ends when its owner signs out, also for a stolen cookie', async () => {
    const browser = await portalOf(service, await newKey());
    const stolen = newBrowser();
    stolen.cookie = browser.cookie;
    const out = await browser.post('/portal/sign-out');
    expect([out.status, out.headers.get('location'), browser.cookie]).toEqual([303, SIGN_IN, undefined]);
    expect((await stolen.get('/portal')).headers.get('location')).toBe(SIGN_IN);
  });

  test('can be ended when its license has used up its pages', async () => {
    const browser = await portalOf(service, await newKey());
    let status = 0;
    while (status !== 429) ({ status } = await browser.get('/portal'));
    expect((await browser.post('/portal/sign-out')).status).toBe(303);
    expect(browser.cookie).toBeUndefined();
  });

  test('ends after twelve hours', async () => {
    const browser = await portalOf(service, await newKey());
    rows(service, 'update portal_sessions set started_at = started_at - ?', 12 * 3_600_000);
    expect((await browser.get('/portal')).headers.get('location')).toBe(SIGN_IN);
  });

  test('ends when its key is rotated, and the old key opens no other one in its grace period', async () => {
    const { key, license_id: id } = await service.issue('--plan', 'pro');
    const browser = await portalOf(service, key);
    const rotated = JSON.parse(
      await service.command('license', 'rotate', id, '--grace', '24h', '--reason', 'lost', '--json'),
    );
    expect((await browser.get('/portal')).headers.get('location')).toBe(SIGN_IN);
    expect((await call(service.url, `${API}/me`, { key })).status).toBe(200);
    const before = sessions();
    const refused = await newBrowser().post(SIGN_IN, { key });
    expect([refused.status, refused.text, sessions()]).toEqual([
      401,
      expect.stringContaining('was rotated'),
      before,
    ]);
    expect((await (await portalOf(service, rotated.key)).get('/portal')).status).toBe(200);
  });

  test('replaces the oldest one when its license has twenty', async () => {
    const key = await newKey();
    const first = await portalOf(service, key);
    const second = await portalOf(service, key);
    for (let more = 0; more < 19; more += 1) await portalOf(service, key);
    expect((await first.get('/portal')).status).toBe(303);
    expect((await second.get('/portal')).status).toBe(200);
  });

  test('is stored as a hash only', async () => {
    const browser = await portalOf(service, await newKey());
    const [, token = ''] = browser.cookie?.split('=') ?? [];
    expect(JSON.stringify(rows(service, 'select * from portal_sessions'))).not.toContain(token);
    for (const kept of everythingKept(service)) expect(kept.includes(token)).toBe(false);
  });

  test('opens no route of the API, and a key opens no page', async () => {
    const { key } = await tenantOf(service);
    const browser = await portalOf(service, key);
    const [, token = ''] = browser.cookie?.split('=') ?? [];
    expect((await call(service.url, `${API}/me`, { key: token })).status).toBe(401);
    expect((await browser.get(`${API}/me`)).status).toBe(401);
    const page = await newBrowser().get('/portal', { authorization: `Bearer ${key}` });
    expect(page.status).toBe(303);
  });

  test('uses none of the request limit of the license’s programs', async () => {
    const { key } = await tenantOf(service);
    const left = async () =>
      Number((await call(service.url, `${API}/sites`, { key })).headers.get('x-ratelimit-remaining'));
    const browser = await portalOf(service, key);
    const before = await left();
    for (let visits = 0; visits < 20; visits += 1) await browser.get('/portal');
    expect(await left()).toBeGreaterThanOrEqual(before - 1);
  });
});

test('a license that has ended opens one page, which gives the remedy', async () => {
  const { key } = await issueExpired(service, '--plan', 'pro');
  const browser = await portalOf(service, key);
  const page = await browser.get('/portal');
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Your license has ended')]);
  expect(page.text).not.toContain('href="/portal/sites"');
});

test('a suspended license opens its pages, with a notice', async () => {
  const { key, license_id: id } = await service.issue('--plan', 'pro');
  await service.command('license', 'suspend', id, '--hold', 'operator', '--reason', 'test');
  const page = await (await portalOf(service, key)).get('/portal');
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Your license is suspended')]);
});

test('with an https public address, the cookie is bound to the host and to TLS', async () => {
  const secured = await start('binary', { SERVICE_BASE_URL: 'https://security.example' });
  const { key } = await secured.issue('--plan', 'pro');
  const browser = new Browser(secured, secured.url);
  const own = { origin: 'https://security.example' };
  // A browser would not store such a cookie without TLS.
  expect((await browser.post(SIGN_IN, { key })).status).toBe(403);
  const answer = await browser.post(SIGN_IN, { key }, own);
  expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-redoubt_portal=[\w-]{43}; .*; Secure$/);
  expect((await browser.get('/portal')).status).toBe(200);
  expect((await browser.post('/portal/sign-out', {}, { origin: 'https://other.example' })).status).toBe(403);
  expect((await browser.post('/portal/sign-out', {}, own)).status).toBe(303);
  await secured.end();
});

test("with the service's own TLS, the pages show the answers of the API", async () => {
  const secured = await start('binary', tlsSettings());
  const { key } = await secured.issue('--plan', 'pro');
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(secured.url + path, { ...init, redirect: 'manual', tls: { rejectUnauthorized: false } });
  const body = new URLSearchParams({ key });
  const entered = await ask(SIGN_IN, { method: 'POST', body, headers: { origin: secured.url } });
  const [cookie = ''] = entered.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-redoubt_portal=.*; Secure$/);
  for (const path of ['/portal', '/portal/sites', '/portal/evidence'])
    expect([path, (await ask(path, { headers: { cookie } })).status]).toEqual([path, 200]);
  await secured.end();
});

test('a browser that comes from another site is asked to repeat the request, with its cookie', async () => {
  const page = await newBrowser().get('/portal', { 'sec-fetch-site': 'cross-site' });
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('http-equiv="refresh"')]);
});

test('with SERVICE_PORTAL=0 no page exists', async () => {
  const without = await start('binary', { SERVICE_PORTAL: '0' });
  for (const path of ['/portal', SIGN_IN, '/portal/sites'])
    expect((await new Browser(without, without.url).get(path)).status).toBe(404);
  await without.end();
});

test('the admin listener has no portal, and this one no console', async () => {
  expect((await new Browser(service).get(SIGN_IN)).status).toBe(404);
  expect((await newBrowser().get('/console/sign-in')).status).toBe(404);
});
