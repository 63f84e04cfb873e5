import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  audited,
  closePages,
  isChromiumThere,
  LOOKS,
  launched,
  misfits,
  overflow,
  watched,
} from '../../support/chromium.ts';
import { inviteOperator, operatorOf, PASSWORD } from '../../support/console.ts';
import { importDemo } from '../../support/mirror.ts';
import { type RunningService, start } from '../../support/service.ts';
import { keepBackup, publish, rows } from '../../support/store.ts';

const FINGERPRINT = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs';

// Without it, the names of the tests say so.
const inChromium = isChromiumThere ? describe : describe.skip;

let service: RunningService;
let browser: Browser;
let key: string;
let cookie: { name: string; value: string; url: string };
/** Errors of a browser, and its requests to other hosts. */
const complaints: string[] = [];

beforeAll(async () => {
  if (!isChromiumThere) return;
  // Its own process: the pages show the whole installation.
  service = await start('binary', { SERVICE_THREAT_FEED_ENABLED: '1' });
  browser = await launched();
  ({ key } = await service.issue('--plan', 'pro', '--domain', 'shop.example.com'));
  await send('malware_found');
  await service.command('feed', 'allow', FINGERPRINT, '--reason', 'our own scanner');
  publish(service, FINGERPRINT, 9_000_000);
  await service.command('token', 'create', 'shop', '--scope', 'licenses:read');
  await importDemo(service);
  rows(service, 'update licenses set payment_hold_from = 1');
  rows(service, `insert into payment_events values ('evt_1', 'x', 'subscription', 'sub_1', 1, null, 7, 1)`);
  await keepBackup(service, { path: `/var/lib/redoubt/backups/${'a'.repeat(120)}.tar` });
  const signedIn = await operatorOf(service, 'alice');
  const [name = '', value = ''] = signedIn.cookie?.split('=') ?? [];
  cookie = { name, value, url: service.adminUrl };
});
afterAll(async () => {
  await closePages();
  await service?.end();
});

const send = (type: string) =>
  fetch(`${service.url}/api/v1/telemetry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ domain: 'shop.example.com', events: [{ type, severity: 'critical' }] }),
  });

const opened = (options: BrowserContextOptions, isSignedIn = true): Promise<Page> =>
  watched(browser, service.adminUrl, complaints, { ...options, cookies: isSignedIn ? [cookie] : [] });

const at = (path: string) => service.adminUrl + path;

/** Every page of a service with data. */
const PATHS = [
  '/console',
  '/console/customers',
  '/console/customers/lic_1',
  '/console/customers/lic_1/report',
  '/console?checks=30d&events=24h',
  '/console/licenses',
  '/console/licenses/new',
  '/console/licenses/import',
  '/console/search',
  '/console/licenses/lic_1',
  '/console/licenses/lic_1?tab=sites',
  '/console/licenses/lic_1?tab=activity',
  '/console/licenses/lic_1?tab=limits',
  '/console/licenses/lic_1?act=change',
  '/console/sites',
  '/console/sites/lic_1/shop.example.com',
  '/console/alerts',
  '/console/events',
  '/console/operators',
  '/console/account',
  '/console/feed',
  `/console/feed?find=${FINGERPRINT}`,
  `/console/feed/threats/${FINGERPRINT}`,
  '/console/vulnerabilities',
  '/console/vulnerabilities/component?ecosystem=wordpress-plugin&component=example-gallery',
  '/console/payments',
  '/console/notifications',
  '/console/backups',
  '/console/settings',
  '/console/audit',
  '/console/tokens',
];

inChromium('in a browser', () => {
  test('an operator signs in with a link, out, and in again by keyboard, also without a script', async () => {
    for (const [index, javaScriptEnabled] of [true, false].entries()) {
      const page = await opened({ javaScriptEnabled }, false);
      await page.goto(at(await inviteOperator(service, `bob${index}`, 'viewer')));
      await page.fill('input[name=password]', PASSWORD);
      await page.fill('input[name=again]', PASSWORD);
      await page.press('input[name=again]', 'Enter');
      await page.waitForURL(at('/console'));
      await page.click('text=Sign out');
      await page.waitForURL(at('/console/sign-in'));
      await page.focus('input[name=name]');
      await page.keyboard.type(`bob${index}`);
      await page.keyboard.press('Tab');
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await page.waitForURL(at('/console'));
      expect(await page.textContent('h1')).toBe('Overview');
      await page.context().close();
    }
  });

  test.each(LOOKS)(
    'every page is readable %s: nothing is cut off, and axe finds nothing',
    async (_, options) => {
      const page = await opened(options);
      for (const path of PATHS) {
        await page.goto(at(path));
        // A pending state stays, with its picture.
        if (path.endsWith('account')) await page.click('form[action$="/begin"] button');
        expect([path, await overflow(page), await misfits(page)]).toEqual([path, 0, []]);
        expect([path, await audited(page)]).toEqual([path, { violations: [], isChecked: true }]);
      }
      await page.context().close();
    },
  );

  test('Overview updates itself, and keeps open parts open', async () => {
    const page = await opened({});
    await page.goto(at('/console'));
    await page.click('.card summary');
    await page.evaluate('document.activeElement.blur()');
    const before = await page.textContent('.card:has(h2:text-is("Active licenses")) .figure');
    await service.issue('--plan', 'pro');
    const after = String(Number(before) + 1);
    await page.waitForSelector(`.card:has(h2:text-is("Active licenses")) .figure:text-is("${after}")`);
    expect(await page.locator('main details').first().getAttribute('open')).not.toBeNull();
    await page.context().close();
  });

  test('events arrive automatically, without a filter that is being typed', async () => {
    const page = await opened({});
    await page.goto(at('/console/events'));
    await page.fill('input[name=domain]', 'half a dom');
    await page.evaluate('document.activeElement.blur()');
    await send('tail_of_the_log');
    await page.waitForSelector('td:text-is("Tail of the log")');
    expect(await page.inputValue('input[name=domain]')).toBe('half a dom');
    await page.context().close();
  });

  test('a link that is shown once fits in 360 px', async () => {
    const page = await opened({ viewport: { width: 360, height: 800 } });
    await page.goto(at('/console/operators'));
    await page.fill('.form input[name=name]', 'nina');
    await page.click('.form button');
    await page.waitForSelector('.notice code');
    expect([page.url(), await overflow(page)]).toEqual([at('/console/operators'), 0]);
    await page.context().close();
  });

  test('an act that ends sessions asks for confirmation', async () => {
    const page = await opened({});
    await inviteOperator(service, 'zoe', 'viewer');
    await page.goto(at('/console/operators'));
    page.on('dialog', (dialog) => dialog.dismiss());
    await page.click('tr:has-text("zoe") button:has-text("Disable")');
    expect(JSON.parse(await service.command('operator', 'list', '--json'))).toContainEqual(
      expect.objectContaining({ name: 'zoe', state: 'invited' }),
    );
    await page.context().close();
  });

  test('no browser had an error or sent a request to another host', () => {
    expect(complaints).toEqual([]);
  });
});
