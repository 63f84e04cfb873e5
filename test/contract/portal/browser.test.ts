import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { familyOf, MENU, PLACES } from '../../../src/portal/places.ts';
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
import { type KnownTenant, knownTenant } from '../../support/known-tenant.ts';
import { importDemo } from '../../support/mirror.ts';
import { portalOf, portalRoutes } from '../../support/portal.ts';
import { type RunningService, start } from '../../support/service.ts';
import { rotating } from '../../support/suite.ts';

// Without it, the names of the tests say so.
const inChromium = isChromiumThere ? describe : describe.skip;

let service: RunningService;
let browser: Browser;
let tenant: KnownTenant;
/** A tenant who sees every page, and one with a plan that has almost none. */
let cookies: Readonly<Record<'rich' | 'poor', { name: string; value: string; url: string }>>;
/** Every page, of a license with data on each. */
let paths: readonly string[];
/** Errors of a browser, and its requests to other hosts. */
const complaints: string[] = [];

async function cookieOf(key: string) {
  const [name = '', value = ''] = (await portalOf(service, key)).cookie?.split('=') ?? [];
  return { name, value, url: service.url };
}

beforeAll(async () => {
  if (!isChromiumThere) return;
  // Its own process: vulnerability data is imported.
  service = await start('binary', {
    SERVICE_SURFACE_SCANS: '0',
    SERVICE_RATE_KEY_PER_MINUTE: '100000',
  });
  browser = await launched();
  await importDemo(service);
  tenant = await knownTenant(service, 'nuthatch');
  const poor = await service.issue('--plan', 'free');
  cookies = { rich: await cookieOf(tenant.key), poor: await cookieOf(poor.key) };
  const own = await portalOf(service, tenant.key);
  const all = portalRoutes
    .filter(({ method }) => method === 'GET')
    .flatMap(({ path }) =>
      path.includes(':')
        ? [tenant.ids.site, tenant.ids.scan].map((id = '') => path.replaceAll(/:\w+/g, id))
        : [path],
    );
  const there: string[] = [];
  for (const path of all) {
    const { status, headers } = await own.get(path);
    if (status === 200 && !headers.has('content-disposition')) there.push(path);
  }
  paths = there;
});
afterAll(async () => {
  await closePages();
  await service?.end();
});

const opened = (options: BrowserContextOptions, whose?: keyof typeof cookies): Promise<Page> =>
  watched(browser, service.url, complaints, { ...options, cookies: whose ? [cookies[whose]] : [] });
const at = (path: string) => service.url + path;

inChromium('in a browser', () => {
  test('a tenant signs in by keyboard, and out, also without a script', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await opened({ javaScriptEnabled });
      await page.goto(at('/portal'));
      await page.waitForURL(at('/portal/sign-in'));
      await page.focus('input[name=key]');
      await page.keyboard.type(tenant.key);
      await page.keyboard.press('Enter');
      await page.waitForURL(at('/portal'));
      expect(await page.textContent('h1')).toBe('Overview');
      await page.click('text=Sign out');
      await page.waitForURL(at('/portal/sign-in'));
      await page.context().close();
    }
  });

  test.each(LOOKS)(
    'every page is readable %s: nothing is cut off, and axe finds nothing',
    async (_, options) => {
      const page = await opened(options, 'rich');
      expect(paths).toEqual(expect.arrayContaining(Object.values(PLACES).map(({ path }) => path)));
      for (const path of paths) {
        await page.goto(at(path));
        expect([path, await overflow(page), await misfits(page)]).toEqual([path, 0, []]);
        expect([path, await audited(page)]).toEqual([path, { violations: [], isChecked: true }]);
      }
      await page.context().close();
    },
    60_000,
  );

  test('pages of other plans are readable as well, for a tenant without them', async () => {
    const page = await opened({ viewport: { width: 360, height: 800 } }, 'poor');
    // A refusal is not an error of the page, though the browser reports each.
    page.removeAllListeners('console');
    for (const { path } of rotating(Object.values(PLACES), 4)) {
      await page.goto(at(path));
      expect([path, await overflow(page)]).toEqual([path, 0]);
      expect([path, await audited(page)]).toEqual([path, { violations: [], isChecked: true }]);
    }
    await page.context().close();
  });

  test('every page has the same text without a script', async () => {
    const texts = async (javaScriptEnabled: boolean) => {
      const page = await opened({ javaScriptEnabled }, 'rich');
      const found: [string, string][] = [];
      for (const path of rotating(paths, 4)) {
        await page.goto(at(path));
        // A script formats times for the viewer.
        const html = await page.innerHTML('main');
        found.push([path, html.replaceAll(/<time.*?<\/time>|<[^>]*>/gs, ' ')]);
      }
      await page.context().close();
      return found;
    };
    expect(await texts(false)).toEqual(await texts(true));
  });

  test('the words of every place link to it', async () => {
    const page = await opened({}, 'rich');
    await page.goto(at('/portal'));
    expect(MENU.map(({ words }) => words)).toEqual(
      'Overview, Sites, Alerts, Events, Scans, File check, Reports, Developers, License'.split(', '),
    );
    for (const place of rotating(Object.values(PLACES), 4)) {
      const { parent, members } = familyOf(place);
      await page.click(`.side nav >> text="${parent.words}"`);
      await page.waitForURL(at(parent.path));
      if (place.path !== parent.path) await page.click(`.tabs >> text="${place.words}"`);
      await page.waitForURL(at(place.path));
      expect(await page.getAttribute('.side [aria-current=page]', 'href')).toBe(parent.path);
      const tab =
        members.length > 1 ? await page.getAttribute('.tabs [aria-current=page]', 'href') : place.path;
      expect(tab).toBe(place.path);
    }
    await page.context().close();
  });

  test('no browser had an error or sent a request to another host', () => {
    expect(complaints).toEqual([]);
  });
});
