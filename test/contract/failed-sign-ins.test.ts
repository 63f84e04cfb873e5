import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API, call } from '../support/client.ts';
import { operatorOf } from '../support/console.ts';
import { failedSignInLines, failingSignIns, TRUSTING_PROXIES, WRONG } from '../support/failed-sign-ins.ts';
import { portalOf } from '../support/portal.ts';
import { type RunningService, start, TARGETS } from '../support/service.ts';
import { rows } from '../support/store.ts';

describe.each([...TARGETS])('%s', (target) => {
  let service: RunningService;
  let doors: ReturnType<typeof failingSignIns>;
  beforeAll(async () => {
    // Its own process: its log is read, and it trusts a proxy.
    service = await start(target, TRUSTING_PROXIES);
    doors = failingSignIns(service);
  });
  afterAll(() => service.end());

  const lines = () => failedSignInLines(service);

  test.each(
    ['console', 'portal', 'token', 'key'].map((door, at) => [
      door,
      `203.0.113.${at + 1}`,
      `2001:db8:${at + 1}::7`,
    ]),
  )(
    'a wrong sign-in by %s is one line of the exact address, and nothing is stored of it',
    async (door, four, six) => {
      for (const address of [four, six]) {
        const before = lines().length;
        expect((await doors[door]?.(address))?.status).toBe(401);
        expect(lines()).toHaveLength(before + 1);
        expect(
          lines()
            .at(-1)
            ?.replace(/^\{"time":"[^"]+",/, '{'),
        ).toBe(`{"level":"warn","message":"sign-in failed","kind":"${door}","address":"${address}"}`);
      }
      expect(service.log()).not.toContain(WRONG);
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
