import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { consoleAddress, consoleRoutes } from '../../support/admin.ts';
import { API } from '../../support/client.ts';
import { type Browser, operatorOf } from '../../support/console.ts';
import { expectOwnMarkup, hostile } from '../../support/hostile.ts';
import { foreignIn, tagsOf } from '../../support/markup.ts';
import { type RunningService, start } from '../../support/service.ts';
import { keepBackup } from '../../support/store.ts';

const LICENSE = '/console/licenses/lic_1';
const RUNS = 25;

let service: RunningService;
let owner: Browser;
let key: string;
beforeAll(async () => {
  // Its own process: the pages show the whole installation.
  service = await start('binary', {
    SERVICE_THREAT_FEED_ENABLED: '1',
    SERVICE_RATE_KEY_PER_MINUTE: '100000',
  });
  await service.command('notify', 'add', 'x', 'https://hooks.example.com/');
  owner = await operatorOf(service, 'olivia');
  key = (await service.issue('--plan', 'enterprise', '--domain', 'shop.example.com')).key;
});
afterAll(() => service.end());

/** Every page for reading, of the only license and site. */
const PAGES = consoleRoutes
  .filter(({ method, path }) => method === 'GET' && /^\/console(?:\/|$)/.test(path))
  .map(({ path }) => consoleAddress(path))
  .filter((path) => !/\.\w+$|welcome|\/live$/.test(path));

const send = (path: string, body: object) =>
  fetch(service.url + API + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });

test('the check itself finds live markup', async () => {
  const found = async (html: string) => (await tagsOf(html)).map(foreignIn);
  expect(await found('<p>x</p><a href="/console/licenses">x</a>')).toEqual([undefined, undefined]);
  for (const live of [
    '<zzlive>',
    '<p zzlive="1">',
    '<p onclick="x">',
    '<p style="x">',
    '<a href="javascript:zz">',
    '<a href="//evil.example">',
    '<img src="x">',
    '<form action="https://evil.example/console">',
  ])
    expect([live, (await found(live)).some((why) => why !== undefined)]).toEqual([live, true]);
});

test('no received text is markup on any page', async () => {
  expect(PAGES.length).toBeGreaterThan(10);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      // Pages are limited for each session.
      run += 1;
      if (run % 10 === 0) await owner.signIn('olivia');
      const notes = { note: text, customer: text, external_id: text };
      const was = { was_note: '-', was_customer: '-', was_external_id: '-' };
      expect((await owner.post(`${LICENSE}/change`, { ...notes, ...was, reason: text })).status).toBe(303);
      const events = [{ type: text, severity: 'critical', message: text, metadata: { [text]: text } }];
      const site = { domain: 'shop.example.com', plugin_version: text, events };
      expect((await send('/telemetry', site)).status).toBeOneOf([200, 400]);
      expect(
        (await send('/telemetry', { ...site, plugin_version: '1.0', events: [{ ...events[0], type: 'zz' }] }))
          .status,
      ).toBe(200);
      await owner.post('/console/operators/add', { name: 'ben', role: 'viewer', reason: text });
      await keepBackup(service, { path: text });
      for (const path of PAGES) {
        const { status, text: html } = await owner.get(path);
        expect([path, status < 400]).toEqual([path, true]);
        await expectOwnMarkup(path, html);
      }
    }),
    { numRuns: RUNS },
  );
});

test('nor is a text in a refused address or form', async () => {
  const FILTERS =
    'domain subject actor since find cursor ruled after status plan license type severity version text seen';
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const query = new URLSearchParams(Object.fromEntries(FILTERS.split(' ').map((name) => [name, text])));
      for (const path of PAGES) {
        const { status, text: html } = await owner.get(`${path}?${query}`);
        expect([path, status < 500]).toEqual([path, true]);
        await expectOwnMarkup(path, html);
      }
      const names =
        'name role reason plan domains sites expires_at customer email external_id note text hold fingerprint days code id';
      const form = Object.fromEntries(names.split(' ').map((name) => [name, text]));
      for (const path of [
        '/console/licenses/new',
        '/console/search',
        `${LICENSE}/change`,
        `${LICENSE}/suspend`,
        '/console/operators/add',
        '/console/tokens/create',
        '/console/backups/verify',
        '/console/feed/withdraw',
        '/console/account/prove',
      ]) {
        const { status, text: html } = await owner.post(path, form);
        expect([path, status < 500]).toEqual([path, true]);
        await expectOwnMarkup(path, html);
      }
    }),
    { numRuns: RUNS },
  );
});
