import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { part, suite } from './suite.ts';

const CHROMIUM = '/usr/bin/chromium';
const AXE = readFileSync(join(import.meta.dir, '../../node_modules/axe-core/axe.min.js'), 'utf8');

export const isChromiumThere = existsSync(CHROMIUM);

let browser: Promise<Browser> | undefined;

/** The browser of all files of this process, because its start takes a second of processor time. It ends with this process. */
export async function launched(): Promise<Browser> {
  if ((await browser)?.isConnected() !== true)
    browser = chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  return await (browser as Promise<Browser>);
}

/** Closes the pages of a file, with their cookies. */
export async function closePages(): Promise<void> {
  for (const context of (await browser)?.contexts() ?? []) await context.close();
}

/** How a page can be shown, in words and in the options of a browser. */
const ALL_LOOKS: [string, BrowserContextOptions][] = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['at 360 px', { viewport: { width: 360, height: 800 } }],
  ['at 390 px, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
];
const next = (part ?? 0) % ALL_LOOKS.length;
/** How each page is shown: in every way by the whole matrix, otherwise in one way that changes between runs. */
export const LOOKS = suite === 'all' ? ALL_LOOKS : ALL_LOOKS.slice(next, next + 1);

interface Watched extends BrowserContextOptions {
  readonly cookies: readonly { name: string; value: string; url: string }[];
}

/** A page in its own context; errors of the browser and requests to other origins are recorded. */
export async function watched(
  browser: Browser,
  origin: string,
  complaints: string[],
  { cookies, ...options }: Watched,
): Promise<Page> {
  const context = await browser.newContext(options);
  await context.addCookies(cookies);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) complaints.push(request.url());
  });
  return page;
}

/** By how much a page is wider than its visible part. */
export const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Runs in a page: finds elements with more content than fits, and values with a word broken onto two lines. */
const MISFITS = `(() => {
  const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.sheet, .skip, pre, .scroll');
  const name = (element) => element.tagName.toLowerCase() + '.' + element.className + ' ' + element.textContent.slice(0, 40);
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    if (element instanceof SVGElement || !seen(element)) continue;
    const own = element.getBoundingClientRect();
    if (own.width === 0 || getComputedStyle(element).position === 'absolute') continue;
    if (own.right > innerWidth + 1) found.push('leaves the page: ' + name(element));
    const parent = element.parentElement.getBoundingClientRect();
    if (own.width > parent.width + 1 && getComputedStyle(element.parentElement).display !== 'contents') found.push('wider than its parent: ' + name(element));
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible' && !/^(?:input|textarea|select)$/i.test(element.tagName)) found.push('cut: ' + name(element));
  }
  const range = document.createRange();
  for (const element of document.querySelectorAll('.badge, .figure, td.num, button, a.button, .mark')) {
    if (!seen(element) || !element.firstChild || element.firstChild.nodeType !== 3) continue;
    for (const word of element.firstChild.data.matchAll(/[\\p{L}\\d.,]+/gu)) {
      range.setStart(element.firstChild, word.index);
      range.setEnd(element.firstChild, word.index + word[0].length);
      if (new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1) found.push('broken: ' + word[0]);
    }
  }
  return found.slice(0, 5);
})()`;

/** Elements that are wider than their parent or cut, and words that are broken, measured in the browser. */
export const misfits = async (page: Page): Promise<string[]> => (await page.evaluate(MISFITS)) as string[];

/** In a page: the names of the findings of axe. To hand over every element that it checked takes as long as the check. */
const AUDIT = `axe.run({ resultTypes: ['violations'] }).then(({ violations, passes }) => ({
  violations: violations.map(({ id }) => id),
  isChecked: passes.length > 20,
}))`;

/** The findings of axe on a page; the policy blocks scripts of others, but not the browser's own tools. */
export async function audited(page: Page) {
  await page.evaluate(AXE);
  return (await page.evaluate(AUDIT)) as { violations: string[]; isChecked: boolean };
}
