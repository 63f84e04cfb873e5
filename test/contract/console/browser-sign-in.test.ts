import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { closePages, isChromiumThere, launched } from '../../support/chromium.ts';
import { operatorOf, PASSWORD, setUpSecondFactor } from '../../support/console.ts';
import { type RunningService, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

const inChromium = isChromiumThere ? describe : describe.skip;

let service: RunningService;
let browser: Browser;
beforeAll(async () => {
  if (!isChromiumThere) return;
  // Its own process: sign-in attempts are limited by address.
  service = await start('binary');
  browser = await launched();
  await service.issue('--plan', 'pro', '--domain', 'shop.example.com');
});
afterAll(async () => {
  await closePages();
  await service?.end();
});

const at = (path: string) => service.adminUrl + path;

async function atSignIn(): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(at('/console'));
  expect(page.url()).toBe(at('/console/sign-in'));
  return page;
}
async function give(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.fill('input[name=name]', name);
  await page.fill('input[name=password]', password);
  await page.press('input[name=password]', 'Enter');
}

inChromium('in a browser', () => {
  test('a wrong password is reported and not kept, and the right one signs in', async () => {
    await operatorOf(service, 'alice');
    const page = await atSignIn();
    await give(page, 'alice', 'wrong horse battery');
    await page.waitForSelector('[role=alert]');
    expect([page.url(), await page.inputValue('input[name=password]')]).toEqual([at('/console/sign-in'), '']);
    await give(page, 'alice');
    await page.waitForURL(at('/console'));
    await page.context().close();
  });

  test('a second factor is required after the password, a wrong code is reported, and the right one signs in', async () => {
    const app = await setUpSecondFactor(await operatorOf(service, 'tom'));
    const page = await atSignIn();
    await give(page, 'tom');
    await page.waitForURL(at('/console/sign-in/code'));
    const code = app.code(1);
    await page.fill('input[name=code]', code === '000000' ? '000001' : '000000');
    await page.press('input[name=code]', 'Enter');
    await page.waitForSelector('[role=alert]');
    await page.fill('input[name=code]', code);
    await page.press('input[name=code]', 'Enter');
    await page.waitForURL(at('/console'));
    await page.context().close();
  });

  test('a viewer sees no act and no link to pages of other roles, until the session ends', async () => {
    await operatorOf(service, 'victor', 'viewer');
    const page = await atSignIn();
    await give(page, 'victor');
    await page.waitForURL(at('/console'));
    for (const name of ['Settings', 'Audit log', 'API tokens', 'Operators'])
      expect([name, await page.locator(`nav a:text-is("${name}")`).count()]).toEqual([name, 0]);
    await page.goto(at('/console/licenses/lic_1'));
    expect(await page.locator('main form[method=post]').count()).toBe(0);
    await service.command('operator', 'disable', 'victor');
    await page.reload();
    expect(page.url()).toBe(at('/console/sign-in'));
    await page.context().close();
  });

  test('a form from another origin with the cookie of a session is refused, and nothing is stored', async () => {
    const page = await atSignIn();
    await give(page, 'alice');
    await page.waitForURL(at('/console'));
    const evil = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        new Response(
          `<form method="post" action="${at('/console/licenses/lic_1/suspend')}"><input name="reason" value="x">
            <input name="hold" value="operator"><button>Win</button></form>`,
          { headers: { 'content-type': 'text/html' } },
        ),
    });
    await page.goto(evil.url.href);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/suspend')),
      page.click('button'),
    ]);
    // Another port is the same site, so that the cookie was sent.
    expect((await answer.request().allHeaders()).cookie).toContain('redoubt_console=');
    expect(answer.status()).toBe(403);
    expect(rows(service, 'select holds from licenses')).toEqual([{ holds: '[]' }]);
    await evil.stop(true);
    await page.context().close();
  });
});
