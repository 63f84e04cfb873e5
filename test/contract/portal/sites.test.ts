import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { createServer as createTlsServer, type Server } from 'node:tls';
import { DEMO_COMPONENTS } from '../../../src/cli/demo-vulnerabilities.ts';
import { API, call } from '../../support/client.ts';
import type { Browser } from '../../support/console.ts';
import { certificate, wire } from '../../support/fake-site.ts';
import { foreignIn, tagsOf } from '../../support/markup.ts';
import { importDemo } from '../../support/mirror.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, sharedService, start } from '../../support/service.ts';
import { rows, stored } from '../../support/store.ts';
import { tenantOf } from '../../support/tenant.ts';
import { tenantOf as vouchedOf } from '../../support/trust.ts';

const SITES = '/portal/sites';
const UNLIMITED = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_RATE_IP_PER_MINUTE: '100000' };
const HOSTILE = '<zzlive onload=zz>"\'&amp;</pre><script>zz</script>';

let service: RunningService;
beforeAll(async () => {
  // Its own process: it has to start without vulnerability data.
  service = await start('binary', { ...UNLIMITED, SERVICE_BASE_URL: 'http://security.example' });
});
afterAll(async () => {
  expect(service.log()).not.toContain('unexpected error');
  await service.end();
});

/** A tenant with sites that have reported, in its browser. */
async function reporting(on: RunningService, ...domains: string[]) {
  const tenant = await tenantOf(on);
  for (const domain of domains) await tenant.heartbeat(domain, { plugin_version: '2.4.1' });
  const { sites } = (await tenant.get('/sites?limit=200')).json.data;
  const idOf = (domain: string): string =>
    sites.find(({ url }: { url: string }) => url === `https://${domain}`)?.id;
  return { ...tenant, browser: await portalOf(on, tenant.key), idOf };
}
const foreign = async (text: string) =>
  (await tagsOf(text)).map(foreignIn).filter((why) => why !== undefined);

describe('the list', () => {
  test('has each site with a link to its page, by status', async () => {
    const { browser, idOf } = await reporting(service, 'one.test', 'two.test');
    rows(service, 'update sites set last_seen_at = 1 where domain = ?', 'two.test');
    const all = await browser.get(SITES);
    expect(all.status).toBe(200);
    for (const domain of ['one.test', 'two.test'])
      expect(all.text).toContain(`<a href="${SITES}/${idOf(domain)}">${domain}</a>`);
    expect(await foreign(all.text)).toEqual([]);
    const silent = (await browser.get(`${SITES}?status=silent`)).text;
    expect([silent.includes('one.test'), silent.includes('two.test')]).toEqual([false, true]);
    expect((await browser.get(`${SITES}?status=stale`)).text).toContain('No sites match.');
  });

  test('continues on the next page, with its filter', async () => {
    const domains = Array.from({ length: 51 }, (_, at) => `shop${at}.test`);
    const { browser, idOf } = await reporting(service, ...domains);
    const first = (await browser.get(`${SITES}?status=active`)).text;
    const [, next = ''] = /<a href="([^"]+)" rel="next"/.exec(first) ?? [];
    const second = await browser.get(next.replaceAll('&amp;', '&'));
    const onBoth = [first, second.text].map((text) =>
      domains.filter((each) => text.includes(`/${idOf(each)}"`)),
    );
    expect(onBoth.map(({ length }) => length)).toEqual([50, 1]);
    expect(next).toContain('status=active');
  });

  test.each(['status=planted', 'cursor=planted', 'cursor=a&cursor=planted'])(
    'reports that %s is malformed, in a sentence without an echo',
    async (query) => {
      const { browser } = await reporting(service, 'shop.test');
      const page = await browser.get(`${SITES}?${query}`);
      expect([page.status, page.text]).toEqual([400, expect.stringContaining('is malformed. Choose again')]);
      expect(page.text).not.toContain('planted');
    },
  );

  test('shows how to start where no site has reported', async () => {
    const { browser } = await reporting(service);
    const page = await browser.get(SITES);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Install the plugin')]);
    expect(page.text).toContain('<a href="/portal/api">');
  });
});

describe('a site', () => {
  test('of another tenant looks like a missing one', async () => {
    const own = await reporting(service, 'shop.test');
    const other = await reporting(service, 'shop.test');
    const before = stored(service);
    for (const id of [other.idOf('shop.test'), 'a'.repeat(24), '..%2fme', '%00', 'x'.repeat(129)])
      for (const path of [id, `${id}/vulnerabilities`])
        expect([path, (await own.browser.get(`${SITES}/${path}`)).status]).toEqual([path, 404]);
    const checked = await own.browser.post(
      `${SITES}/${other.idOf('shop.test')}/verification`,
      { method: 'dns' },
      { origin: service.url },
    );
    expect([checked.status, stored(service)]).toEqual([404, before]);
  });

  test('shows its score, alerts, events and figures as text, with any content', async () => {
    const { browser, licenseId, heartbeat, send, idOf } = await reporting(service, 'shop.test');
    await heartbeat('shop.test', { stats: { [HOSTILE]: HOSTILE } });
    await send('shop.test', [{ type: 'brute_force', severity: 'high' }]);
    rows(service, 'update alerts set subject = ? where license_id = ?', HOSTILE, Number(licenseId.slice(4)));
    const page = await browser.get(`${SITES}/${idOf('shop.test')}`);
    expect([page.status, await foreign(page.text)]).toEqual([200, []]);
    expect(page.text).toMatch(/<th scope="row">&lt;zzlive onload=zz&gt;/);
    for (const words of ['&quot;', 'NIST SP 800-61', 'Show as table', ' of 100'])
      expect(page.text).toContain(words);
    expect(page.text).toContain(`href="/portal/events?site=${idOf('shop.test')}"`);
    expect((await tagsOf(page.text)).filter(({ name }) => name === 'script')).toHaveLength(1);
  });

  test('shows its vulnerable components, or why there is no data about them', async () => {
    const { browser, key, idOf } = await reporting(service, 'shop.test');
    const path = `${SITES}/${idOf('shop.test')}/vulnerabilities`;
    expect((await browser.get(path)).text).toContain('No vulnerability data yet');
    await importDemo(service);
    expect((await browser.get(path)).text).toContain('has sent no components');
    const body = { components: DEMO_COMPONENTS };
    await call(service.url, `${API}/sites/${idOf('shop.test')}/components`, { key, body });
    const page = await browser.get(path);
    expect([page.status, await foreign(page.text)]).toEqual([200, []]);
    for (const words of ['CVE-1998-0001', 'example-gallery 1.2.3', 'demo'])
      expect(page.text).toContain(words);
    const acts = (await browser.get(`${path}?decision=act`)).text;
    expect([acts.includes('CVE-1998-0001'), acts.includes('CVE-1998-0002')]).toEqual([true, false]);
    expect((await browser.get(`${path}?min_risk=100`)).text).toContain('No findings match.');
    for (const query of ['min_risk=101', 'decision=planted', 'cursor=planted']) {
      const refused = await browser.get(`${path}?${query}`);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('is malformed')]);
    }
    expect((await browser.get(`${SITES}/${idOf('shop.test')}`)).text).toContain('Highest risk');
  });

  test('shows its public trust state, with the code to paste as text', async () => {
    const { key, sites } = await vouchedOf(service, 'shop.com');
    const browser = await portalOf(service, key);
    const read = async () => (await browser.get(`${SITES}/${sites['shop.com']}`)).text;
    const path = `${SITES}/${sites['shop.com']}`;
    const steps = async () =>
      [...(await read()).matchAll(/>(done|to do)<\/span>/g)].map(([, state]) => state);
    expect(await steps()).toEqual(['done', 'to do', 'to do']);
    for (const [act, state] of [
      ['assess', ['done', 'done', 'to do']],
      ['show', ['done', 'done', 'done']],
    ] as const) {
      const { status, headers } = await browser.post(`${path}/badge/${act}`);
      expect([status, headers.get('location'), await steps()]).toEqual([303, `${path}#badge`, [...state]]);
    }
    const schedule = (await call(service.url, `${API}/sites/${sites['shop.com']}/scan-schedule`, { key }))
      .json.data;
    expect(schedule).toMatchObject({ interval_hours: 168, scan_type: 'assessment' });
    const text = await read();
    expect(text).toContain('&lt;a href=&quot;http://security.example/trust/');
    expect(text).toContain('no recent assessment');
    const [, badge = ''] = /<img src="([^"]+)"/.exec(text) ?? [];
    expect((await call(service.url, badge)).headers.get('content-type')).toContain('image/svg+xml');
    expect(await foreign(text)).toEqual([]);
    await browser.post(`${path}/badge/hide`);
    expect(await steps()).toEqual(['done', 'done', 'to do']);
  });

  test('refuses to publish a badge for an unproven domain, and stores nothing', async () => {
    const { key } = await service.issue('--plan', 'pro', '--domain', 'unproven.com');
    await call(service.url, `${API}/telemetry`, {
      key,
      body: { site_url: 'unproven.com', license_key: key },
    });
    const [site] = (await call(service.url, `${API}/sites`, { key })).json.data.sites;
    const browser = await portalOf(service, key);
    const stranger = await portalOf(service, (await service.issue('--plan', 'pro')).key);
    const before = stored(service);
    for (const act of ['assess', 'show']) {
      const { status, text } = await browser.post(`${SITES}/${site.id}/badge/${act}`);
      expect([act, status, text]).toEqual([act, 403, expect.stringContaining('role="alert"')]);
    }
    expect((await stranger.post(`${SITES}/${site.id}/badge/show`)).status).toBe(404);
    expect(stored(service)).toEqual(before);
  });
});

test('a license of plan free sees the features of the plan starter', async () => {
  const { browser, idOf, licenseId } = await reporting(service, 'shop.test');
  await service.command('license', 'suspend', licenseId, '--hold', 'operator', '--reason', 'test');
  const free = await portalOf(service, (await service.issue('--plan', 'free')).key);
  const id = idOf('shop.test');
  for (const path of [SITES, `${SITES}/${id}`, `${SITES}/${id}/vulnerabilities`])
    for (const visitor of [browser, free]) {
      const page = await visitor.get(path);
      expect([page.status, page.text]).toEqual([403, expect.stringContaining('Requires the plan starter')]);
      expect([page.text.includes('shop.test'), page.text.includes('href="/portal/events"')]).toEqual([
        false,
        true,
      ]);
    }
});

test('without a public address, or with a domain that cannot be proven, a site shows that', async () => {
  const without = await start('binary', { ...UNLIMITED, SERVICE_SURFACE_SCANS: '0' });
  const { browser, idOf } = await reporting(without, 'shop.test');
  const page = await browser.get(`${SITES}/${idOf('shop.test')}`);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Trust states are turned off')]);
  expect(page.text).toContain('not registered for this license');
  const { key } = await without.issue('--plan', 'pro');
  await call(without.url, `${API}/telemetry`, {
    key,
    body: { site_url: 'https://shop.com', license_key: key },
  });
  const [site] = (await call(without.url, `${API}/sites`, { key })).json.data.sites;
  const owner = await portalOf(without, key);
  expect((await owner.get(`${SITES}/${site.id}`)).text).toContain('_redoubt-challenge.shop.com');
  const before = stored(without);
  const refused = await owner.post(`${SITES}/${site.id}/verification`, { method: 'dns' });
  expect([refused.status, stored(without)]).toEqual([403, before]);
  expect(refused.text).toContain('role="alert"');
  expect(refused.text).toContain('<option value="dns" selected');
  await without.end();
});

/** HTTPS requests use its own port, which needs a privilege. */
const canListen = await new Promise<boolean>((resolve) => {
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen(443, '127.0.0.1', () => server.close(() => resolve(true)));
});
if (!canListen) console.warn('the tests of files on port 443 are skipped: it may not be listened on');

describe.if(canListen)('a check of control', () => {
  let server: Server | undefined;
  let file: string | undefined;
  let asked = 0;
  let on: RunningService;
  beforeAll(async () => {
    server = createTlsServer(certificate('localhost'), (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        asked += 1;
        socket.end(file === undefined ? wire(404) : wire(200, {}, file));
      });
    });
    await new Promise<void>((resolve) => server?.listen(443, '127.0.0.1', resolve));
    on = await sharedService('binary', 'private sites');
  });
  afterAll(() => {
    server?.close();
  });
  afterEach(() => {
    [file, asked] = [undefined, 0];
  });

  const owner = async () => {
    const { key, license_id: license } = await on.issue('--plan', 'starter');
    await call(on.url, `${API}/telemetry`, {
      key,
      body: { site_url: 'https://localhost', license_key: key },
    });
    await on.command('license', 'bind', license, '--domain', 'localhost');
    const path = `${SITES}/${(await call(on.url, `${API}/sites`, { key })).json.data.sites[0].id}`;
    const browser: Browser = await portalOf(on, key);
    const check = (method = 'http', headers?: Record<string, string>) =>
      browser.post(`${path}/verification`, { method }, headers);
    return { license, path, browser, check };
  };
  const audited = async (license: string) =>
    (JSON.parse(await on.command('audit', '--json')) as Record<string, unknown>[]).filter(
      ({ action, actor }) => action === 'domain.check' && actor === `tenant:${license}`,
    );

  test('shows its result, and is audited as the tenant’s', async () => {
    const { license, path, browser, check } = await owner();
    const missed = await check();
    expect([missed.status, missed.headers.get('location')]).toEqual([303, `${path}#control`]);
    const shown = (await browser.get(path)).text;
    expect(shown).toContain('the file or record does not exist');
    [, file] = /<pre>([A-Za-z0-9_-]{43})<\/pre>/.exec(shown) ?? [];
    expect((await check()).status).toBe(303);
    const proven = (await browser.get(path)).text;
    expect([proven.includes('badge good">verified'), proven.includes('found no proof')]).toEqual([
      true,
      false,
    ]);
    expect(await audited(license)).toHaveLength(2);
    expect((await browser.get(`${path}/verification`)).headers.get('location')).toBe(path);
  });

  test('that finds no record reports that next to a proof by a file', async () => {
    const { path, browser, check } = await owner();
    [, file] = /<pre>([A-Za-z0-9_-]{43})<\/pre>/.exec((await browser.get(path)).text) ?? [];
    await check();
    const page = await check('dns');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('found no proof')]);
    expect(page.text).toContain('badge good">verified');
  });

  test('is limited to ten times an hour, and accepts no form from elsewhere', async () => {
    const { license, check } = await owner();
    const before = stored(on);
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, {}])
      expect((await check('http', headers as Record<string, string>)).status).toBe(403);
    expect((await check('operator')).status).toBe(400);
    expect([asked, stored(on), await audited(license)]).toEqual([0, before, []]);
    for (let times = 0; times < 10; times += 1) expect((await check()).status).toBe(303);
    const refused = await check();
    expect([refused.status, asked]).toEqual([429, 10]);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(300, 361);
    expect(refused.text).toContain('role="alert"');
    expect(await audited(license)).toHaveLength(10);
  });
});
