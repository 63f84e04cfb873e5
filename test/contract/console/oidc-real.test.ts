import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { audited, closePages, isChromiumThere, launched, overflow } from '../../support/chromium.ts';
import { PersonAtProvider, type RealProvider, startRealProvider } from '../../support/oidc/real-provider.ts';
import { comeBack, consoleSettings, newBrowser, toProvider } from '../../support/oidc/sign-in.ts';
import { type RunningService, SEAM_TARGETS, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

// With oidc-provider, a certified implementation, in its own process.

const answerIn = (back: string) => new URL(back).searchParams;

describe.each(SEAM_TARGETS)('on %s', (target) => {
  let service: RunningService;
  let provider: RealProvider;
  beforeAll(async () => {
    const { origin, settings } = await consoleSettings();
    provider = await startRealProvider(origin);
    // Its own process: it signs in at a provider of its own.
    service = await start(target, { ...settings, ...provider.settings });
  });
  afterAll(async () => {
    await service?.end();
    await provider?.end();
  });

  const operators = () => rows(service, 'select name, role from operators order by id');

  test('a person signs in, has the role of the groups, and is asked for credentials again only for an act', async () => {
    const [browser, person] = [newBrowser(service), new PersonAtProvider()];
    const login = 'alice:redoubt-owners,staff';
    const first = await person.signIn(await toProvider(browser), login);
    expect(first.forms).toBeGreaterThan(0);
    expect((await comeBack(browser, answerIn(first.back))).headers.get('location')).toBe('/console');
    expect(operators()).toEqual([{ name: 'alice', role: 'owner' }]);

    const token = { name: 'shop', 'status:read': '1', days: '30' };
    const asked = await browser.post('/console/tokens/create', token);
    expect(asked.text).toContain('/console/oidc/confirm');
    const again = await person.signIn(await toProvider(browser, '/console/oidc/confirm'), login);
    expect(again.forms).toBeGreaterThan(0);
    expect((await comeBack(browser, answerIn(again.back))).headers.get('location')).toBe(
      '/console/oidc/continue',
    );
    expect((await browser.post('/console/tokens/create', token)).status).toBe(303);

    const elsewhere = newBrowser(service);
    const second = await person.signIn(await toProvider(elsewhere), login);
    expect(second.forms).toBe(0);
    expect((await comeBack(elsewhere, answerIn(second.back))).status).toBe(303);
  });

  test('a person without a group has no access', async () => {
    const browser = newBrowser(service);
    const { back } = await new PersonAtProvider().signIn(await toProvider(browser), 'nora:staff');
    expect((await comeBack(browser, answerIn(back))).status).toBe(403);
    expect(operators()).not.toContainEqual(expect.objectContaining({ name: 'nora' }));
  });

  test('a code is good once, and only for the browser that began', async () => {
    const [browser, thief] = [newBrowser(service), newBrowser(service)];
    const { back } = await new PersonAtProvider().signIn(await toProvider(browser), 'bea:helpdesk');
    await toProvider(thief);
    const stolen = answerIn(back);
    expect((await comeBack(thief, stolen)).status).toBe(401);
    expect((await comeBack(browser, answerIn(back))).status).toBe(303);
    // The thief's own state, with the code of the other: the provider knows another verifier.
    const url = new URL(await toProvider(thief));
    stolen.set('state', url.searchParams.get('state') ?? '');
    expect((await comeBack(thief, stolen)).status).toBe(401);
    expect(thief.cookie).toBeUndefined();
  });

  test('sign-out leads to the provider, which ends its session as well', async () => {
    const browser = newBrowser(service);
    const { back } = await new PersonAtProvider().signIn(await toProvider(browser), 'carl:redoubt-ops');
    await comeBack(browser, answerIn(back));
    const { status, text } = await browser.post('/console/sign-out');
    expect(status).toBe(200);
    const [, address = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text) ?? [];
    const url = new URL(address.replaceAll('&amp;', '&'));
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/session/end`);
    expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    expect((await fetch(url)).status).toBe(200);
    expect((await browser.get('/console')).headers.get('location')).toBe('/console/sign-in');
  });

  test('a provider that tells groups only as user information does as well', async () => {
    const { origin, settings } = await consoleSettings();
    const other = await startRealProvider(origin, false);
    const console_ = await start(target, { ...settings, ...other.settings });
    const browser = newBrowser(console_);
    const { back } = await new PersonAtProvider().signIn(await toProvider(browser), 'dora:helpdesk');
    expect((await comeBack(browser, answerIn(back))).status).toBe(303);
    expect(rows(console_, 'select name, role from operators')).toEqual([{ name: 'dora', role: 'support' }]);
    await other.end();
    const started = await toProvider(newBrowser(console_));
    expect(started).toStartWith(other.issuer);
    const late = newBrowser(console_);
    const state = new URL(await toProvider(late)).searchParams.get('state') ?? '';
    const page = await comeBack(late, new URLSearchParams({ code: 'x', state, iss: other.issuer }));
    expect([page.status, page.text]).toEqual([502, expect.stringContaining('does not respond')]);
    await console_.end();
  });
});

const inChromium = isChromiumThere ? describe : describe.skip;

inChromium('in a browser', () => {
  let service: RunningService;
  let provider: RealProvider;
  let browser: Browser;
  beforeAll(async () => {
    const { origin, settings } = await consoleSettings();
    provider = await startRealProvider(origin);
    // Its own process: it signs in at a provider of its own.
    service = await start('binary', { ...settings, ...provider.settings });
    browser = await launched();
  });
  afterAll(async () => {
    await closePages();
    await service?.end();
    await provider?.end();
  });
  const at = (path: string) => service.adminUrl + path;
  const give = async (page: Page, login: string) => {
    await page.fill('input[name=login]', login);
    await page.fill('input[name=password]', 'x');
    await page.click('button[type=submit]');
    const consent = page.locator('input[name=prompt][value=consent]');
    if ((await consent.count()) > 0) await page.click('button[type=submit]');
  };

  /** Expects that a page is accessible and as wide as the window. */
  const expectSound = async (page: Page) => {
    expect([page.url(), (await audited(page)).violations, await overflow(page)]).toEqual([page.url(), [], 0]);
  };

  test('a person signs in, confirms an act with what was typed, and signs out of both', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(at('/console'));
    await expectSound(page);
    await page.click('text=Sign in with Example ID');
    await give(page, 'alice:redoubt-owners');
    await page.waitForURL(at('/console'));

    rows(service, 'update operator_sessions set confirmed_at = 0');
    await page.goto(at('/console/operators'));
    await page.fill('input[name=name][required]', 'ben');
    await page.click('button:text-is("Create link")');
    await expectSound(page);
    await page.click('text=Confirm with Example ID');
    await give(page, 'alice:redoubt-owners');
    await page.waitForURL(at('/console/oidc/continue'));
    await expectSound(page);
    await page.click('main button[type=submit]');
    await page.waitForSelector('text=Give this link to ben');
    expect(rows(service, 'select name from operators order by id')).toEqual([
      { name: 'alice' },
      { name: 'ben' },
    ]);

    await page.goto(at('/console/account'));
    await expectSound(page);
    await page.goto(at('/console/oidc/callback'));
    await page.waitForSelector('[role=alert]');
    await expectSound(page);
    await page.goto(at('/console'));
    await page.click('button:text-is("Sign out")');
    await page.waitForURL(/\/session\/end/);
    await page.click('button[value=yes]');
    await page.waitForURL((url) => url.href.startsWith(at('/console/sign-in')));
    await page.click('text=Sign in with Example ID');
    await page.waitForSelector('input[name=login]');
    await page.context().close();
  });
});
