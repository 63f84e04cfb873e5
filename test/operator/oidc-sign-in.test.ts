import { beforeEach, describe, expect, test } from 'bun:test';
import { hashBearerSecret } from '../../src/domain/admin/bearer-secret.ts';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { createOidcSignIn } from '../../src/operator/oidc-sign-in.ts';
import type { OidcFlow, OidcPerson } from '../../src/outside/oidc/flow.ts';
import { PendingForms } from '../../src/pages/pending-forms.ts';

// What no service can be made to show in a test: its clock, and many people at once.

let now: number;
let person: OidcPerson;
let waiting: Promise<unknown> | undefined;
const asked: (string | undefined)[] = [];
beforeEach(() => {
  now = 1_000_000_000;
  person = {
    issuer: 'https://id.example',
    subject: 'alice',
    claims: { groups: ['owners'] },
    authenticatedAt: now,
    endsAt: undefined,
    idToken: 'an ID token',
  };
  waiting = undefined;
  asked.length = 0;
});

const clock = { now: () => now, monotonic: () => now };
const flowOf = (state: string): OidcFlow => ({ state, nonce: 'n', verifier: 'v', startedAt: now });
const create = () =>
  createOidcSignIn({
    settings: {
      issuer: 'https://id.example',
      clientId: 'redoubt',
      clientSecret: undefined,
      ca: undefined,
      scopes: 'openid',
      roleClaim: 'groups',
      name: 'Example',
      isOnly: false,
      groups: { viewer: [], support: [], operator: [], owner: ['owners'] },
      consoleOrigin: 'https://console.example',
    },
    provider: {
      begin: async () => ({ url: 'https://id.example', flow: flowOf('begun') }),
      async finish() {
        await waiting;
        return person;
      },
      async signOutAddress(idToken) {
        asked.push(idToken);
        return 'https://id.example/out';
      },
    },
    signIn: { drawFrom: () => {}, auditFailure: async () => {} },
    operators: {
      all: async () => [],
      findByIdentity: async () => undefined,
      findSession: async () => undefined,
    },
    desk: {
      async do(_, __, plan) {
        const planned = await plan();
        if ('refused' in planned) throw new Error(planned.refused);
        return { facts: {}, notices: [], plan: planned };
      },
    },
    writer: { write: async () => undefined as never },
    clock,
  });
const back = (flow: OidcFlow) => ({
  flow,
  answer: new URLSearchParams({ state: flow.state, code: 'x' }),
  address: '10.0.0.1',
  requestId: undefined,
});

test('a browser has ten minutes to come back', async () => {
  const { finish } = create();
  const [early, late] = [flowOf('early'), flowOf('late')];
  now += 10 * MINUTE_MS - 1;
  expect((await finish(back(early))).token).toMatch(/^[\w-]{43}$/);
  now += 1;
  await expect(finish(back(late))).rejects.toMatchObject({ problem: 'state' });
});

test('sixteen people are signed in at once, and another has to try again', async () => {
  const { finish } = create();
  const done = Promise.withResolvers();
  waiting = done.promise;
  const all = Array.from({ length: 17 }, (_, at) =>
    finish(back(flowOf(`flow ${at}`))).catch((refusal) => refusal),
  );
  expect(await all[16]).toMatchObject({ refused: 'STORE_UNAVAILABLE', retryAfterSeconds: 1 });
  done.resolve(undefined);
  for (const each of await Promise.all(all.slice(0, 16))) expect(each).toHaveProperty('token');
  expect(await finish(back(flowOf('later')))).toHaveProperty('token');
});

test('sign-out sends the ID token of the session back once, unless it is longer than an address may be', async () => {
  const { finish, signOutAddress } = create();
  const { token } = await finish(back(flowOf('one')));
  person = { ...person, idToken: 'x'.repeat(5_000) };
  const { token: other } = await finish(back(flowOf('other')));
  for (const each of [token, token, other, 'unknown']) await signOutAddress(each, '/console/sign-in');
  expect(asked).toEqual(['an ID token', undefined, undefined, undefined]);
});

describe('a form that waits for credentials', () => {
  const pending = { path: '/console/tokens/create', form: { name: 'shop' } };
  test('is kept for a while, and for one session at a time', () => {
    const forms = new PendingForms(MINUTE_MS, clock.monotonic);
    const [one, other] = ['one', 'other'].map(hashBearerSecret) as [string, string];
    forms.leave(one, pending);
    expect([forms.find(one), forms.find(other)]).toMatchObject([pending, undefined] as never);
    forms.move(one, other);
    expect([forms.find(one), forms.find(other)?.path]).toEqual([undefined, pending.path]);
    now += MINUTE_MS;
    expect(forms.find(other)).toBeUndefined();
  });

  test('is one of a hundred; the oldest makes room', () => {
    const forms = new PendingForms(MINUTE_MS, clock.monotonic);
    for (let at = 0; at <= 100; at += 1) forms.leave(`session ${at}`, pending);
    expect([forms.find('session 0'), forms.find('session 1')?.path]).toEqual([undefined, pending.path]);
  });
});
