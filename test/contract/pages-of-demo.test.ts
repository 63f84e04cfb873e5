import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { whole } from '../../src/pages/html.tsx';
import { adminOf, tokenOf } from '../support/admin.ts';
import {
  audited,
  closePages,
  isChromiumThere,
  LOOKS,
  launched,
  misfits,
  overflow,
  watched,
} from '../support/chromium.ts';
import { API, call } from '../support/client.ts';
import { operatorOf } from '../support/console.ts';
import { portalOf } from '../support/portal.ts';
import { type RunningService, start, UNLIMITED } from '../support/service.ts';
import { part, suite } from '../support/suite.ts';

const inChromium = isChromiumThere ? describe : describe.skip;
/** Pages of one kind differ only in whose data they show: of these, one is opened. */
const PAGES_MAX = 120;

let service: RunningService;
let browser: Browser;
let key: string;
let cookies: { name: string; value: string; url: string }[];
/** One page of each kind; except in the whole matrix, a third of them, which changes between runs. */
let addresses: string[] = [];
/** Errors of a browser, and its requests to other hosts. */
const complaints: string[] = [];

const cookieOf = (text = '', url = '') => {
  const [name = '', value = ''] = text.split('=');
  return { name, value, url };
};

beforeAll(async () => {
  if (!isChromiumThere) return;
  // Its own process: the pages show the data of the demonstration.
  service = await start('binary', UNLIMITED, { demo: true });
  browser = await launched();
  await service.command('notify', 'add', 'ops-chat', 'https://hooks.example.com/services/T1');
  await service.command('token', 'create', 'reader', '--scope', 'licenses:read');
  ({ key } = JSON.parse(await service.command('license', 'rotate', 'lic_1', '--json')));
  cookies = [
    cookieOf((await operatorOf(service, 'alice')).cookie, service.adminUrl),
    cookieOf((await portalOf(service, key)).cookie, service.url),
  ];
  for (const home of [`${service.adminUrl}/console`, `${service.url}/portal`]) await follow(home);
  expect(addresses.length).toBeGreaterThan(55);
  if (suite !== 'all') addresses = addresses.filter((_, index) => index % 3 === (part ?? 0) % 3);
}, 120_000);
afterAll(async () => {
  await closePages();
  await service?.end();
});

const opened = (options: BrowserContextOptions = {}): Promise<Page> =>
  watched(browser, '', complaints, { ...options, cookies });

/** The kind of a page: its address without names and cursors. */
function kindOf({ pathname, searchParams }: URL): string {
  const path = pathname.replaceAll(/lic_\d+|[\w-]{20,}/g, ':id').replace(/(:id\/)[^/]+\.[^/]+/, '$1:domain');
  const tab = ['tab', 'act'].flatMap((name) => searchParams.get(name) ?? []);
  return [
    path,
    ...tab,
    ...[...searchParams.keys()].filter((name) => !/^(?:after|cursor|since)$/.test(name)),
  ].join(' ');
}

/** Collects the address of one page of each kind that links lead to. */
async function follow(home: string): Promise<void> {
  const page = await opened();
  const queue = [home];
  const seen = new Set<string>();
  for (let address = queue.shift(); address && seen.size < PAGES_MAX; address = queue.shift()) {
    const url = new URL(address);
    const kind = kindOf(url);
    if (seen.has(kind) || !address.startsWith(home) || /checkpoint|csv/.test(address)) continue;
    seen.add(kind);
    url.hash = '';
    expect([kind, (await page.goto(url.href))?.status()]).toEqual([kind, 200]);
    addresses.push(url.href);
    queue.push(
      ...((await page.evaluate(
        "Array.from(document.querySelectorAll('a[href]'), ({ href }) => href)",
      )) as string[]),
    );
  }
  await page.context().close();
}

const FOCUSABLE = `Array.from(document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')).filter(
  (each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled && !(each.type === 'radio' && !each.checked)
    && !(each.closest('details:not([open])') && each.tagName !== 'SUMMARY') && each.type !== 'hidden')`;

inChromium('with the data of the demonstration', () => {
  test.each(LOOKS)(
    'every page that links lead to is readable %s: nothing is cut off, and axe finds nothing',
    async (_, options) => {
      const page = await opened(options);
      for (const address of addresses) {
        await page.goto(address);
        expect([address, await overflow(page), await misfits(page)]).toEqual([address, 0, []]);
        expect([address, await audited(page)]).toEqual([address, { violations: [], isChecked: true }]);
      }
      await page.context().close();
    },
    120_000,
  );

  test('every page has the same text without a script', async () => {
    const [scripted, plain] = [await opened(), await opened({ javaScriptEnabled: false })];
    // A script formats times, and live pages count on.
    const textOf = async (page: Page, address: string) => {
      await page.goto(address);
      const html = await page.innerHTML('main');
      return html.replaceAll(/<time.*?<\/time>|<[^>]*>|[\d.,]+/gs, ' ').replaceAll(/\s+/g, ' ');
    };
    for (const address of addresses) {
      const [one, other] = [await textOf(plain, address), await textOf(scripted, address)];
      expect([address, one]).toEqual([address, other]);
    }
    await Promise.all([scripted, plain].map((page) => page.context().close()));
  }, 120_000);

  test('every control of a page has the focus by keyboard, in view', async () => {
    const page = await opened({ viewport: { width: 1280, height: 900 } });
    for (const path of [
      '',
      '/licenses',
      '/licenses/lic_6',
      '/alerts',
      '/vulnerabilities',
      '/notifications',
    ]) {
      await page.goto(`${service.adminUrl}/console${path}`);
      const controls = Number(await page.evaluate(`${FOCUSABLE}.length`));
      const reached = new Set<number>();
      for (let each = 0; each < controls; each++) {
        await page.keyboard.press('Tab');
        const at = `${FOCUSABLE}.indexOf(document.activeElement)`;
        const { top, bottom } = (await page.evaluate(
          '(({ top, bottom }) => ({ top, bottom }))(document.activeElement.getBoundingClientRect())',
        )) as { top: number; bottom: number };
        expect([path, top < 900, bottom > 0]).toEqual([path, true, true]);
        reached.add(Number(await page.evaluate(at)));
      }
      expect([path, reached.size]).toEqual([path, controls]);
    }
    await page.context().close();
  }, 60_000);

  test('numbers of the console are those of the admin API', async () => {
    const page = await opened();
    const ask = adminOf(service, await tokenOf(service));
    const { data: status } = (await ask('/status')).json;
    const { alerts } = (await ask('/alerts?acknowledged=false&limit=100')).json.data;
    await page.goto(`${service.adminUrl}/console`);
    const tile = page.locator('section', { hasText: 'Active licenses' }).first();
    expect(await tile.locator('.figure').textContent()).toBe(
      whole(status.licenses.active + status.licenses.trial),
    );
    expect(await page.textContent('main')).toContain(
      `${status.critical_alerts_unacknowledged} critical alerts need acknowledging`,
    );
    expect(await page.textContent('.side a[href$="/alerts"] .mark')).toBe(whole(alerts.length));
    await page.goto(`${service.adminUrl}/console/alerts?state=no`);
    expect(await page.locator('tbody tr').count()).toBe(alerts.length);
    await page.goto(`${service.adminUrl}/console/feed`);
    expect(await page.textContent('.head')).toContain('40 entries');
    const { licenses } = (await ask('/licenses?limit=100')).json.data;
    await page.goto(`${service.adminUrl}/console/licenses`);
    for (const { license_id, domains, sites_allowed } of licenses)
      expect(
        await page.locator('tr', { has: page.getByText(license_id, { exact: true }) }).textContent(),
      ).toContain(`${whole(domains.length)} of ${whole(sites_allowed)}`);
    await page.context().close();
  });

  test('numbers of the portal are those of the API', async () => {
    const page = await opened();
    const [me, metrics] = await Promise.all([
      call(service.url, `${API}/me`, { key }),
      call(service.url, `${API}/analytics/metrics`, {
        key,
        body: { sections: ['sites', 'severityBuckets'] },
      }),
    ]);
    const { sites, daily_budget: today } = me.json.data;
    const { sites: scored, severityBuckets } = metrics.json.data;
    await page.goto(`${service.url}/portal`);
    const text = (await page.textContent('main')) ?? '';
    expect(text).toContain(`${whole(sites.used)} of ${whole(sites.allowed)}`);
    expect(text).toContain(`${whole(today.events_used)} of ${whole(today.events)}`);
    for (const severity of ['critical', 'high', 'medium', 'low', 'info'])
      expect(text).toContain(
        `${severity} ${whole(severityBuckets.reduce((sum: number, day: Record<string, number>) => sum + (day[severity] ?? 0), 0))}`,
      );
    const open = scored.reduce((sum: number, { alertsOpen }: { alertsOpen: number }) => sum + alertsOpen, 0);
    expect(await page.textContent('.side a[href$="/alerts"] .mark')).toBe(whole(open));
    await page.goto(`${service.url}/portal/sites`);
    for (const { url, securityScore, alertsOpen } of scored) {
      const row = page.locator('tr', { has: page.getByText(url.replace('https://', ''), { exact: true }) });
      expect(await row.locator('.num').allTextContents()).toEqual([whole(alertsOpen), whole(securityScore)]);
    }
    await page.context().close();
  });

  test('no browser had an error', () => {
    expect(complaints.filter((each) => !/^https?:\/\/(?:127\.0\.0\.1|localhost)[:/]/.test(each))).toEqual([]);
  });
});
