import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Browser, operatorOf } from '../../support/console.ts';
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
  const tile = '<h2 class="quiet">License checks, 24 h</h2><div class="tile"><div><p class="figure">10</p>';
  // The page reads the counts every five seconds.
  await until(async () => (await owner.get('/console')).text.includes(tile));
  const { text } = await owner.get('/console');
  expect(text).toContain(tile);
  expect(text).toContain('<title>Site limit reached: 2</title>');
  expect(text).toMatch(/valid 8.*refused 2/);
});

test('the page shows another span by a link, and the last 24 hours for an unknown span', async () => {
  for (const [span, columns] of [
    ['24h', 24],
    ['7d', 28],
    ['30d', 30],
    ['"><b>', 24],
  ] as const) {
    const { status, text } = await viewer.get(`/console?checks=${encodeURIComponent(span)}`);
    expect([span, status, text.match(/ valid, \d+ refused<\/title>/g)?.length]).toEqual([span, 200, columns]);
    expect(text).not.toContain('"><b>');
  }
});

test('who may not issue a license is not offered to', async () => {
  expect((await owner.get('/console')).text).toContain('>Issue license</a>');
  expect((await viewer.get('/console')).text).not.toContain('>Issue license</a>');
});
