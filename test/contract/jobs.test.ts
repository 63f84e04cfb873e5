import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { closePages, isChromiumThere, launched } from '../support/chromium.ts';
import { API, call } from '../support/client.ts';
import { operatorOf } from '../support/console.ts';
import { type RunningService, start, UNLIMITED } from '../support/service.ts';
import { rotating } from '../support/suite.ts';

const CLICKS_MAX = 4;
const inChromium = isChromiumThere ? describe : describe.skip;

let service: RunningService;
let browser: Browser;
beforeAll(async () => {
  if (!isChromiumThere) return;
  // Its own process: the jobs are done with the data of the demonstration.
  service = await start(
    'binary',
    { ...UNLIMITED, SERVICE_BASE_URL: 'http://security.example' },
    { demo: true },
  );
  browser = await launched();
});
afterAll(async () => {
  await closePages();
  await service?.end();
});

/** A person at a page, with counted clicks; typing and choosing do not count. */
class Person {
  clicks = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(name: string | RegExp, role: 'link' | 'button' = 'button'): Promise<void> {
    this.clicks += 1;
    await this.page.locator('main, nav').getByRole(role, { name }).first().click();
  }

  /** Submits the form of an act. */
  async submit(): Promise<void> {
    this.clicks += 1;
    await this.page.locator('#act button[type=submit]').click();
  }

  /** The search of every page; Enter is a click. */
  async search(text: string): Promise<void> {
    this.clicks += 1;
    await this.page.getByRole('searchbox').fill(text);
    await this.page.keyboard.press('Enter');
    await this.page.waitForLoadState();
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.locator('main').getByText(text).first().waitFor();
  }
}

type Job = (person: Person) => Promise<void>;

const done = async (context: BrowserContext, home: string, job: Job) => {
  const page = await context.newPage();
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto(home);
  const person = new Person(page);
  await job(person);
  expect(person.clicks).toBeLessThanOrEqual(CLICKS_MAX);
  await page.close();
};

/** The download of a click. */
async function downloaded(person: Person, name: string): Promise<string> {
  const [download] = await Promise.all([person.page.waitForEvent('download'), person.click(name)]);
  return readFileSync(await download.path(), 'utf8');
}

const OF_OPERATORS: Readonly<Record<string, Job>> = {
  async 'finds out why a domain of a customer is refused, and fixes it'(person) {
    await person.search('Ferraro');
    await person.click('lic_6', 'link');
    await person.sees('ferraro-shoes.example.com is refused: all 3 sites are in use.');
    await person.click('Add a site');
    await person.sees('License checks are valid');
  },
  async 'changes a plan'(person) {
    await person.search('Ferraro');
    await person.click('lic_6', 'link');
    await person.click('Change plan', 'link');
    await person.page.locator('#act select[name=plan]').selectOption('pro');
    await person.submit();
    await person.sees('Plan changed from Starter to Pro');
  },
  async 'extends a license by a year'(person) {
    await person.search('lic_5');
    await person.click('Extend', 'link');
    await person.page.locator('#act select[name=days]').selectOption({ label: 'a year' });
    await person.submit();
    await person.sees(/\d+ \w+ 2027/);
  },
  async 'suspends a license for a chargeback'(person) {
    await person.search('lic_4');
    person.clicks += 1;
    await person.page.locator('main .more > summary').click();
    await person.click('Suspend', 'link');
    await person.page.locator('#act select[name=hold]').selectOption('dispute');
    await person.page.locator('#act input[name=reason]').fill('chargeback');
    await person.submit();
    await person.sees('All checks are refused');
  },
  async 'resumes a license when its dispute is won'(person) {
    await service.command('license', 'suspend', 'lic_1', '--hold', 'dispute', '--reason', 'chargeback');
    await person.search('lic_1');
    await person.click(/Resume|Lift/);
    await person.sees('License checks are valid');
  },
  async 'rotates a key, of which the old one works for another day'(person) {
    await person.search('lic_6');
    await person.click('Rotate key', 'link');
    await person.page.locator('#act input[name=grace_hours]').fill('24');
    await person.submit();
    await person.sees(/rdt_live_/);
  },
  async 'issues 20 licenses, with their keys as CSV'(person) {
    await person.click('Licenses', 'link');
    await person.click('Issue a license', 'link');
    await person.page.locator('input[name=count]').fill('20');
    expect((await downloaded(person, 'Issue a license')).trim().split('\r\n')).toHaveLength(21);
  },
  async 'lists customers who must update a plugin within three days, with a mail for them'(person) {
    await person.click('Vulnerabilities', 'link');
    await person.sees(/sites of \d+ customers need fixes within 3 days/);
    await person.click('plugin example-gallery', 'link');
    await person.sees('Subject: Security update for plugin example-gallery');
    expect(await downloaded(person, 'Download as CSV')).toContain('@');
  },
  async 'withdraws a false positive from the feed'(person) {
    await person.click('Threat feed', 'link');
    await person.page.locator('#decide input[name=reason]').fill('our own scanner');
    await person.click(/^Withdraw:/);
    await person.sees('is withdrawn from the feed');
  },
  async 'acknowledges twelve alerts with one note'(person) {
    await person.click('Alerts', 'link');
    person.clicks += 1;
    await person.page.getByLabel('Select all on this page').check();
    await person.page.locator('#selected input[name=note]').fill('ticket 1042');
    await person.click('Acknowledge selected');
    await person.sees('12 alerts acknowledged');
  },
  async 'creates and verifies a backup'(person) {
    await person.click('Backups', 'link');
    await person.click('Create backup');
    await person.sees('The backup was created');
    await person.click(/^Verify /);
    await person.sees('verified: no problems found');
  },
  async 'invites a colleague with the role support'(person) {
    await person.click('Operators', 'link');
    await person.page.locator('form[action$="/add"] input[name=name]').fill('sam');
    await person.page.locator('form[action$="/add"] select[name=role]').selectOption('support');
    await person.click('Create link');
    await person.sees(/\/console\/welcome\//);
  },
};

inChromium('with four clicks or fewer, an operator', () => {
  let context: BrowserContext;
  beforeAll(async () => {
    const { cookie = '' } = await operatorOf(service, 'alice');
    const [name = '', value = ''] = cookie.split('=');
    context = await browser.newContext({ viewport: { width: 1320, height: 900 } });
    await context.addCookies([{ name, value, url: service.adminUrl }]);
  });

  test.each(rotating(Object.entries(OF_OPERATORS), 4))('%s', async (_, job) => {
    await done(context, `${service.adminUrl}/console`, job);
  });
});

const SHELL = `<?php ${'ev'}al(base64_decode($_POST['x'])); ?>`;

const OF_TENANTS: Readonly<Record<string, Job>> = {
  async 'sees why a site scores 69, and what raises it'(person) {
    await person.click('old-mill.example.com', 'link');
    await person.sees('69 of 100');
    await person.sees('Update the vulnerable components, most urgent first.');
  },
  async 'sees what to do first across all sites'(person) {
    await person.sees('Do this first');
    await person.sees(/Update example-gallery to 1\.2\.4 on/);
  },
  async 'proves a domain, as far as its name server plays along'(person) {
    await person.sees('Prove that you own unproven.com');
    await person.click('Start', 'link');
    await person.sees('_redoubt-challenge.unproven.com');
    await person.page.locator('select[name=method]').selectOption('dns');
    await person.click('Check now');
    await person.sees(/The check found no proof/);
  },
  async 'puts the badge on a site'(person) {
    await person.click('stone-bakery.example.com', 'link');
    if ((await person.page.getByRole('button', { name: 'Assess weekly' }).count()) > 0)
      await person.click('Assess weekly');
    await person.click('Switch on');
    await person.sees('paste this into the site');
  },
  async 'checks a suspicious file'(person) {
    await person.click('File check', 'link');
    await person.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'cache.php', mimeType: 'text/plain', buffer: Buffer.from(SHELL) });
    await person.click('Check');
    await person.sees('cache.php');
    await person.sees(/malicious/i);
  },
};
const keyOf = async (license: string): Promise<string> =>
  JSON.parse(await service.command('license', 'rotate', license, '--json')).key;

/** The key of a license with a site on an unproven domain. */
async function unproven(): Promise<string> {
  const { key } = await service.issue('--plan', 'pro', '--domain', 'unproven.com');
  const body = { site_url: 'unproven.com', license_key: key };
  expect((await call(service.url, `${API}/telemetry`, { key, body })).status).toBe(200);
  return key;
}

inChromium('with four clicks or fewer, a tenant', () => {
  test.each(rotating(Object.entries(OF_TENANTS), 4))('%s', async (title, job) => {
    const key = title.includes('prove') ? await unproven() : await keyOf('lic_1');
    const context = await browser.newContext({ viewport: { width: 1320, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/portal`);
    await page.fill('input[name=key]', key);
    await page.locator('main button').click();
    await page.waitForLoadState();
    await done(context, `${service.url}/portal`, job);
    await context.close();
  });
});
