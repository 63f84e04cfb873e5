import { expect, test } from 'bun:test';
import { Type as t } from '@sinclair/typebox';
import { getAt, postAt } from '../../src/http/route/endpoint.ts';
import { mounted } from '../../src/http/route/mount.ts';
import { openRoute } from '../../src/http/route/open-route.ts';
import { endpointsOf } from '../../src/http/route/route.ts';

const routed = (path: `/${string}`, operationId: string) =>
  openRoute({
    at: `GET ${path}`,
    operationId,
    summary: '',
    description: '',
    tag: '',
    answer: t.Object({}),
    handle: () => ({}),
  });
const answer = () => new Response();
const none = { limits: { perIp: () => () => {} } };

test.each([
  ['/things', '/things', 'GET /things'],
  ['/things/:one', '/things/:one', 'GET /things/:'],
  ['/things/:one/parts', '/things/:other/parts', 'GET /things/:/parts'],
] as const)('routes at %s and %s are refused, with both operations named', (first, second, name) => {
  const endpoints = endpointsOf([routed(first, 'getFirst'), routed(second, 'getSecond')], none);
  expect(() => mounted(endpoints)).toThrow(
    `two routes are named "${name}": in getFirst (number 1 of its listener) and in getSecond (number 2 of its listener)`,
  );
});

test('two pages at one path are refused, and a page at the path of a route', () => {
  expect(() => mounted([getAt('/page', answer), postAt('/page', answer), getAt('/page', answer)])).toThrow(
    'in a page (number 1 of its listener) and in a page (number 3 of its listener)',
  );
  expect(() => mounted([...endpointsOf([routed('/page', 'getPage')], none), getAt('/page', answer)])).toThrow(
    'in getPage (number 1 of its listener) and in a page (number 2 of its listener)',
  );
});

test('two methods of one path, and a literal in place of a parameter, are no duplicates', () => {
  expect(() =>
    mounted([
      getAt('/things/:thing', answer),
      postAt('/things/:thing', answer),
      getAt('/things/all', answer),
    ]),
  ).not.toThrow();
});
