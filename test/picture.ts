/**
 * Makes the README's picture, docs/now.png: the console's first page, of the demonstration with a morning's work of an agency
 * beside it. `bun run picture` builds the executable, or takes the one that REDOUBT_EXECUTABLE names; it needs Chromium.
 */
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { operatorOf } from './support/console.ts';
import { start } from './support/service.ts';

const CHROMIUM = '/usr/bin/chromium';
const PICTURE = join(import.meta.dir, '../docs/now.png');
const AGENCY = ['bakery', 'bookshop', 'florist', 'museum', 'school'];

const service = await start('binary', { SERVICE_RATE_IP_PER_MINUTE: '10000' }, { demo: true });
const post = (path: string, key: string, body: object) =>
  fetch(`${service.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });

for (const [index, name] of AGENCY.entries()) {
  const domain = `${name}.example.com`;
  const { key, license_id: id } = await service.issue('--plan', 'pro', '--domain', domain);
  for (let checks = 0; checks < 12 + index; checks += 1) await post('/license/verify', key, { domain });
  const isHit = name === 'florist';
  const events = [{ type: isHit ? 'malware_found' : 'login_failed', severity: isHit ? 'critical' : 'low' }];
  await post('/telemetry', key, { domain, plugin_version: '2.4.1', events });
  if (name === 'school') {
    await service.command(
      'license',
      'suspend',
      id,
      '--hold',
      'payment',
      '--reason',
      'invoice 1311 is overdue',
    );
    for (let checks = 0; checks < 5; checks += 1) await post('/license/verify', key, { domain });
  }
}

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
