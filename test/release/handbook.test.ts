import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOWNLOADS } from '../../src/routes/handbook/downloads.ts';
import { PAGES } from '../../src/routes/handbook/pages.ts';
import { handbookFile } from '../../tools/release/handbook.ts';
import {
  audited,
  closePages,
  isChromiumThere,
  LOOKS,
  launched,
  overflow,
  watched,
} from '../support/chromium.ts';
import { suite } from '../support/suite.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const html = handbookFile('1.2.3');
const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
const links = [...html.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);

test('every page is included once, and every link leads to a place inside, or to another site', () => {
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining([...PAGES.keys()]));
  const elsewhere = links.filter((href) => !/^(?:https:|data:)/.test(href));
  expect(elsewhere.length).toBeGreaterThan(200);
  for (const href of elsewhere) expect([href, ids.includes(href.slice(1))]).toEqual([href, true]);
});

test('it needs no other file: downloads of pages are included, and no page has a picture', () => {
  const [, data = '', name] =
    /href="data:text\/plain;charset=utf-8;base64,([^"]+)" download="(redoubt-client\.php)"/.exec(html) ?? [];
  expect(name).toBe('redoubt-client.php');
  expect(Buffer.from(data, 'base64').toString()).toBe(DOWNLOADS.get('clients/redoubt-client.php') ?? '');
  expect(html).not.toMatch(/<(?:img|script|link)\b/);
});

describe.if(isChromiumThere)('in a browser', async () => {
  const browser = isChromiumThere ? await launched() : undefined;
  afterAll(closePages);
  const path = join(temporaryDirectory(), 'handbook.html');
  writeFileSync(path, html);

  const opened = async (complaints: string[], look: (typeof LOOKS)[number][1]) => {
    if (browser === undefined) throw new Error('there is no browser');
    const page = await watched(browser, 'file://', complaints, { cookies: [], ...look });
    await page.goto(`file://${path}`);
    return page;
  };

  test.each(LOOKS)('it loads no other resource and fits the screen, %s', async (_, look) => {
    const complaints: string[] = [];
    const page = await opened(complaints, look);
    expect(await overflow(page)).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  // axe reads the whole handbook as one page, which takes ten seconds
  test.if(suite === 'all')(
    'it is accessible',
    async () => {
      expect(await audited(await opened([], {}))).toEqual({ violations: [], isChecked: true });
    },
    120_000,
  );
});
