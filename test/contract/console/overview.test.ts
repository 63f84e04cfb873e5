import { afterAll, beforeAll, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { type Browser, operatorOf } from '../../support/console.ts';
import { engineOf } from '../../support/engines.ts';
import { type RunningService, start, until } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

let service: RunningService;
let owner: Browser;
let viewer: Browser;
let key: string;
beforeAll(async () => {
  // Its own process: the page counts the whole installation.
  service = await start('binary');
  owner = await operatorOf(service, 'olivia');
  viewer = await operatorOf(service, 'vera', 'viewer');
  ({ key } = await service.issue(
    '--plan',
    'starter',
    '--domain',
    'a.example.com',
    '--domain',
    'b.example.com',
  ));
});
afterAll(() => service.end());

const verify = (api_key: string, domain: string) =>
  fetch(`${service.url}/api/v1/license/verify`, {
    method: 'POST',
    body: JSON.stringify({ api_key, domain }),
  });
const counted = () =>
  rows(service, 'select outcome, sum(count) as count from license_checks group by outcome order by 1');

test('license checks are counted by reason in the database, and the page shows these counts', async () => {
  for (let each = 0; each < 7; each++) await verify(key, 'a.example.com');
  await verify(key, 'c.example.com');
  for (let each = 0; each < 2; each++) await verify(key, 'd.example.com');
  await until(() => (counted() as { count: number }[]).reduce((sum, { count }) => sum + count, 0) === 10);
  expect(counted()).toEqual([
    { outcome: 'site_limit_reached', count: 2 },
    { outcome: 'valid', count: 8 },
  ]);
  const tile = '<h2 class="quiet">Checks refused, 24 h</h2><div class="tile"><p class="figure">2</p>';
  // The page reads the counts every five seconds.
  await until(async () => (await owner.get('/console')).text.includes(tile));
  const { text } = await owner.get('/console');
  expect(text).toContain(tile);
  expect(text).toContain('<p class="quiet">20 % of 10</p>');
  expect(text).toContain('<title>Site limit reached: 2</title>');
  expect(text).toMatch(/valid 8.*refused 2/);
});

test('the page shows another period by a link, and the last 24 hours for an unknown period', async () => {
  for (const [span, columns] of [
    ['24h', 24],
    ['7d', 28],
    ['30d', 30],
    ['"><b>', 24],
  ] as const) {
    const { status, text } = await viewer.get(`/console?checks=${encodeURIComponent(span)}&events=24h`);
    expect([span, status, text.match(/ valid, \d+ refused<\/title>/g)?.length]).toEqual([span, 200, columns]);
    expect(text).not.toContain('"><b>');
  }
});

test('the database counts each event once by severity and type, and the page shows these counts', async () => {
  const send = (...events: object[]) =>
    fetch(`${service.url}/api/v1/telemetry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ domain: 'a.example.com', events }),
    });
  const blocked = { type: 'sql_injection_blocked', severity: 'high', event_id: 'one' };
  await send(blocked, { type: '<b>odd</b>', severity: 'low' }, { type: 'odd', severity: 'low' });
  await send(blocked, { type: 'xss_blocked', severity: 'medium' });
  await send(blocked);
  const stored = () =>
    rows(service, 'select severity, sum(count) as count from event_counts group by severity order by 1');
  await until(() => stored().length === 2);
  expect(stored()).toEqual([
    { severity: 'high', count: 1 },
    { severity: 'medium', count: 1 },
  ]);
  await until(async () =>
    (await viewer.get('/console')).text.includes('<title>SQL injection blocked: 1</title>'),
  );
  expect((await viewer.get('/console')).text).toMatch(/high 1<.*medium 1</);
});

test('a domain refused because all sites are in use links to its license', async () => {
  await until(async () =>
    (await viewer.get('/console')).text.includes('<strong>d.example.com</strong> is refused'),
  );
  expect((await viewer.get('/console')).text).toMatch(
    /d\.example\.com<\/strong> is refused: all sites of its license are in use<.*2 checks, last.*href="\/console\/licenses\/lic_1"/,
  );
});

// The demonstration has a database of its own.
test.if(engineOf(import.meta).name === 'SQLite')(
  'tiles show the trend of licenses and sites against last week, and the footer the state of the installation',
  async () => {
    const day = Math.floor(Date.now() / 86_400_000);
    const service = await start('binary', {}, { demo: true });
    const { text } = await (await operatorOf(service, 'olivia')).get('/console');
    const [noted] = rows(service, `select * from fleet_days where day = ${day - 7}`) as Record<
      string,
      number
    >[];
    const tile = (title: string) => text.slice(text.indexOf(`>${title}<`)).split('</section>')[0];
    for (const [title, name] of [
      ['Active licenses', 'active_licenses'],
      ['Sites reporting', 'reporting_sites'],
    ] as const) {
      const [, present] = /class="figure">(\d+)/.exec(tile(title) ?? '') ?? [];
      const difference = Number(present) - (noted?.[name] ?? 0);
      expect(tile(title)).toContain(`${difference < 0 ? '−' : '+'}${Math.abs(difference)} on last week`);
      expect(tile(title)).toContain('class="spark');
    }
    const assets = ['style', 'client'].map(
      (name) => new RegExp(`/console/${name}-[^"]+`).exec(text)?.[0] ?? '',
    );
    const files = await Promise.all(
      assets.map(async (path) => (await fetch(service.adminUrl + path)).text()),
    );
    expect(files.every((file) => file.length > 1_000)).toBe(true);
    expect([text, ...files].reduce((sum, each) => sum + gzipSync(each).length, 0)).toBeLessThan(60_000);
    expect(text).toMatch(
      />Redoubt \d.*No backup yet.*Threat feed: 40 entries.*critical alerts open.*Database [\d.]+ MiB/,
    );
    await service.end();
  },
);

test('a role that cannot issue a license gets no button for it', async () => {
  expect((await owner.get('/console')).text).toContain('>Issue license</a>');
  expect((await viewer.get('/console')).text).not.toContain('>Issue license</a>');
});
