import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { closePages, isChromiumThere, launched } from '../../support/chromium.ts';
import { API, call } from '../../support/client.ts';
import { type FakeSite, fakeSite } from '../../support/fake-site.ts';
import { portalOf } from '../../support/portal.ts';
import { askScan, issueControlled } from '../../support/scans.ts';
import { type RunningService, sharedService, until } from '../../support/service.ts';

const inChromium = isChromiumThere ? describe : describe.skip;

let service: RunningService;
let browser: Browser;
let slow: FakeSite;
let key: string;
let cookie: { name: string; value: string; url: string };
const held: Socket[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  if (!isChromiumThere) return;
  service = await sharedService('binary', 'private sites');
  browser = await launched();
  slow = await fakeSite((_, socket) => void held.push(socket));
  ({ key } = await issueControlled(service));
  const [name = '', value = ''] = (await portalOf(service, key)).cookie?.split('=') ?? [];
  cookie = { name, value, url: service.url };
});
afterAll(async () => {
  await closePages();
  slow?.close();
});

async function opened(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  await context.addCookies([cookie]);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  await page.goto(service.url + path);
  return page;
}

/** Drops a file on the content, as a browser would. */
const drop = (page: Page, text: string) =>
  page.evaluate(
    `(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(text)}], 'odd.php'));
      const target = document.querySelector('textarea');
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    })()`,
  );

inChromium('in a browser', () => {
  test('chosen or dropped files are sent only with the form and found by name, also without a script', async () => {
    const shell = '<?php @eval($_POST["x"]);';
    for (const javaScriptEnabled of [true, false]) {
      const page = await opened('/portal/analysis', { javaScriptEnabled });
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.url());
      });
      if (javaScriptEnabled) await drop(page, shell);
      else
        await page.setInputFiles('input[type=file]', [
          { name: 'odd.php', mimeType: 'text/plain', buffer: Buffer.from(shell) },
        ]);
      expect(sent).toEqual([]);
      await page.click('main button[type=submit]');
      await page.waitForSelector('h2:text-is("odd.php")');
      expect(await page.textContent('.badge.bad')).toBe('malicious');
      expect(await page.textContent('pre.found')).toContain('1  <?php @eval(');
      expect(sent).toEqual([`${service.url}/portal/analysis`]);
      await page.context().close();
    }
  });

  test('the page of a scan updates itself at the end of the scan', async () => {
    const begun = { site_url: `http://localhost:${slow.port}/`, scan_type: 'surface' };
    const id = (await askScan(service, key, begun)).json.data.scan_id;
    await until(async () => held.length > 0);
    const page = await opened(`/portal/scans/${id}`);
    expect(await page.isVisible('progress')).toBe(true);
    await call(service.url, `${API}/scans/${id}/cancel`, { key, method: 'POST' });
    for (const socket of held.splice(0)) socket.destroy();
    await page.waitForSelector('.badge:text-is("canceled")');
    expect(await page.locator('progress, [data-again]').count()).toBe(0);
    await page.context().close();
  });

  test('no browser had an error', () => {
    expect(complaints).toEqual([]);
  });
});
