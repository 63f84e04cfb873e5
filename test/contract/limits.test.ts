import { describe, expect, test } from 'bun:test';
import { generateLicenseKey } from '../../src/domain/license/license-key.ts';
import { MINUTE_MS, secondsToUtcMidnight } from '../../src/lib/clock.ts';
import { API, call, type Reply } from '../support/client.ts';
import { type Env, type RunningService, SURE, start, TARGETS, type Target } from '../support/service.ts';
import { DECOY_TRIP } from '../support/signals.ts';
import { rows, stored } from '../support/store.ts';

// Needs many starts of the service.

async function withService(
  settings: Env,
  use: (service: RunningService) => Promise<void>,
  target: Target = 'binary',
): Promise<void> {
  // Its own process: limits are tested.
  const service = await start(target, settings);
  try {
    await use(service);
  } finally {
    await service.end();
  }
}

/** Sends requests until the limit refuses; the number includes tokens that return meanwhile. */
async function untilLimited(perMinute: number, ask: () => Promise<Reply>): Promise<Reply[]> {
  const startedAt = performance.now();
  const replies: Reply[] = [];
  do replies.push(await ask());
  while (replies.at(-1)?.status !== 429);
  const givenBack = (perMinute * (performance.now() - startedAt)) / MINUTE_MS;
  expect(replies.length - 1).toBeWithin(perMinute, perMinute + givenBack + 1);
  return replies;
}
/** The refusal of an exhausted limit, without tokens that have returned since. */
async function refusal(ask: () => Promise<Reply>): Promise<Reply> {
  const reply = await ask();
  return reply.status === 429 ? reply : refusal(ask);
}
const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))];

function expectLimited(reply: Reply | undefined): void {
  expect([reply?.status, reply?.json.error.code ?? reply?.json.error]).toEqual([429, 'RATE_LIMITED']);
  expect(reply?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(reply?.headers.get('x-ratelimit-remaining')).toBe('0');
}

describe('by default, per minute', () => {
  test('/me has 30 for an address before it checks a key, and no other route uses them', () =>
    withService({}, async ({ url }) => {
      const replies = await untilLimited(30, () => call(url, `${API}/me`));
      expectLimited(replies.pop());
      expect(statuses(replies)).toEqual([401]);
      expect((await call(url, `${API}/auth/verify`, { method: 'POST' })).status).toBe(401);
    }));

  test('license/verify has 60 for an address; its refusal is flat and invalid', () =>
    withService({}, async ({ url }) => {
      const replies = await untilLimited(60, () =>
        call(url, `${API}/license/verify`, { body: { api_key: 'x', domain: 'x.test' } }),
      );
      const refused = replies.pop();
      expectLimited(refused);
      expect(refused?.json).toMatchObject({ valid: false, plan: 'free' });
      expect(statuses(replies)).toEqual([200]);
    }));

  test('the feed and threat reports have 60 for an address each, also while the feed is off', () =>
    withService({}, async ({ url }) => {
      const feeds = await untilLimited(60, () => call(url, `${API}/threat-feed`));
      expectLimited(feeds.pop());
      expect(statuses(feeds)).toEqual([200]);
      const reports = await untilLimited(60, () => call(url, `${API}/threat-report/report`, { body: {} }));
      expectLimited(reports.pop());
      expect(statuses(reports)).toEqual([401]);
    }));

  test('the contract, its pages and unknown paths share 300 for an address, without the status', () =>
    withService({}, async ({ url }) => {
      const asked = [
        ...[`${API}/openapi`, '/docs', '/docs/viewer.css', '/docs/handbook', '/favicon.ico', '/nope'].map(
          (path) => ({ path }),
        ),
        { path: `${API}/status`, method: 'DELETE' },
        { path: `${API}/openapi`, method: 'HEAD' },
      ];
      let next = 0;
      const ask = () => {
        const { path, ...how } = asked[next++ % asked.length] ?? { path: '/' };
        return call(url, path, how);
      };
      const replies = await untilLimited(300, ask);
      expect(replies.pop()?.headers.get('x-ratelimit-limit')).toBe('300');
      expect(statuses(replies)).toEqual([200, 204, 404, 405]);
      for (const { path } of asked.slice(0, 6)) expectLimited(await refusal(() => call(url, path)));
      const wrongMethod = await refusal(() => call(url, `${API}/status`, { method: 'DELETE' }));
      expectLimited(wrongMethod);
      expect(wrongMethod.headers.has('allow')).toBe(false);
      const status = await call(url, `${API}/status`);
      expect([status.status, status.headers.get('x-ratelimit-remaining')]).toEqual([200, '30']);
      expect((await call(url, `${API}/me`)).status).toBe(401);
    }));

  test('a key has 100 over all Bearer routes, and another key its own', () =>
    withService({}, async (service) => {
      const [one, two] = [await service.issue('--plan', 'pro'), await service.issue('--plan', 'pro')];
      const ask = (key: string) => () => call(service.url, `${API}/auth/verify`, { method: 'POST', key });
      const replies = await untilLimited(100, ask(one.key));
      expectLimited(replies.pop());
      expect(statuses(replies)).toEqual([200]);
      expect(replies[0]?.headers.get('x-ratelimit-limit')).toBe('100');
      expect((await ask(two.key)()).status).toBe(200);
    }));

  test('wrong keys have 30 for an address over all Bearer routes, and missing headers use none', () =>
    withService({}, async ({ url }) => {
      const ask = (key?: string, path = '/auth/verify') => call(url, API + path, { method: 'POST', key });
      for (let again = 0; again < 40; again++) expect((await ask()).status).toBe(401);
      const guesses = await untilLimited(30, () => ask(generateLicenseKey('live')));
      expectLimited(guesses.pop());
      expect(statuses(guesses)).toEqual([401]);
      expectLimited(await refusal(() => ask('guess')));
      expectLimited(await refusal(() => ask(generateLicenseKey('test'), '/telemetry')));
      expect((await ask()).json.error.code).toBe('UNAUTHORIZED');
    }));

  test('a valid key is served behind an address that has sent too many wrong ones', () =>
    withService({ SERVICE_THREAT_FEED_ENABLED: '1' }, async (service) => {
      const { url } = service;
      const { key } = await service.issue('--plan', 'pro');
      const revoked = await service.issue('--plan', 'pro');
      await service.command('license', 'revoke', revoked.license_id, ...SURE);
      const ask = (as: string) => call(url, `${API}/auth/verify`, { method: 'POST', key: as });
      const guesses = await untilLimited(30, () => ask(revoked.key));
      expectLimited(guesses.pop());
      for (let again = 0; again < 40; again++) {
        expect((await ask(key)).status).toBe(200);
        expect((await ask(revoked.key)).status).toBeOneOf([401, 429]);
      }
      expect((await call(url, `${API}/threat-feed`, { key })).status).toBe(200);
      expect((await call(url, `${API}/me`, { key })).status).toBe(200);
    }));
});

test('Retry-After is correct: a request after that time succeeds', () =>
  withService({ SERVICE_RATE_IP_PER_MINUTE: '60' }, async ({ url }) => {
    const ask = () => call(url, `${API}/threat-feed`);
    let reply = await ask();
    while (reply.status === 200) reply = await ask();
    const seconds = Number(reply.headers.get('retry-after'));
    expect(seconds).toBe(1);
    await Bun.sleep(seconds * 1000);
    expect((await ask()).status).toBe(200);
  }));

test("/status uses nothing and shows the caller's remaining requests", () =>
  withService({}, async (service) => {
    const { key } = await service.issue('--plan', 'pro');
    const remaining = async (as?: string) =>
      (await call(service.url, `${API}/status`, { key: as })).headers.get('x-ratelimit-remaining');
    for (let again = 0; again < 3; again++)
      expect([await remaining(), await remaining(key)]).toEqual(['30', '100']);
    await call(service.url, `${API}/auth/verify`, { method: 'POST', key });
    expect(await remaining(key)).toBe('99');
  }));

test.each([...TARGETS])(
  'X-Forwarded-For is believed only from trusted proxies, from the right (%s)',
  async (target) => {
    const left = async (url: string, forwarded: string) =>
      (await call(url, `${API}/threat-feed`, { headers: { 'x-forwarded-for': forwarded } })).headers.get(
        'x-ratelimit-remaining',
      );
    const ignoring = async ({ url }: RunningService) => {
      expect([await left(url, '1.1.1.1'), await left(url, '2.2.2.2')]).toEqual(['59', '58']);
    };
    const believing = async ({ url }: RunningService) => {
      expect(await left(url, '6.6.6.6, 1.1.1.1, 10.0.0.1')).toBe('59');
      expect(await left(url, '7.7.7.7, 1.1.1.1')).toBe('58');
      expect(await left(url, '2.2.2.2')).toBe('59');
      expect([
        await left(url, '2001:db8:1:2::1'),
        await left(url, '2001:db8:1:2:ffff::9'),
        await left(url, '2001:db8:1:3::1'),
      ]).toEqual(['59', '58', '59']);
    };
    await withService({}, ignoring, target);
    await withService({ SERVICE_TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8' }, believing, target);
  },
);

test('a decoy trip has its own daily volume, and one beyond it stores nothing', () =>
  withService({ SERVICE_DAILY_CAP: '2' }, async (service) => {
    const [one, two] = [await service.issue('--plan', 'free'), await service.issue('--plan', 'free')];
    const trip = (key: string, more = {}) =>
      call(service.url, API + DECOY_TRIP.path, { key, body: { ...DECOY_TRIP.body, ...more } });
    expect((await trip(one.key, { tripCount: 0 })).status).toBe(400);
    for (const behaviorClass of ['first', 'second']) {
      expect((await trip(one.key, { behaviorClass })).status).toBe(200);
    }
    const before = stored(service);
    const askedAt = Date.now();
    const capped = await trip(one.key, { behaviorClass: 'third' });
    expect([capped.status, capped.json.error.code]).toEqual([429, 'DAILY_CAP_EXCEEDED']);
    const [least, most] = [Date.now(), askedAt].map(secondsToUtcMidnight);
    expect(Number(capped.headers.get('retry-after'))).toBeWithin(least ?? 0, (most ?? 0) + 1);
    expect(stored(service)).toEqual(before);
    expect(rows(service, 'select accepted from daily_usage')).toEqual([{ accepted: 2 }]);
    expect((await trip(two.key)).status).toBe(200);
  }));

test('a daily limit is exact until UTC midnight and survives SIGKILL', async () => {
  const settings = { SERVICE_DAILY_CAP: '3' };
  let service = await start('binary', settings);
  const { key } = await service.issue('--plan', 'pro');
  const other = await service.issue('--plan', 'pro');
  const body = {
    attackType: 'xss',
    behaviorClass: 'scan',
    payloadHash: 'h',
    siteIdHash: 's',
    licenseIdHash: 'l',
  };
  const report = (as: string, more = {}) =>
    call(service.url, `${API}/threat-report/report`, { key: as, body: { ...body, ...more } });
  expect((await report(key, { payloadHash: 'not a hash' })).status).toBe(400);
  for (let again = 0; again < 3; again++) expect((await report(key)).status).toBe(200);
  await service.end('SIGKILL');
  service = await start('binary', { ...settings, ...service.env });
  const askedAt = Date.now();
  const capped = await report(key, { payloadHash: 'new' });
  expect([capped.status, capped.json.error.code]).toEqual([429, 'DAILY_CAP_EXCEEDED']);
  const [least, most] = [Date.now(), askedAt].map(secondsToUtcMidnight);
  expect(Number(capped.headers.get('retry-after'))).toBeWithin(least ?? 0, (most ?? 0) + 1);
  expect(rows(service, 'select count(*) as count from threat_reports')).toEqual([{ count: 1 }]);
  expect((await report(other.key)).status).toBe(200);
  await service.end();
});
