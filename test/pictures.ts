/**
 * Creates pictures of ten pages with the data of the demonstration in docs/pictures; those that documents show are committed.
 * `bun run pictures` builds the executable, or takes the one that REDOUBT_EXECUTABLE names; it needs Chromium.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launched } from './support/chromium.ts';
import { operatorOf } from './support/console.ts';
import { start, UNLIMITED } from './support/service.ts';

const FOLDER = join(import.meta.dir, '../docs/pictures');
const BYTES_MAX = 200_000;
const VIEW = { width: 1_200, height: 900 };
/** More of a page that documents show. */
const TALL = 1_300;

const service = await start('binary', UNLIMITED, { demo: true });
const browser = await launched();
const context = await browser.newContext({ colorScheme: 'light', viewport: VIEW });
const page = await context.newPage();
mkdirSync(FOLDER, { recursive: true });

async function picture(name: string, height = VIEW.height): Promise<void> {
  const path = join(FOLDER, `${name}.png`);
  await page.setViewportSize({ ...VIEW, height });
  await page.screenshot({ path });
  const { size } = statSync(path);
  console.log(`${path} ${size.toLocaleString('en')} bytes`);
  if (size > BYTES_MAX) throw new Error(`${name}.png has more than ${BYTES_MAX.toLocaleString('en')} bytes`);
}

const follow = async ({ page }: { readonly page: Page }, name: string): Promise<void> => {
  await page.locator('main').getByRole('link', { name }).first().click();
  await page.waitForLoadState();
};

const { cookie = '' } = await operatorOf(service, 'alice');
const [name = '', value = ''] = cookie.split('=');
await context.addCookies([{ name, value, url: service.adminUrl }]);
for (const [name, path] of Object.entries({
  overview: '',
  customer: '/customers/lic_1',
  license: '/licenses/lic_6',
  alerts: '/alerts',
  component: '/vulnerabilities/component?ecosystem=wordpress-plugin&component=example-gallery',
  feed: '/feed',
})) {
  await page.goto(`${service.adminUrl}/console${path}`);
  await picture(name, name === 'overview' ? TALL : undefined);
}
await page.goto(`${service.adminUrl}/console/sites`);
await follow({ page }, 'stone-bakery.example.com');
await picture('site');

const { key } = JSON.parse(await service.command('license', 'rotate', 'lic_1', '--json'));
await page.goto(`${service.url}/portal`);
await page.fill('input[name=key]', key);
await page.locator('main button').click();
await page.waitForLoadState();
await picture('portal', TALL);
await follow({ page }, 'stone-bakery.example.com');
await picture('portal-site');
await page.goto(`${service.url}/portal/reports`);
await picture('portal-report');

await browser.close();
await service.end();
