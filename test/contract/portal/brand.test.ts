import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Browser as Chromium } from 'playwright-core';
import { audited, closePages, isChromiumThere, launched, overflow, watched } from '../../support/chromium.ts';
import { call } from '../../support/client.ts';

import type { Browser } from '../../support/console.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, run, start } from '../../support/service.ts';
import { stored } from '../../support/store.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="20" height="10" fill="#5b2aa0"/></svg>';
const directory = temporaryDirectory();
const logo = join(directory, 'logo.svg');
const NAME = 'Brightside & Söhne';

let service: RunningService;
let browser: Browser;
let key: string;
beforeAll(async () => {
  await Bun.write(logo, LOGO);
  // Its own process: its settings are those of another operator.
  service = await start('binary', {
    SERVICE_BRAND_NAME: NAME,
    SERVICE_BRAND_LOGO: logo,
    SERVICE_BRAND_COLOR: '#5b2aa0',
    SERVICE_SUPPORT_URL: 'help@brightside.example',
  });
  ({ key } = await service.issue('--plan', 'pro', '--customer', 'Pixelwerk Digital'));
  browser = await portalOf(service, key);
});
afterAll(() => service.end());

const logoOf = (text: string) => /<img src="(\/portal\/logo-[0-9a-f]{12}\.svg)" alt=""/.exec(text)?.[1] ?? '';

test('pages of the portal have the name, picture, colour and support address of the operator', async () => {
  for (const page of [await browser.get('/portal'), await call(service.url, '/portal/sign-in')]) {
    expect(page.text).toContain('Brightside &amp; Söhne');
    expect(page.text).toContain('<a href="mailto:help@brightside.example">Contact support</a>');
    expect(page.text).not.toContain('Redoubt');
    const picture = await call(service.url, logoOf(page.text));
    expect([picture.status, picture.text, picture.headers.get('content-type')]).toEqual([
      ...[200, LOGO, 'image/svg+xml'],
    ]);
    expect(picture.headers.get('content-security-policy')).toContain('sandbox');
    const style = /href="(\/portal\/style-[^"]+)"/.exec(page.text)?.[1] ?? '';
    expect((await call(service.url, style)).text).toContain('--accent:light-dark(#5b2aa0,');
  }
});

test('a refusal has them as well, and the console keeps its own', async () => {
  const missing = await browser.get('/portal/sites/zz');
  expect([missing.status, missing.text.includes('Brightside &amp; Söhne')]).toEqual([404, true]);
  const console = await fetch(`${service.adminUrl}/console/sign-in`);
  const text = await console.text();
  expect([text.includes('Redoubt'), text.includes('Brightside')]).toEqual([true, false]);
});

describe('an unsafe brand', () => {
  const HOSTILE: [string, Record<string, string | undefined>, string | undefined, string][] = [
    ['a picture with a script', {}, LOGO.replace('<rect', '<script>x</script><rect'), 'element script'],
    ['a picture with a handler', {}, LOGO.replace('<rect', '<rect onload="x"'), 'attribute onload'],
    ['HTML as a picture', {}, '<html><body>x</body></html>', 'element html'],
    ['a large picture', {}, LOGO.padEnd(65 * 1_024), 'larger than 64 KiB'],
    ['a picture that is not there', { SERVICE_BRAND_LOGO: `${logo}.no` }, undefined, 'no such file'],
    ['a device', { SERVICE_BRAND_LOGO: '/dev/zero' }, undefined, 'cannot read'],
    ['CSS as a colour', { SERVICE_BRAND_COLOR: 'red;}body{x:url(//a)' }, undefined, 'must be a color'],
    ['a colour that is too light', { SERVICE_BRAND_COLOR: '#ffcc00' }, undefined, 'the nearest that passes'],
    ['HTML as a name', { SERVICE_BRAND_NAME: '<script>x</script>' }, undefined, 'contains markup'],
    ['a script as support', { SERVICE_SUPPORT_URL: 'javascript:alert(1)' }, undefined, 'must be a mail'],
    ['markup as support', { SERVICE_SUPPORT_URL: 'https://a.example/"><b>' }, undefined, 'must be a mail'],
  ];

  test.each(HOSTILE)(
    'such as %s is refused in words before the service starts',
    async (_, env, text, words) => {
      const path = join(directory, 'tried.svg');
      if (text !== undefined) await Bun.write(path, text);
      const settings = {
        SERVICE_DATA_DIR: temporaryDirectory(),
        ...(text === undefined ? {} : { SERVICE_BRAND_LOGO: path }),
        ...env,
      };
      const { exitCode, stderr } = await run('binary', settings, 'serve');
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
      expect(stderr).toContain(Object.keys(env)[0] ?? 'SERVICE_BRAND_LOGO');
    },
  );

  test('is refused by a reload, which changes nothing', async () => {
    const before = stored(service);
    await Bun.write(logo, LOGO.replace('<rect', '<rect onload="x"'));
    await expect(service.command('reload')).rejects.toThrow('attribute onload');
    const { text } = await browser.get('/portal');
    expect((await call(service.url, logoOf(text))).text).toBe(LOGO);
    expect(stored(service)).toEqual(before);
    await Bun.write(logo, LOGO);
    await service.command('reload');
  });
});

(isChromiumThere ? describe : describe.skip)('in a browser', () => {
  let chromium: Chromium;
  beforeAll(async () => {
    chromium = await launched();
  });
  afterAll(closePages);

  test.each(['light', 'dark'] as const)('a brand is visible and readable, %s', async (colorScheme) => {
    const complaints: string[] = [];
    const [name = '', value = ''] = browser.cookie?.split('=') ?? [];
    const cookies = [{ name, value, url: service.url }];
    const page = await watched(chromium, service.url, complaints, { colorScheme, cookies });
    await page.goto(`${service.url}/portal`);
    expect(await page.evaluate('document.querySelector(".side .brand img").naturalWidth')).toBeGreaterThan(0);
    expect([await overflow(page), await audited(page)]).toEqual([0, { violations: [], isChecked: true }]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
