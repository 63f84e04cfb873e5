import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import { API, call } from '../../support/client.ts';
import type { Browser } from '../../support/console.ts';
import { fakeSite } from '../../support/fake-site.ts';
import { foreignIn, tagsOf } from '../../support/markup.ts';
import { portalOf } from '../../support/portal.ts';
import { askScan, endedScan, issueControlled } from '../../support/scans.ts';
import { type RunningService, sharedService, start, until } from '../../support/service.ts';
import { rows, stored } from '../../support/store.ts';

const PATH = '/portal/scans';
const SCAN_PATH = /^\/portal\/scans\/([0-9A-Za-z]{22})$/;
let service: RunningService;
beforeAll(async () => {
  service = await sharedService('binary', 'private sites');
});
afterAll(() => {
  expect(service.log()).not.toContain('unexpected error');
});

interface Owner {
  readonly key: string;
  readonly license: string;
  readonly browser: Browser;
  /** A scan of its site. */
  readonly site: string;
}

const firstSite = async (on: RunningService, key: string) =>
  (await call(on.url, `${API}/sites`, { key })).json.data.sites[0].id as string;
const report = (on: RunningService, key: string, domain: string) =>
  call(on.url, `${API}/telemetry`, {
    key,
    method: 'POST',
    body: { domain, events: [{ type: 'login_failed', severity: 'low' }] },
  });

/** A signed-in tenant with a site that has reported. */
async function ownerOf(domain: string, on = service): Promise<Owner> {
  const { key, license_id: license } = await on.issue('--plan', 'starter', '--domain', domain);
  await report(on, key, domain);
  return { key, license, browser: await portalOf(on, key), site: await firstSite(on, key) };
}

const scanIdOf = (headers: Headers) => SCAN_PATH.exec(headers.get('location') ?? '')?.[1] as string;
const audit = (license: string, action: string) =>
  rows(service, 'select * from audit_log where action = ? and actor = ?', action, `tenant:${license}`);

describe('a request for a scan', () => {
  test('leads to the scan, shows its findings, and audits the tenant', async () => {
    const { key, license, browser, site } = await ownerOf('one.example.com');
    const ordered = await browser.post(PATH, { site, scan_type: 'posture' });
    expect(ordered.status).toBe(303);
    const id = scanIdOf(ordered.headers);
    const { findings } = await endedScan(service, key, id);
    const page = await browser.get(`${PATH}/${id}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('data-again');
    expect(findings.length).toBeGreaterThan(0);
    for (const { title, evidence, recommendation } of findings)
      for (const text of [title, evidence, recommendation]) expect(page.text).toContain(Bun.escapeHTML(text));
    expect(audit(license, 'scan.order')).toEqual([
      expect.objectContaining({
        subject: license,
        request_id: ordered.headers.get('x-request-id'),
        after: expect.stringContaining('posture'),
      }),
    ]);
    const list = await browser.get(`${PATH}?site=${site}&status=done&scan_type=posture`);
    expect(list.text).toContain(`href="${PATH}/${id}"`);
    expect((await browser.get(`${PATH}?status=failed`)).text).not.toContain(`href="${PATH}/${id}"`);
  });

  test('from one form is one scan, also when the form is sent again after it has ended', async () => {
    const { key } = await issueControlled(service, 'again.example.com');
    await report(service, key, 'again.example.com');
    const [browser, site] = [await portalOf(service, key), await firstSite(service, key)];
    const [, once = ''] = /name="once" value="([\w-]+)"/.exec((await browser.get(PATH)).text) ?? [];
    const order = { site, scan_type: 'posture', once };
    const first = scanIdOf((await browser.post(PATH, order)).headers);
    await endedScan(service, key, first);
    expect(scanIdOf((await browser.post(PATH, order)).headers)).toBe(first);
    const other = await browser.post(PATH, { ...order, scan_type: 'assessment' });
    expect([other.status, scanIdOf(other.headers) === first]).toEqual([303, false]);
  });

  test('sent twice is one scan, and its page refreshes while it is queued', async () => {
    const held: Socket[] = [];
    const slow = await fakeSite((_, socket) => void held.push(socket));
    const { key } = await issueControlled(service, 'slow.example.com');
    await report(service, key, 'slow.example.com');
    const [browser, site] = [await portalOf(service, key), await firstSite(service, key)];
    const running = await askScan(service, key, {
      site_url: `http://localhost:${slow.port}/`,
      scan_type: 'surface',
    });
    await until(async () => held.length > 0);
    const order = { site, scan_type: 'posture' };
    const [one, other] = await Promise.all([browser.post(PATH, order), browser.post(PATH, order)]);
    expect([one?.status, other?.status]).toEqual([303, 303]);
    expect(scanIdOf(other.headers)).toBe(scanIdOf(one.headers));
    const waiting = await browser.get(`${PATH}/${scanIdOf(one.headers)}`);
    expect(waiting.text).toContain('data-again="3"');
    expect(waiting.text).toContain('<progress');
    expect((await tagsOf(waiting.text)).map(foreignIn).filter(Boolean)).toEqual([]);
    await call(service.url, `${API}/scans/${running.json.data.scan_id}/cancel`, { key, method: 'POST' });
    await endedScan(service, key, scanIdOf(one.headers));
    slow.close();
  });

  test('for an assessment shows its grade, where surface scans are refused', async () => {
    // Its own process: surface scans are switched off.
    const inside = await start('binary', { SERVICE_SURFACE_SCANS: '0' });
    const { key, license, browser, site } = await ownerOf('graded.example.com', inside);
    await inside.command('license', 'verify-domain', license, '--domain', 'graded.example.com');
    const { headers } = await browser.post(PATH, { site, scan_type: 'assessment' });
    const { assessment } = await endedScan(inside, key, scanIdOf(headers));
    const { text } = await browser.get(`${PATH}/${scanIdOf(headers)}`);
    expect(text).toContain(`<p class="figure">${assessment.grade}</p>`);
    expect(text).toContain(`${assessment.score} of 100`);
    const before = stored(inside);
    const refused = await browser.post(PATH, { site, scan_type: 'surface' });
    expect([refused.status, stored(inside)]).toEqual([403, before]);
    expect(refused.text).toContain('Surface scans are turned off');
    await inside.end();
  });

  test('that needs proof of control links to it, and keeps the choice', async () => {
    const { browser, site } = await ownerOf('unproven.example.com');
    const before = stored(service);
    const page = await browser.post(PATH, { site, scan_type: 'surface' });
    expect(page.status).toBe(403);
    expect(page.text).toContain(`href="/portal/sites/${site}#control"`);
    expect(page.text).toMatch(/value="surface" checked/);
    expect(stored(service)).toEqual(before);
  });

  test('for another tenant’s site, a missing one, or no type is refused, and nothing is stored', async () => {
    const { browser, site } = await ownerOf('own.example.com');
    const other = await ownerOf('other.example.com');
    const before = stored(service);
    const order = async (site: string, scan_type = 'posture', headers?: Record<string, string>) => {
      const page = await browser.post(PATH, { site, scan_type }, headers);
      expect(page.text).not.toContain('other.example.com');
      return page.status;
    };
    expect([await order(other.site), await order(''), await order(`../scans?x=${site}`)]).toEqual([
      404, 404, 404,
    ]);
    expect(await order(site, 'everything')).toBe(400);
    expect([
      await order(site, 'posture', { origin: 'https://evil.example' }),
      await order(site, 'posture', {}),
    ]).toEqual([403, 403]);
    expect(stored(service)).toEqual(before);
  });
});

test('a plan without scans shows the plan that includes them, and starts none', async () => {
  const { key } = await service.issue('--plan', 'free');
  const browser = await portalOf(service, key);
  const before = stored(service);
  for (const page of [
    await browser.get(PATH),
    await browser.get(`${PATH}/3rkBqXoG0hZtYc8VnJd1Wf`),
    await browser.post(PATH, { site: 'x', scan_type: 'posture' }),
  ]) {
    expect(page.status).toBe(403);
    expect(page.text).toContain('Requires the plan starter');
  }
  expect(stored(service)).toEqual(before);
});

test('another tenant’s scan looks like a missing one', async () => {
  const owner = await ownerOf('mine.example.com');
  const other = await ownerOf('theirs.example.com');
  const id = scanIdOf((await owner.browser.post(PATH, { site: owner.site, scan_type: 'posture' })).headers);
  const [theirs, none] = [await other.browser.get(`${PATH}/${id}`), await other.browser.get(`${PATH}/x`)];
  expect([theirs.status, theirs.text]).toEqual([404, none.text]);
  expect((await other.browser.get(`${PATH}?site=${owner.site}`)).text).not.toContain(id);
});

test('any text of a scan stays text', async () => {
  const { key, browser, site } = await ownerOf('hostile.example.com');
  const id = scanIdOf((await browser.post(PATH, { site, scan_type: 'posture' })).headers);
  await endedScan(service, key, id);
  const hostile = '</p><zz onzz=1><script>alert(1)</script>';
  const texts = { id: hostile, title: hostile, evidence: hostile, recommendation: hostile };
  const findings = JSON.stringify([{ ...texts, severity: 'high' }]);
  rows(service, 'update scans set findings = ? where public_id = ?', findings, id);
  const { status, text } = await browser.get(`${PATH}/${id}`);
  expect([status, text]).toEqual([200, expect.stringContaining('&lt;zz onzz')]);
  expect((await tagsOf(text)).map(foreignIn).filter(Boolean)).toEqual([]);
});
