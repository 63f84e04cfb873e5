import { afterAll, beforeAll, expect, test } from 'bun:test';
import { API, call } from '../support/client.ts';
import { type RunningService, start } from '../support/service.ts';
import { rows, stored } from '../support/store.ts';

const DAY_MS = 86_400_000;

let service: RunningService;
beforeAll(async () => {
  // Its own process: the staging domain is a setting.
  service = await start('binary', {
    SERVICE_RATE_KEY_PER_MINUTE: '100000',
    SERVICE_STAGING_DOMAINS: 'staging.example.com',
  });
});
afterAll(() => service.end());

const beat = (key: string, site: string) =>
  call(service.url, `${API}/telemetry`, { key, body: { site_url: site, license_key: key } });
const send = (key: string, domain: string) =>
  call(service.url, `${API}/telemetry`, { key, body: { domain, events: [{ type: 'x' }] } });

const HOSTS = [
  'localhost',
  'shop.test',
  '192.168.0.7',
  'a.staging.example.com',
  'b.local',
  '[::1]',
  'c.internal',
  'd.home.arpa',
  'e.localdomain',
];

test('a live license reports from five development hosts for each site that it may register', async () => {
  const { key } = await service.issue('--plan', 'free', '--domain', 'shop.com');
  for (const host of ['shop.com', ...HOSTS.slice(0, 5)])
    expect([host, (await beat(key, host)).status]).toEqual([host, 200]);

  const before = stored(service);
  for (const attempt of [beat, send]) {
    const { status, json } = await attempt(key, HOSTS[5] as string);
    expect([status, json.error.code]).toEqual([403, 'SITE_LIMIT_REACHED']);
    expect(json.error.message).toContain('5 development hosts');
  }
  expect(stored(service)).toEqual(before);
  for (const host of ['shop.com', ...HOSTS.slice(0, 5)]) expect((await send(key, host)).status).toBe(200);

  const larger = await service.issue('--plan', 'free', '--sites', '2');
  const statuses = [];
  for (let host = 0; host < 11; host++) statuses.push((await send(larger.key, `host${host}.test`)).status);
  expect(statuses).toEqual([...Array(10).fill(200), 403]);
});

test('a host that was silent for 30 days frees its place, and may return', async () => {
  const { key, license_id } = await service.issue('--plan', 'free');
  for (const host of HOSTS.slice(0, 5)) await beat(key, host);
  const lastSeen = (daysAgo: number) =>
    rows(
      service,
      'update sites set last_seen_at = ? where license_id = ? and domain = ?',
      Date.now() - daysAgo * DAY_MS,
      Number(license_id.slice('lic_'.length)),
      'shop.test',
    );
  lastSeen(29.9);
  expect((await beat(key, 'new.test')).status).toBe(403);
  lastSeen(30.1);
  expect((await beat(key, 'new.test')).status).toBe(200);
  expect((await beat(key, 'newer.test')).status).toBe(403);
  expect((await beat(key, 'shop.test')).status).toBe(200);
});

test('a test license reports from the same number of sites with any name, also concurrently', async () => {
  const { key } = await service.issue('--plan', 'starter', '--test');
  const answers = await Promise.all(Array.from({ length: 40 }, (_, site) => send(key, `site${site}.com`)));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(answers.length - refused.length).toBe(15);
  for (const { status, json } of refused)
    expect([status, json.error.code]).toEqual([403, 'SITE_LIMIT_REACHED']);
  const [row] = rows(service, "select count(*) as count from sites where domain like 'site%.com'");
  expect(row?.count).toBe(15);
});
