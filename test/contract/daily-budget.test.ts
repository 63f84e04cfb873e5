import { beforeAll, describe, expect, test } from 'bun:test';
import { METADATA_BYTES_MAX } from '../../src/domain/event/events.ts';
import { DAILY_BUDGETS } from '../../src/domain/license/daily-budget.ts';
import { API, call } from '../support/client.ts';
import { type RunningService, sharedService, start } from '../support/service.ts';
import { SIGNALS, type WriteOnlyRoute } from '../support/signals.ts';
import { rows, stored } from '../support/store.ts';

let service: RunningService;
beforeAll(async () => {
  service = await sharedService();
});

const DOMAIN = 'shop.com';
const issue = (...options: string[]) => service.issue('--domain', DOMAIN, ...options);
const send = (key: string, events: readonly object[]) =>
  call(service.url, `${API}/telemetry`, { key, body: { domain: DOMAIN, events } });
const heartbeat = (key: string, more: object = {}) =>
  call(service.url, `${API}/telemetry`, { key, body: { site_url: DOMAIN, license_key: key, ...more } });
const budgetOf = async (key: string) =>
  (await call(service.url, `${API}/me`, { key })).json.data.daily_budget;
const types = (count: number) => Array.from({ length: count }, () => ({ type: 'x' }));

describe('the daily budget of telemetry', () => {
  test('that is used up refuses events with 429 until midnight UTC, stores none of them and accepts heartbeats', async () => {
    const { key, license_id } = await issue('--plan', 'pro', '--daily-events', '5');
    expect((await send(key, types(3))).status).toBe(200);
    const before = stored(service);

    const { status, headers, json } = await send(key, types(3));
    expect([status, json.error.code]).toEqual([429, 'DAILY_CAP_EXCEEDED']);
    const midnight = new Date().setUTCHours(24, 0, 0, 0);
    expect(Number(headers.get('retry-after'))).toBeWithin(
      (midnight - Date.now()) / 1_000 - 5,
      (midnight - Date.now()) / 1_000 + 5,
    );
    expect(stored(service)).toEqual(before);

    expect((await send(key, types(2))).status).toBe(200);
    const refused = await heartbeat(key, { events: types(1), plugin_version: '9.9.9' });
    expect([refused.status, refused.json.error.code]).toEqual([429, 'DAILY_CAP_EXCEEDED']);
    const versions = 'select plugin_version from sites where license_id = ?';
    expect(rows(service, versions, Number(license_id.slice('lic_'.length)))).toEqual([
      { plugin_version: null },
    ]);
    expect((await heartbeat(key, { plugin_version: '2.0.0' })).status).toBe(200);
    expect(await budgetOf(key)).toMatchObject({ events: 5, events_used: 5 });
  });

  test('counts stored bytes, and each event once however often it is sent', async () => {
    const { key } = await issue('--plan', 'pro', '--daily-bytes', '3000');
    const event = { type: 'scan', event_id: 'e1', message: 'ä', metadata: { n: 1e20 } };
    const bytes = 512 + 'scan'.length + 'e1'.length + 2 + '{"n":100000000000000000000}'.length;
    await send(key, [event]);
    const again = await send(key, [event, event]);
    expect(again.json.data).toMatchObject({ events_accepted: 0, events_duplicate: 2 });
    const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0)).toISOString();
    expect(await budgetOf(key)).toEqual({
      events: DAILY_BUDGETS.pro.events,
      bytes: 3000,
      events_used: 1,
      bytes_used: bytes,
      resets_at: midnight,
    });
    expect((await send(key, types(5))).status).toBe(429);
    expect((await budgetOf(key)).bytes_used).toBe(bytes);
  });

  test.each([
    ['free', []],
    ['starter', []],
    ['pro', []],
    ['enterprise', []],
    ['free', ['--test', '--plan', 'enterprise']],
  ] as const)('is that of %s with %p', async (plan, options) => {
    const { key } = await issue('--plan', plan, ...options);
    expect(await budgetOf(key)).toMatchObject(DAILY_BUDGETS[plan]);
  });

  test('of a suspended license is that of free, also with a grant', async () => {
    const { key, license_id } = await issue('--plan', 'pro', '--daily-events', '0');
    expect(await budgetOf(key)).toMatchObject({ events: null, bytes: DAILY_BUDGETS.pro.bytes });
    await service.command('license', 'suspend', license_id, '--hold', 'operator');
    expect(await budgetOf(key)).toMatchObject(DAILY_BUDGETS.free);
  });

  test('is changed by the operator from the next request on, audited, and shown with its use', async () => {
    const { key, license_id } = await issue('--plan', 'free', '--daily-events', '1');
    await send(key, types(1));
    expect((await send(key, types(1))).status).toBe(429);
    await service.command('license', 'change', license_id, '--daily-events', '2', '--reason', 'a busy day');
    expect((await send(key, types(1))).status).toBe(200);
    const shown = JSON.parse(await service.command('license', 'show', license_id, '--json'));
    expect(shown.daily_budget).toMatchObject({ events: 2, events_used: 2, bytes_used: 2 * 513 });
    expect(await service.command('license', 'show', license_id)).toMatch(/daily_events +2 of 2\n/);
    const [entry] = JSON.parse(await service.command('audit', '--subject', license_id, '--json'));
    expect(entry).toMatchObject({
      action: 'license.change',
      before: { dailyEventsOverride: 1 },
      after: { dailyEventsOverride: 2 },
      reason: 'a busy day',
    });
    await service.command('license', 'change', license_id, '--daily-events', 'default');
    expect(await budgetOf(key)).toMatchObject(DAILY_BUDGETS.free);
  });

  test('and the total use of all licenses are in /metrics', async () => {
    const { text } = await call(service.url, '/metrics');
    expect(text).toContain('redoubt_daily_budget_events{plan="free"} 5000\n');
    expect(text).toContain('redoubt_daily_budget_bytes{plan="enterprise"} 4294967296\n');
    const today = new Date().toISOString().slice(0, 10);
    const [sum] = rows(
      service,
      'select sum(events) as events, sum(bytes) as bytes from daily_volumes where day = ?',
      today,
    );
    expect(text).toContain(`redoubt_stored_events_today ${sum?.events}\n`);
    expect(text).toContain(`redoubt_stored_bytes_today ${sum?.bytes}\n`);
  });

  test('is also used by signals that are stored next to earlier ones', async () => {
    const { key } = await issue('--plan', 'free', '--daily-bytes', '3000');
    const { path, body } = SIGNALS.find((each) => each.path.startsWith('/pc-guard')) as WriteOnlyRoute;
    const signal = () => call(service.url, API + path, { key, body });
    let answer = await signal();
    let before = stored(service);
    while (answer.status === 200) {
      before = stored(service);
      answer = await signal();
    }
    expect([answer.status, answer.json.error.code]).toEqual([429, 'DAILY_CAP_EXCEEDED']);
    expect(stored(service)).toEqual(before);
    const { bytes_used, events_used } = await budgetOf(key);
    expect(bytes_used).toBeWithin(2_000, 3_001);
    expect(events_used).toBe(0);
  });

  test('limits the storage of one free license, with events of any size', async () => {
    const { key } = await issue('--plan', 'free');
    const metadata = { v: 'x'.repeat(METADATA_BYTES_MAX - 8) };
    const large = Array.from({ length: 50 }, () => ({ type: 'x', metadata }));
    let accepted = 0;
    let answer = await send(key, large);
    while (answer.status === 200) {
      accepted += answer.json.data.events_accepted;
      answer = await send(key, large);
    }
    expect([answer.status, answer.json.error.code]).toEqual([429, 'DAILY_CAP_EXCEEDED']);
    expect(accepted).toBeWithin(1_700, 1_850);
  });
});

test('one budget for all plans is a setting, and 0 means no limit', async () => {
  // Its own process: the daily budget is a setting.
  const own = await start('binary', { SERVICE_DAILY_EVENTS: '1', SERVICE_DAILY_BYTES: '0' });
  const { key } = await own.issue('--plan', 'enterprise', '--domain', DOMAIN);
  const { json } = await call(own.url, `${API}/me`, { key });
  expect(json.data.daily_budget).toMatchObject({ events: 1, bytes: null });
  const { text } = await call(own.url, '/metrics');
  expect(text).toContain('redoubt_daily_budget_bytes{plan="pro"} +Inf\n');
  await own.end();
});
