import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
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
import { operatorOf } from '../../support/console.ts';
import { binary, type RunningService, sharedService, start } from '../../support/service.ts';

const PATH = '/console/_kit';
/** Of its title and of a text that no other page has. */
const MARKS = ['Toast: plan changed', '/console/_kit'];

test('no executable has the page of all components, nor its texts', async () => {
  const browser = await operatorOf(await sharedService(), 'kira');
  expect((await browser.get(PATH)).status).toBe(404);
  const bytes = readFileSync(await binary());
  expect(MARKS.filter((mark) => bytes.includes(mark))).toEqual([]);
});

const inChromium = isChromiumThere ? describe : describe.skip;

inChromium('run from source, the page of all components', () => {
  let service: RunningService;
  let browser: Browser;
  beforeAll(async () => {
    // Its own process: only the source has the page.
    service = await start('deno');
    browser = await launched();
  });
  afterAll(async () => {
    await closePages();
    await service?.end();
  });

  test.each(LOOKS)('shows each of them, fits and is accessible: %s', async (_, look) => {
    const complaints: string[] = [];
    const { cookie = '' } = await operatorOf(service, `kit-${crypto.randomUUID().slice(0, 8)}`);
    const [name = '', value = ''] = cookie.split('=');
    const cookies = [{ name, value, url: service.adminUrl }];
    const page = await watched(browser, service.adminUrl, complaints, { ...look, cookies });
    await page.goto(service.adminUrl + PATH);
    for (const component of [
      ...[
        '.side .places',
        '.top search',
        '.head .acts .more',
        '.spark',
        '.meter',
        '.chart',
        '.legend',
        '.bars',
      ],
      ...[
        '.segments',
        '.attention .dot',
        '.verdict',
        '.tabs',
        'table',
        '.badge',
        '.mark',
        '.ring',
        '.copied',
      ],
      ...['.filters', '.error', 'form[data-ask]', '.notice[role=status] code', '[role=alert]', 'a[rel=next]'],
    ])
      expect([component, (await page.locator(component).count()) > 0]).toEqual([component, true]);
    expect([await overflow(page), await misfits(page), await audited(page), complaints]).toEqual([
      0,
      [],
      { violations: [], isChecked: true },
      [],
    ]);
    await page.context().close();
  });
});
