import { expect, test } from 'bun:test';
import { Type as t } from '@sinclair/typebox';
import { refuse } from '../../src/domain/refusal.ts';
import type { Caller } from '../../src/http/context.ts';
import { bearerRoute } from '../../src/http/route/bearer-route.ts';
import { created } from '../../src/http/route/created.ts';
import { jsonBody } from '../../src/http/route/json-body.ts';
import { openRoute } from '../../src/http/route/open-route.ts';
import { queryOf } from '../../src/http/route/query-rules.ts';
import { alone } from '../support/endpoint.ts';

/** The checks that ran, in order. */
let met: string[];
/** The step that refuses it. */
let refusing: string | undefined;

function meet(step: string): void {
  met.push(step);
  if (step === refusing) throw refuse('INVALID_PAYLOAD', step);
}

const Body = t.Object({ name: t.String() }, { additionalProperties: false });
const Query = t.Object({ page: t.Optional(t.Integer()) }, { additionalProperties: false });

const shared = {
  at: 'POST /things/:thing',
  limit: 'me',
  before: () => () => meet('guard'),
  body: jsonBody({
    schema: Body,
    capBytes: 64,
    prepare: (body) => {
      meet('preparation');
      return body;
    },
    inspect: () => meet('privacy gate'),
    check: () => {
      meet('schema');
      return { name: 'checked' };
    },
  }),
  arrived: () => () => meet('body'),
  query: queryOf(Query),
} as const;

const parts = (plan: Caller['standing']['plan'] = 'pro') => ({
  limits: { perIp: (name: string) => () => meet(`limit ${name}`) },
  authenticate: () => {
    meet('key');
    return { caller: { standing: { plan, state: 'active' } } as Caller, licenseId: 1 };
  },
});

const guarded = bearerRoute({
  ...shared,
  plan: 'pro',
  handle: (asked) => {
    meet('handler');
    return { params: asked.params, query: asked.query, body: asked.body, plan: asked.caller.standing.plan };
  },
});
const open = openRoute({
  ...shared,
  handle: () => {
    meet('handler');
    return {};
  },
});

const AFTER_KEY = ['guard', 'body', 'preparation', 'privacy gate', 'schema', 'handler'];
const BEHIND_KEY = ['limit me', 'key', ...AFTER_KEY];
const OPEN = ['limit me', ...AFTER_KEY];

const request = (query = '?page=2', body = '{"name":"sent"}') =>
  new Request(`http://x.test/things/one${query}`, { method: 'POST', body });
const asking = { params: { thing: 'one' } };

test('a request with a key passes limit, key, guard, body, privacy gate, schema and handler in this order', async () => {
  [met, refusing] = [[], undefined];
  const answer = await alone(guarded, parts())(request(), asking);
  expect(await answer.json()).toEqual({
    params: { thing: 'one' },
    query: { page: 2 },
    body: { name: 'checked' },
    plan: 'pro',
  });
  expect(met).toEqual(BEHIND_KEY);
});

test('a request without a key passes the same checks except for the key', async () => {
  [met, refusing] = [[], undefined];
  expect((await alone(open, parts())(request(), asking)).status).toBe(200);
  expect(met).toEqual(OPEN);
});

test.each(BEHIND_KEY)('after a refusal by %s, no other check runs', async (step) => {
  [met, refusing] = [[], step];
  expect((await alone(guarded, parts())(request(), asking)).status).toBe(400);
  expect(met).toEqual(BEHIND_KEY.slice(0, BEHIND_KEY.indexOf(step) + 1));
});

test('a plan that is too low is refused before the body is read', async () => {
  [met, refusing] = [[], undefined];
  expect((await alone(guarded, parts('starter'))(request(), asking)).status).toBe(403);
  expect(met).toEqual(['limit me', 'key']);
});

test.each([
  ['a body over the limit', '', `{"name":"${'x'.repeat(64)}"}`, 413, ['guard']],
  ['a body that is not JSON', '', '{', 400, ['guard', 'body']],
  ['a query of another form', '?page=two', '{"name":"x"}', 400, AFTER_KEY.slice(0, -1)],
])('%s never reaches the handler', async (_, query, body, status, last) => {
  [met, refusing] = [[], undefined];
  expect((await alone(guarded, parts())(request(query, body), asking)).status).toBe(status);
  expect(met).toEqual(['limit me', 'key', ...last]);
});

test('a handler with state is created by the first request, once for a service', async () => {
  [met, refusing] = [[], undefined];
  let made = 0;
  const route = openRoute({
    at: 'GET /thing',
    handle: created(() => {
      made += 1;
      return () => ({});
    }),
  });
  const [one, other] = [alone(route, parts()), alone(route, parts())];
  expect(made).toBe(0);
  for (const ask of [one, one, other, one]) await ask(new Request('http://x.test/thing'));
  expect(made).toBe(2);
});
