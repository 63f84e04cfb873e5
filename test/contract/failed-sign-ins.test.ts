import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { adminOf } from '../support/admin.ts';
import { API, call } from '../support/client.ts';
import { Browser, operatorOf } from '../support/console.ts';
import { portalOf } from '../support/portal.ts';
import { type RunningService, start, TARGETS, until } from '../support/service.ts';
import { rows } from '../support/store.ts';

const FAILED = '"sign-in failed"';
const SECRET = 'zq7mark';

describe.each([...TARGETS])('%s', (target) => {
  let service: RunningService;
  beforeAll(async () => {
    // Its own process: its log is read, and it trusts a proxy.
    const proxies = { SERVICE_TRUSTED_PROXIES: '127.0.0.1', SERVICE_ADMIN_TRUSTED_PROXIES: '127.0.0.1' };
    service = await start(target, proxies);
  });
  afterAll(() => service.end());

  const lines = () =>
    service
      .log()
      .split('\n')
      .filter((line) => line.includes(FAILED));
  const browserAt = (address: string, url: string) => {
    const browser = new Browser(service, url);
    browser.address = address;
    return browser;
  };
  const doors: Readonly<Record<string, (address: string) => Promise<{ status: number }>>> = {
    console: (address) => browserAt(address, service.adminUrl).signIn(`ada-${SECRET}`, `${SECRET} wrong`),
    portal: (address) => browserAt(address, service.url).post('/portal/sign-in', { key: SECRET }),
    token: (address) =>
      adminOf(service, `rdt_admin_${SECRET}`)('/licenses', { headers: { 'x-forwarded-for': address } }),
    key: (address) =>
      call(service.url, `${API}/me`, { key: SECRET, headers: { 'x-forwarded-for': address } }),
  };

  test.each(Object.keys(doors).map((door, at) => [door, `203.0.113.${at + 1}`, `2001:db8:${at + 1}::7`]))(
    'a wrong sign-in by %s is one line of the exact address, and nothing is stored of it',
    async (door, four, six) => {
      for (const address of [four, six]) {
        const before = lines().length;
        expect((await doors[door]?.(address))?.status).toBe(401);
        await until(() => lines().length === before + 1);
        expect(
          lines()
            .at(-1)
            ?.replace(/^\{"time":"[^"]+",/, '{'),
        ).toBe(`{"level":"warn","message":"sign-in failed","kind":"${door}","address":"${address}"}`);
      }
      expect(service.log()).not.toContain(SECRET);
      const sessions =
        'select (select count(*) from operator_sessions) + (select count(*) from portal_sessions) as n';
      expect(Number(rows(service, sessions)[0]?.n)).toBe(0);
    },
  );

  test('right sign-ins are no lines, and a guesser has at most ten a minute', async () => {
    const before = lines().length;
    const { key } = await service.issue('--plan', 'pro');
    await portalOf(service, key);
    await call(service.url, `${API}/me`, { key });
    await operatorOf(service, 'grace', 'viewer');
    expect(lines()).toHaveLength(before);
    for (let guess = 0; guess < 14; guess++) await doors.key?.('203.0.113.99');
    await call(service.url, `${API}/me`, { key });
    expect(lines().length - before).toBe(10);
  });
});
