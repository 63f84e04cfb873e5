/**
 * Creates the README's picture, docs/now.png: the console's first page with the data of the demonstration. `bun run picture` builds the
 * executable, or takes the one that REDOUBT_EXECUTABLE names; it needs Chromium.
 */
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { operatorOf } from './support/console.ts';
import { start } from './support/service.ts';

const CHROMIUM = '/usr/bin/chromium';
const PICTURE = join(import.meta.dir, '../docs/now.png');
const service = await start('binary', { SERVICE_RATE_IP_PER_MINUTE: '10000' }, { demo: true });
const { cookie = '' } = await operatorOf(service, 'alice');
const [name = '', value = ''] = cookie.split('=');
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
const context = await browser.newContext({ colorScheme: 'light', viewport: { width: 1_320, height: 800 } });
await context.addCookies([{ name, value, url: service.adminUrl }]);
const page = await context.newPage();
await page.goto(`${service.adminUrl}/console`);
await page.screenshot({ path: PICTURE, fullPage: true });
await browser.close();
await service.end();
