import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { systemClock } from '../../src/lib/clock.ts';
import { boundedFetch } from '../../src/outside/oidc/bounded-fetch.ts';
import { createClient } from '../../src/outside/oidc/client.ts';
import { countKeys, discover } from '../../src/outside/oidc/metadata.ts';
import { OidcFault } from '../../src/outside/oidc/oidc-fault.ts';
import type { OidcSettings } from '../../src/settings/oidc.ts';
import { tlsSettings } from '../support/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { type FakeProvider, type Lies, startFakeProvider } from '../support/oidc/fake-provider.ts';

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.end());
afterEach(() => {
  fake.beHonest();
  setSystemTime();
});

const settingsOf = (issuer: string, ca?: string): OidcSettings => ({
  issuer,
  ca,
  clientId: 'redoubt',
  clientSecret: 'a secret',
  scopes: 'openid',
  roleClaim: 'groups',
  groups: { viewer: ['*'], support: [], operator: [], owner: [] },
  name: 'Example',
  isOnly: false,
  consoleOrigin: 'http://127.0.0.1:1',
});
const faultOf = async (work: Promise<unknown>): Promise<OidcFault> => {
  const error = await work.then(
    () => new Error('nothing failed'),
    (fault) => fault,
  );
  if (!(error instanceof OidcFault)) throw error;
  return error;
};

const DISCOVERIES: readonly (readonly [what: string, lie: Lies['discovery'], reason: RegExp])[] = [
  ['another issuer', (said) => ({ ...said, issuer: 'https://evil.example' }), /issuer/],
  ['no issuer', ({ issuer, ...said }) => said, /malformed/],
  ['no address for tokens', ({ token_endpoint, ...said }) => said, /no valid token_endpoint/],
  ['an address that is none', (said) => ({ ...said, jwks_uri: 'x' }), /no valid jwks_uri/],
  ['an address that is an object', (said) => ({ ...said, token_endpoint: {} }), /no valid token_endpoint/],
  ['an address without TLS', (said) => ({ ...said, token_endpoint: 'http://id.example/t' }), /use https/],
  [
    'an address that runs',
    (said) => ({ ...said, authorization_endpoint: 'javascript:alert(1)' }),
    /use https/,
  ],
  ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), /not JSON/],
  [
    'half a document',
    () => new Response('{', { headers: { 'content-type': 'application/json' } }),
    /not JSON/,
  ],
  ['a list', () => new Response('[]', { headers: { 'content-type': 'application/json' } }), /malformed|JSON/],
  ['a status of 404', () => new Response('', { status: 404 }), /status/],
  ['a redirect', () => Response.redirect('https://id.example/'), /status/],
  ['two megabytes', () => new Response('x'.repeat(2_000_000)), /too large/],
];

test.each(DISCOVERIES)('discovery with %s is refused in words', async (_, lie, reason) => {
  if (lie) fake.lies.discovery = lie;
  const { problem, message } = await faultOf(discover(settingsOf(fake.issuer)));
  expect([problem, message]).toEqual(['provider', expect.stringMatching(reason)]);
});

test('keys are counted, but not those that check no signature', async () => {
  const settings = settingsOf(fake.issuer);
  const { metadata, date } = await discover(settings);
  expect(Math.abs((date ?? 0) - Date.now())).toBeLessThan(60_000);
  const count = () => countKeys(settings, metadata);
  expect(await count()).toBe(1);
  fake.lies.keys = ([key]) => ({ keys: [{ ...key, use: 'enc' }, { kty: 'oct' }, null, 'x'] });
  expect(await count()).toBe(0);
  for (const lie of ['x', { keys: 'x' }, null]) {
    fake.lies.keys = () => lie;
    expect(await count().catch((fault: OidcFault) => fault.problem)).toBeOneOf([0, 'provider']);
  }
});

describe('a provider that is away', () => {
  test('is reported when it refuses connections or has no name', async () => {
    const refused = await faultOf(discover(settingsOf(`http://127.0.0.1:${await freePort()}`)));
    expect([refused.problem, refused.message]).toEqual(['unreachable', expect.stringMatching(/refused/)]);
    const unknown = await faultOf(discover(settingsOf('https://nowhere.invalid')));
    expect([unknown.problem, unknown.message]).toEqual([
      'unreachable',
      expect.stringMatching(/^nowhere.invalid: /),
    ]);
  });

  test('is reported when it does not answer in time, or does not come to an end', async () => {
    const ask = boundedFetch(undefined, 100);
    const asked = { method: 'GET', headers: {} };
    const done = Promise.withResolvers();
    fake.lies.wait = done.promise;
    const silent = await faultOf(ask(`${fake.issuer}/keys`, asked));
    done.resolve(undefined);
    fake.lies.wait = Promise.resolve();
    const drip = async (to: ReadableStreamDefaultController) => {
      to.enqueue(new Uint8Array(1));
      await Bun.sleep(5);
    };
    fake.lies.keys = () => new Response(new ReadableStream({ pull: drip }));
    const endless = await faultOf(ask(`${fake.issuer}/keys`, asked));
    for (const { problem, message } of [silent, endless])
      expect([problem, message]).toEqual(['unreachable', expect.stringMatching(/no complete response/)]);
  });
});

test('a certificate of another CA is trusted by SERVICE_OIDC_CA alone', async () => {
  const { SERVICE_TLS_CERT: cert, SERVICE_TLS_KEY: key } = tlsSettings();
  const ca = readFileSync(cert, 'utf8');
  const overTls = await startFakeProvider({ cert: ca, key: readFileSync(key, 'utf8') });
  const { problem, message } = await faultOf(discover(settingsOf(overTls.issuer)));
  expect([problem, message]).toEqual(['unreachable', expect.stringMatching(/not trusted .*SERVICE_OIDC_CA/)]);
  expect((await discover(settingsOf(overTls.issuer, ca))).metadata.issuer).toBe(overTls.issuer);
  overTls.lies.discovery = (said) => ({ ...said, token_endpoint: 'http://127.0.0.1:1/t' });
  expect((await faultOf(discover(settingsOf(overTls.issuer, ca)))).message).toMatch(/does not use https/);
  await overTls.end();
});

describe('keys', () => {
  const MINUTE_MS = 60_000;
  const client = () => createClient(settingsOf(fake.issuer), systemClock);
  const signIn = async (of: ReturnType<typeof client>) => {
    const { url, flow } = await of.begin();
    const answer = new URLSearchParams({ code: fake.codeFor(url), state: flow.state });
    return of.finish(answer, flow);
  };
  const read = () => fake.asked.filter((path) => path === '/keys').length;

  test('are read again for an unknown one, at most once a minute', async () => {
    const of = client();
    await signIn(of);
    for (let at = 0; at < 5; at += 1) await signIn(of);
    expect(read()).toBe(1);
    await fake.rotate('next');
    for (let at = 0; at < 5; at += 1) expect((await faultOf(signIn(of))).message).toMatch(/no key/);
    expect(read()).toBe(1);
    setSystemTime(Date.now() + MINUTE_MS + 1_000);
    expect((await signIn(of)).subject).toBe('alice-1');
    expect(read()).toBe(2);
    fake.lies.sign = (claims) => fake.sign({ ...claims });
    fake.lies.keys = () => ({ keys: [] });
    for (let at = 0; at < 5; at += 1) await signIn(of);
    expect(read()).toBe(2);
  });

  test('that the provider has withdrawn are refused after five minutes', async () => {
    const of = client();
    await signIn(of);
    fake.lies.keys = () => ({ keys: [] });
    setSystemTime(Date.now() + 5 * MINUTE_MS + 1_000);
    expect((await faultOf(signIn(of))).problem).toBe('token');
  });

  test('and addresses are asked for once by sign-ins that begin together', async () => {
    const of = client();
    await Promise.all(Array.from({ length: 10 }, () => of.begin()));
    expect(fake.asked).toEqual(['/.well-known/openid-configuration']);
  });
});

describe('the client', () => {
  test.each([
    [undefined, 'basic'],
    [['client_secret_basic', 'client_secret_post'], 'basic'],
    [['client_secret_post'], 'post'],
    ['client_secret_post', 'basic'],
    [{ client_secret_post: true }, 'basic'],
    [7, 'basic'],
  ])('of a provider that takes %p proves itself by %s', async (methods, way) => {
    let seen = '';
    fake.lies.discovery = (said) => ({ ...said, token_endpoint_auth_methods_supported: methods });
    fake.lies.seen = ({ headers }, body) => {
      seen = headers.get('authorization') ? 'basic' : body.get('client_secret') ? 'post' : 'none';
    };
    const of = createClient(settingsOf(fake.issuer), systemClock);
    const { url, flow } = await of.begin();
    await of.finish(new URLSearchParams({ code: fake.codeFor(url), state: flow.state }), flow);
    expect(seen).toBe(way);
  });

  test('sends its verifier, by which the provider knows who began', async () => {
    let verifier: string | null = null;
    fake.lies.seen = (_, body) => {
      verifier = body.get('code_verifier');
    };
    const of = createClient(settingsOf(fake.issuer), systemClock);
    const { url, flow } = await of.begin();
    await of.finish(new URLSearchParams({ code: fake.codeFor(url), state: flow.state }), flow);
    expect(verifier).toBe(flow.verifier as never);
    const challenge = new Bun.CryptoHasher('sha256').update(flow.verifier).digest('base64url');
    expect(new URL(url).searchParams.get('code_challenge')).toBe(challenge);
  });

  test('sends a browser to sign out, with the token of the session', async () => {
    fake.lies.discovery = (said) => ({ ...said, end_session_endpoint: `${fake.issuer}/out?a=b` });
    const of = createClient(settingsOf(fake.issuer), systemClock);
    const url = new URL((await of.signOutAddress('a-token', '/console/sign-in')) ?? '');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      a: 'b',
      client_id: 'redoubt',
      id_token_hint: 'a-token',
      post_logout_redirect_uri: 'http://127.0.0.1:1/console/sign-in',
    });
  });
});
