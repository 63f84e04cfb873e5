import { beforeAll, describe, expect, test } from 'bun:test';
import { ADMIN, adminOperations, consoleRoutes, tokenOf } from '../support/admin.ts';
import { expectHeaders } from '../support/client.ts';
import { paths } from '../support/conformance.ts';
import { operatorOf } from '../support/console.ts';
import { portalOf, portalRoutes } from '../support/portal.ts';
import { type RunningService, sharedService, TARGETS } from '../support/service.ts';

const BAD = ['%ff', '%', '%ed%a0%80', '%00'];
const withBad = (path: string, bad: string) => path.replace(/\{\w+\}|:\w+/g, bad);
const OTHERS = [
  '/unsubscribe/:id/:token',
  '/trust/:id',
  '/docs/handbook/:page',
  '/taxii2/threats/collections/:id',
];

describe.each([...TARGETS])('a part of a path that is not UTF-8, or contains NUL, on %s', (runtime) => {
  let service: RunningService;
  let visitors: Readonly<
    Record<'tenant' | 'program' | 'operator' | 'token', Readonly<Record<string, string>>>
  >;
  beforeAll(async () => {
    service = await sharedService(runtime);
    const { key } = await service.issue('--plan', 'enterprise');
    const cookieOf = ({ cookie = '' }) => ({ cookie });
    visitors = {
      tenant: { ...cookieOf(await portalOf(service, key)), origin: service.url },
      program: { authorization: `Bearer ${key}` },
      operator: { ...cookieOf(await operatorOf(service, `p${runtime}`)), origin: service.adminUrl },
      token: { authorization: `Bearer ${await tokenOf(service, undefined, `params-${runtime}`)}` },
    };
  });

  const both = ['GET', 'POST'];
  const of = (routes: readonly { method: string; path: string }[]) =>
    routes.filter(({ path }) => path.includes(':'));

  test('is a refusal on every route, never a fault', async () => {
    const asked = [
      ...paths.flatMap((path) => both.map((method) => ({ method, path, by: 'program' as const }))),
      ...OTHERS.flatMap((path) => both.map((method) => ({ method, path, by: 'program' as const }))),
      ...of(portalRoutes).map((route) => ({ ...route, by: 'tenant' as const })),
      ...of(consoleRoutes).map((route) => ({ ...route, by: 'operator' as const })),
      ...adminOperations.map(({ method, path }) => ({ method, path: ADMIN + path, by: 'token' as const })),
    ].filter(({ path }) => /[{:]/.test(path));
    expect(asked.length).toBeGreaterThan(90);
    for (const { method, path, by } of asked) {
      const origin = by === 'operator' || by === 'token' ? service.adminUrl : service.url;
      for (const bad of BAD) {
        const body = method === 'GET' ? {} : { body: by === 'token' || by === 'program' ? '{}' : '' };
        const headers = visitors[by];
        const answer = await fetch(origin + withBad(path, bad), {
          method,
          headers,
          redirect: 'manual',
          ...body,
        });
        const text = await answer.text();
        expectHeaders(answer.headers);
        const isFault = answer.status >= 500 && !text.includes('MIRROR_EMPTY');
        expect([method, path, bad, isFault ? text : '']).toEqual([method, path, bad, '']);
      }
    }
  }, 60_000);
});
