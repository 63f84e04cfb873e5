import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { generateKeyPair, SignJWT } from 'jose';
import { auditOf } from '../../support/admin.ts';
import { type Browser, operatorOf } from '../../support/console.ts';
import { ALICE, type FakeProvider, startFakeProvider } from '../../support/oidc/fake-provider.ts';
import {
  comeBack,
  consoleSettings,
  newBrowser,
  signInAs,
  toProvider,
  wayBack,
} from '../../support/oidc/sign-in.ts';
import { type RunningService, start, until } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

let service: RunningService;
let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
  const { settings } = await consoleSettings();
  // Its own process: it signs in at a provider of its own.
  service = await start('binary', { ...settings, ...fake.settings });
});
afterAll(async () => {
  await service?.end();
  await fake?.end();
});
afterEach(() => fake.beHonest());

const operators = () =>
  rows(service, 'select name, role, disabled_at, oidc_issuer, oidc_subject from operators order by id');
const sessions = () => rows(service, 'select * from operator_sessions order by token_hash');
const stored = () => JSON.stringify([operators(), sessions()]);
let people = 0;
/** A person who has not signed in yet; null = without the claim. */
const someone = (groups: unknown = ['redoubt-ops']) => {
  people += 1;
  const claims = { sub: `person-${people}`, preferred_username: `person${people}` };
  return { ...claims, groups: groups ?? undefined };
};

type Failure = readonly [status: number, problem: string, reason?: RegExp];

/** Expects that a sign-in failed in our words, and is in the log by its id. */
async function expectFailed({ status, text }: { status: number; text: string }, expected: Failure) {
  expect([status, text]).toEqual([expected[0], expect.stringContaining('role="alert"')]);
  const [, id = 'none'] = /request ID ([\w-]+)/.exec(text) ?? [];
  const isIt = (line: string) => line.includes(id) && line.includes('identity provider failed');
  const line = await until(() => service.log().split('\n').find(isIt));
  const { problem, reason } = JSON.parse(line);
  expect([problem, reason]).toEqual([expected[1], expect.stringMatching(expected[2] ?? /./)]);
}

test('the first sign-in creates an operator with an audit entry; a later one is the same, by issuer and subject', async () => {
  const browser = newBrowser(service);
  const page = await browser.get('/console/sign-in');
  expect(page.text).toContain('Sign in with Example ID');
  const url = new URL(await toProvider(browser));
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'redoubt',
    response_type: 'code',
    scope: 'openid profile email',
    redirect_uri: `${service.adminUrl}/console/oidc/callback`,
    state: expect.any(String),
    nonce: expect.any(String),
    code_challenge: expect.any(String),
    code_challenge_method: 'S256',
  });
  const back = await comeBack(browser, wayBack(fake, url.href));
  expect([back.status, back.headers.get('location')]).toEqual([303, '/console']);
  expect((await browser.get('/console')).status).toBe(200);
  const alice = { name: 'alice', role: 'owner', oidc_issuer: fake.issuer, oidc_subject: 'alice-1' };
  expect(operators()).toEqual([{ ...alice, disabled_at: null }]);
  expect(auditOf(service, 'operator.add')).toMatchObject([
    {
      actor: 'system',
      subject: 'operator:alice',
      after: JSON.stringify({ role: 'owner', issuer: fake.issuer, subject: 'alice-1' }),
    },
  ]);
  await signInAs(newBrowser(service), fake, { preferred_username: 'renamed', email: 'new@example.com' });
  expect(operators()).toEqual([{ ...alice, disabled_at: null }]);
  expect(auditOf(service, 'operator.sign-in').map(({ actor }) => actor)).toEqual(
    Array(2).fill('operator:alice'),
  );
  const listed = JSON.parse(await service.command('operator', 'list', '--json'));
  expect(listed[0]).toMatchObject({ state: 'active', oidc_issuer: fake.issuer, oidc_subject: 'alice-1' });
});

test.each([
  ['owner', ['other', 'redoubt-owners', 'helpdesk']],
  ['operator', ['everyone', 'redoubt-ops']],
  ['support', 'helpdesk'],
  ['viewer', Array.from({ length: 10_000 }, (_, at) => (at === 9_999 ? 'everyone' : `a-group-of-${at}`))],
])('a person is %s by the highest of the groups', async (role, groups) => {
  const person = someone(groups);
  expect((await signInAs(newBrowser(service), fake, person)).status).toBe(303);
  expect(operators().at(-1)).toMatchObject({ name: person.preferred_username, role });
});

test.each([
  ['none', []],
  ['others', ['redoubt-owner', 'REDOUBT-OWNERS', '']],
  ['a list of no texts', [1, null, {}]],
  ['an object', { 'redoubt-owners': true }],
  ['nothing', null],
])('a person with %s as groups has no access, in words, and nothing is stored', async (_, groups) => {
  const before = stored();
  const browser = newBrowser(service);
  await expectFailed(await signInAs(browser, fake, someone(groups)), [403, 'role']);
  expect([stored(), browser.cookie]).toEqual([before, undefined]);
});

test('groups that only the user information has are used, if it is about the same person', async () => {
  const person = someone(null);
  fake.lies.userInfo = { sub: person.sub, groups: ['helpdesk'] };
  expect((await signInAs(newBrowser(service), fake, person)).status).toBe(303);
  expect(operators().at(-1)).toMatchObject({ name: person.preferred_username, role: 'support' });
  const before = stored();
  fake.lies.userInfo = { sub: 'another', groups: ['redoubt-owners'] };
  await expectFailed(await signInAs(newBrowser(service), fake, someone(null)), [502, 'provider']);
  expect(stored()).toBe(before);
});

test('names are the preferred one, else the mail address, else the subject, with a number when taken', async () => {
  await operatorOf(service, 'taken', 'viewer');
  const named = async (claims: object) => {
    await signInAs(newBrowser(service), fake, { ...someone(), ...claims });
    return operators().at(-1)?.name;
  };
  expect(await named({ preferred_username: 'taken' })).toBe('taken-2');
  expect(await named({ preferred_username: 'Taken' })).toBe('taken-3');
  expect(await named({ preferred_username: 'Zoë Ångström' })).toBe('zoe-angstrom');
  expect(await named({ preferred_username: undefined, email: 'eve@example.com' })).toBe('eve-example.com');
  expect(await named({ preferred_username: undefined, sub: 'a1b2' })).toBe('a1b2');
  expect(await named({ preferred_username: 'x'.repeat(10_000) })).toBe('x'.repeat(40));
  expect(await named({ preferred_username: '李', email: 7, sub: '李' })).toBe('operator');
});

test('another role is taken at the next sign-in, is audited and ends other sessions; no role ends them as well', async () => {
  const [person, first] = [someone(['redoubt-owners']), newBrowser(service)];
  const name = `operator:${person.preferred_username}`;
  await signInAs(first, fake, person);
  expect((await first.get('/console/operators')).status).toBe(200);
  const second = newBrowser(service);
  await signInAs(second, fake, { ...person, groups: ['helpdesk'] });
  expect((await first.get('/console')).headers.get('location')).toBe('/console/sign-in');
  expect((await second.get('/console/operators')).status).toBe(403);
  expect(auditOf(service, 'operator.role').at(-1)).toMatchObject({
    actor: 'system',
    subject: name,
    before: '{"role":"owner"}',
    after: '{"role":"support"}',
  });
  await expectFailed(await signInAs(newBrowser(service), fake, { ...person, groups: [] }), [
    403,
    'role',
    /no group/,
  ]);
  expect((await second.get('/console')).headers.get('location')).toBe('/console/sign-in');
  expect(auditOf(service, 'operator.sign-in-failed').at(-1)).toMatchObject({
    subject: name,
    after: '{"identity_provider":"role"}',
  });
});

test('a person who is disabled here stays disabled, with any groups', async () => {
  const [person, browser] = [someone(), newBrowser(service)];
  await signInAs(browser, fake, person);
  await service.command('operator', 'disable', person.preferred_username);
  expect((await browser.get('/console')).headers.get('location')).toBe('/console/sign-in');
  const before = stored();
  for (const groups of [['redoubt-ops'], ['redoubt-owners']])
    await expectFailed(await signInAs(newBrowser(service), fake, { ...person, groups }), [403, 'disabled']);
  expect(stored()).toBe(before);
  await service.command('operator', 'enable', person.preferred_username);
  expect((await signInAs(newBrowser(service), fake, person)).status).toBe(303);
});

test('a person has no password, no second factor and no role of our own', async () => {
  const [person, browser] = [someone(['redoubt-owners']), newBrowser(service)];
  await signInAs(browser, fake, person);
  const { text } = await browser.get('/console/account');
  expect([text.includes('identity provider'), text.includes('type="password"')]).toEqual([true, false]);
  const before = stored();
  for (const act of ['begin', 'prove', 'recovery-codes', 'off', 'password'])
    expect([act, (await browser.post(`/console/account/${act}`, { password: 'x' })).status]).toEqual([
      act,
      409,
    ]);
  const { preferred_username: name } = person;
  for (const act of ['link', 'role'])
    expect([act, (await browser.post(`/console/operators/${act}`, { name, role: 'viewer' })).status]).toEqual(
      [act, 409],
    );
  expect(stored()).toBe(before);
});

const inSeconds = (ms: number) => Math.floor((Date.now() + ms) / 1000);
const FORGED = new TextEncoder().encode('a secret that the provider does not have');
type Lie = (fake: FakeProvider) => void;
const LIES: readonly (readonly [what: string, lie: Lie, expected: Failure])[] = [
  [
    'a wrong nonce',
    ({ lies }) => {
      lies.claims = (claims) => ({ ...claims, nonce: 'x' });
    },
    [502, 'token', /nonce/],
  ],
  [
    'no nonce',
    ({ lies }) => {
      lies.claims = ({ nonce, ...claims }) => claims;
    },
    [502, 'token'],
  ],
  [
    'a wrong audience',
    ({ lies }) => {
      lies.claims = (claims) => ({ ...claims, aud: 'shop' });
    },
    [502, 'token', /audience/],
  ],
  [
    'an audience too many',
    ({ lies }) => {
      lies.claims = (claims) => ({ ...claims, aud: ['redoubt', 'shop'] });
    },
    [502, 'token'],
  ],
  [
    'another issuer',
    ({ lies }) => {
      lies.claims = (claims) => ({ ...claims, iss: 'https://id.example' });
    },
    [502, 'token', /issuer/],
  ],
  [
    'the client of another as authorized party',
    ({ lies }) => {
      lies.claims = (claims) => ({ ...claims, azp: 'shop' });
    },
    [502, 'token', /authorized party/],
  ],
  [
    'no subject',
    ({ lies }) => {
      lies.claims = ({ sub, ...claims }) => claims;
    },
    [502, 'token'],
  ],
  [
    'an empty subject',
    ({ lies }) => {
      lies.claims = (claims) => ({ ...claims, sub: '' });
    },
    [502, 'token'],
  ],
  [
    'an end in the past',
    ({ lies }) => {
      lies.claims = (claims) => ({ ...claims, exp: inSeconds(-61_000) });
    },
    [502, 'clock', /expired/],
  ],
  [
    'a beginning in the future',
    ({ lies }) => {
      lies.claims = (claims) => ({ ...claims, iat: inSeconds(90_000) });
    },
    [502, 'clock', /future/],
  ],
  [
    'an expired session',
    ({ lies }) => {
      lies.claims = (claims) => ({ ...claims, session_expiry: inSeconds(-1_000) });
    },
    [502, 'clock'],
  ],
  [
    'the signature of another',
    ({ lies }) => {
      lies.sign = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(FORGED);
    },
    [502, 'token'],
  ],
  [
    'no signature',
    ({ lies }) => {
      lies.sign = async (claims) => `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.`;
    },
    [502, 'token'],
  ],
  [
    'the signature of another key of that name',
    ({ lies }) => {
      lies.sign = async (claims) => {
        const { privateKey } = await generateKeyPair('RS256');
        return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'first' }).sign(privateKey);
      };
    },
    [502, 'token', /signature/],
  ],
  [
    'no ID token',
    ({ lies }) => {
      lies.tokens = ({ id_token, ...answer }) => answer;
    },
    [502, 'token'],
  ],
  [
    'no JSON',
    ({ lies }) => {
      lies.tokens = () => new Response('<html>');
    },
    [502, 'provider', /JSON/],
  ],
  [
    'a status of 500',
    ({ lies }) => {
      lies.tokens = () => new Response('', { status: 500 });
    },
    [502, 'provider', /status/],
  ],
  [
    'a redirect',
    ({ lies }) => {
      lies.tokens = () => Response.redirect('http://127.0.0.1:1/');
    },
    [502, 'provider'],
  ],
  [
    'two megabytes',
    ({ lies }) => {
      lies.tokens = () => new Response('x'.repeat(2_000_000));
    },
    [502, 'provider', /too large/],
  ],
  [
    'a wrong secret',
    ({ lies }) => {
      lies.tokens = () =>
        Response.json({ error: 'invalid_client' }, { status: 401, headers: { 'www-authenticate': 'Basic' } });
    },
    [502, 'settings', /invalid_client/],
  ],
  [
    'an error of its own',
    ({ lies }) => {
      lies.tokens = () => Response.json({ error: 'sk_live_secret' }, { status: 400 });
    },
    [502, 'provider', /unknown error/],
  ],
];

test.each(LIES)(
  'a provider that answers with %s is refused, and nothing is stored',
  async (_, lie, expected) => {
    const [browser, before] = [newBrowser(service), stored()];
    lie(fake);
    await expectFailed(await signInAs(browser, fake, someone()), expected);
    expect([stored(), browser.cookie]).toEqual([before, undefined]);
    expect(service.log()).not.toContain('sk_live_secret');
  },
);

test.each([
  ['NUL', '\0'],
  ['a line break', '\r\n'],
  ['a control sequence of terminals', '\u001b[2J'],
  ['an override of the writing direction', '\u202e'],
  ['half of a surrogate pair', '\ud800'],
])('a subject with %s is refused, and nothing is stored', async (_, text) => {
  const before = stored();
  const page = await signInAs(newBrowser(service), fake, { ...someone(), sub: `a${text}b` });
  await expectFailed(page, [502, 'token', /subject/]);
  expect(stored()).toBe(before);
});

test.each([
  ['auth_time with a fraction', { auth_time: inSeconds(0) - 0.5001 }],
  ['auth_time at the beginning of the epoch', { auth_time: 1.0001 }],
  ['session_expiry with a fraction', { session_expiry: inSeconds(3_600_000) + 0.5001 }],
  ['session_expiry beyond all calendars', { session_expiry: 1e300 }],
  ['session_expiry that is infinite in milliseconds', { session_expiry: 1e306 }],
])('%s does not prevent a sign-in', async (_, claim) => {
  fake.lies.claims = (claims) => ({ ...claims, ...claim });
  expect((await signInAs(newBrowser(service), fake, someone())).status).toBe(303);
});

describe('a failed sign-in', () => {
  const linesOf = ({ address }: Browser) =>
    service.log().split(`"message":"sign-in failed","kind":"console","address":"${address}"`).length - 1;

  test.each([
    ['in no group', { groups: [] }],
    ['refused by the provider', undefined],
  ])('of a person who is %s is logged once for programs that block addresses', async (_, claims) => {
    const browser = newBrowser(service);
    const answer = wayBack(fake, await toProvider(browser), claims && { ...someone(), ...claims });
    if (claims === undefined) answer.set('error', 'access_denied');
    expect((await comeBack(browser, answer)).status).toBeOneOf([401, 403]);
    // Lines are written in order: once the next browser's line is there, this one's are complete.
    const next = newBrowser(service);
    await signInAs(next, fake, someone([]));
    await until(() => linesOf(next) > 0);
    expect(linesOf(browser)).toBe(1);
  });

  test('is not logged if it was not started here, because any web page can send browsers to the callback', async () => {
    const browser = newBrowser(service);
    expect((await comeBack(browser, new URLSearchParams({ state: 'x', code: 'x' }))).status).toBe(401);
    const next = newBrowser(service);
    await signInAs(next, fake, someone([]));
    await until(() => linesOf(next) > 0);
    expect(linesOf(browser)).toBe(0);
  });
});

test('clocks that differ by less than a minute do no harm', async () => {
  for (const apartMs of [-50_000, 50_000]) {
    fake.lies.claims = (claims) => ({
      ...claims,
      iat: inSeconds(apartMs),
      auth_time: inSeconds(apartMs),
      exp: inSeconds(apartMs + 10_000),
    });
    expect((await signInAs(newBrowser(service), fake, someone())).status).toBe(303);
  }
});

describe('the way back', () => {
  const changed = (answer: URLSearchParams, name: string, value: string | undefined) => {
    if (value === undefined) answer.delete(name);
    else answer.set(name, value);
    return answer;
  };
  test.each([
    ['with another state', 'state', 'x', [401, 'state']],
    ['without a state', 'state', undefined, [401, 'state']],
    ['by another issuer (mix-up)', 'iss', 'https://evil.example', [401, 'state']],
    ['with a code that is none', 'code', 'x', [401, 'code']],
    ['without a code', 'code', undefined, [401, 'state']],
    ['with a refusal', 'error', 'access_denied', [401, 'denied']],
    ['with a scope that is refused', 'error', 'invalid_scope', [502, 'settings']],
    ['with an unknown error', 'error', '<script>', [502, 'provider']],
  ] as const)('%s is refused, and nothing is stored', async (_, name, value, expected) => {
    const [browser, before] = [newBrowser(service), stored()];
    const url = await toProvider(browser);
    const page = await comeBack(browser, changed(wayBack(fake, url, someone()), name, value));
    await expectFailed(page, expected);
    expect(page.text).not.toContain('<script>');
    expect([stored(), browser.cookie]).toEqual([before, undefined]);
  });

  test('of another browser, or without a beginning, is refused', async () => {
    const [one, other] = [newBrowser(service), newBrowser(service)];
    const answer = wayBack(fake, await toProvider(one), someone());
    const before = stored();
    await expectFailed(await comeBack(other, answer), [401, 'state']);
    await toProvider(other);
    await expectFailed(await comeBack(other, answer), [401, 'state']);
    one.flow = one.flow?.replace(/=(.)/, (_, first) => `=${first === 'e' ? 'f' : 'e'}`);
    await expectFailed(await comeBack(one, answer), [401, 'state']);
    expect(stored()).toBe(before);
  });

  test('with a session cookie in place of the cookie of the sign-in is refused', async () => {
    const [browser, other] = [newBrowser(service), newBrowser(service)];
    await signInAs(other, fake, someone());
    const answer = wayBack(fake, await toProvider(browser), someone());
    browser.flow = `redoubt_oidc=${other.cookie?.replace(/^[^=]*=/, '')}`;
    await expectFailed(await comeBack(browser, answer), [401, 'state']);
  });

  test('is good once, also of a provider that would take its code again', async () => {
    const browser = newBrowser(service);
    const url = await toProvider(browser);
    const answer = wayBack(fake, url);
    expect((await comeBack(browser, answer)).status).toBe(303);
    const before = stored();
    const again = wayBack(fake, url);
    await expectFailed(await comeBack(browser, again), [401, 'state', /before/]);
    expect(stored()).toBe(before);
  });

  test('is limited by address: the eleventh in a minute waits', async () => {
    const browser = newBrowser(service);
    for (let tries = 0; tries < 10; tries += 1)
      expect((await comeBack(browser, new URLSearchParams({ state: 'x' }))).status).toBe(401);
    const { status, headers } = await comeBack(browser, new URLSearchParams({ state: 'x' }));
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toContain('redoubt_sign_ins_total{door="console",outcome="limited"} 1\n');
  });
});

test('a session ends when the provider says so, and no later than others', async () => {
  const lasting = async (session_expiry: number) => {
    fake.lies.claims = (claims) => ({ ...claims, session_expiry });
    const browser = newBrowser(service);
    await signInAs(browser, fake, ALICE);
    return browser;
  };
  const browser = await lasting(inSeconds(3_600_000));
  expect((await browser.get('/console')).status).toBe(200);
  rows(service, 'update operator_sessions set ends_at = ? where ends_at is not null', Date.now());
  expect((await browser.get('/console')).headers.get('location')).toBe('/console/sign-in');
  const later = await lasting(inSeconds(100 * 3_600_000));
  rows(service, 'update operator_sessions set started_at = started_at - ?', 12 * 3_600_000);
  expect((await later.get('/console')).headers.get('location')).toBe('/console/sign-in');
});

/** Signs an owner in whose credentials were given more than half an hour ago. */
async function ownerOfBefore(person = someone(['redoubt-owners'])): Promise<[Browser, typeof person]> {
  const browser = newBrowser(service);
  await signInAs(browser, fake, { ...person, auth_time: inSeconds(-31 * 60_000) });
  return [browser, person];
}
const TOKEN = { name: 'shop', 'status:read': '1', days: '30', reason: 'the "night" shift' };

describe('an act that asks for the password again', () => {
  test('goes to the provider, which asks for credentials, and is done with what was typed', async () => {
    const [browser, person] = await ownerOfBefore();
    const asked = await browser.post('/console/tokens/create', TOKEN);
    expect([asked.status, asked.text.includes('type="password"')]).toEqual([200, false]);
    expect(asked.text).toContain('href="/console/oidc/confirm"');
    const url = await toProvider(browser, '/console/oidc/confirm');
    const { searchParams: sent } = new URL(url);
    expect([sent.get('prompt'), sent.get('max_age')]).toEqual(['login', '0']);
    const before = browser.cookie;
    const back = await comeBack(browser, wayBack(fake, url, person));
    expect([back.status, back.headers.get('location')]).toEqual([303, '/console/oidc/continue']);
    const { text } = await browser.get('/console/oidc/continue');
    expect([text.includes('action="/console/tokens/create"'), text.includes('&quot;night&quot;')]).toEqual([
      true,
      true,
    ]);
    expect(rows(service, 'select name from admin_tokens')).toEqual([]);
    expect((await browser.post('/console/tokens/create', TOKEN)).status).toBe(303);
    expect(rows(service, 'select name from admin_tokens')).toEqual([{ name: 'shop' }]);
    browser.cookie = before;
    expect((await browser.get('/console')).headers.get('location')).toBe('/console/sign-in');
  });

  const { sub, ...ofAlice } = ALICE;
  test.each([
    ['credentials of before', { auth_time: inSeconds(-120_000) }, [401, 'stale']],
    ['no time of credentials', { auth_time: undefined }, [401, 'stale']],
    ['another person', { ...ofAlice, sub: 'mallory' }, [401, 'person']],
    ['no role any more', { groups: [] }, [403, 'role']],
  ] as const)('is not done by %s', async (_, claims, expected) => {
    const [browser, person] = await ownerOfBefore();
    await browser.post('/console/operators/add', { name: 'evil', role: 'owner' });
    const url = await toProvider(browser, '/console/oidc/confirm');
    await expectFailed(await comeBack(browser, wayBack(fake, url, { ...person, ...claims })), expected);
    const asked = await browser.post('/console/operators/add', { name: 'evil', role: 'owner' });
    expect(asked.headers.get('location') ?? asked.text).toMatch(/oidc\/confirm|sign-in/);
    expect(operators()).not.toContainEqual(expect.objectContaining({ name: 'evil' }));
  });

  test('has no other role than the provider gives now', async () => {
    const [browser, person] = await ownerOfBefore();
    await browser.post('/console/operators/add', { name: 'evil', role: 'owner' });
    const url = await toProvider(browser, '/console/oidc/confirm');
    await comeBack(browser, wayBack(fake, url, { ...person, groups: ['helpdesk'] }));
    expect((await browser.post('/console/operators/add', { name: 'evil', role: 'owner' })).status).toBe(403);
    expect(operators()).not.toContainEqual(expect.objectContaining({ name: 'evil' }));
  });

  test('is no way for those who have not signed in', async () => {
    const { status, headers } = await newBrowser(service).get('/console/oidc/confirm');
    expect([status, headers.get('location')]).toEqual([303, '/console/sign-in']);
  });
});

test('sign-out ends our session, and goes no further where the provider offers no more', async () => {
  const browser = newBrowser(service);
  await signInAs(browser, fake);
  const { cookie } = browser;
  expect((await browser.post('/console/sign-out')).headers.get('location')).toBe('/console/sign-in');
  browser.cookie = cookie;
  expect((await browser.get('/console')).headers.get('location')).toBe('/console/sign-in');
});

test('a thousand operators leave no room for another, who is refused in words', async () => {
  rows(
    service,
    `insert into operators (name, role, created_at)
      with recursive n(number) as (select 1 union all select number + 1 from n where number < 1000)
      select 'many-' || number, 'viewer', 1 from n`,
  );
  const before = stored();
  await expectFailed(await signInAs(newBrowser(service), fake, someone()), [409, 'full']);
  expect(stored()).toBe(before);
  expect((await signInAs(newBrowser(service), fake)).status).toBe(303);
  rows(service, "delete from operators where name like 'many-%'");
});

test('a rotated key is read at an unknown name, at most once a minute; another is refused until then', async () => {
  await signInAs(newBrowser(service), fake);
  fake.asked.length = 0;
  await fake.rotate('second');
  // The keys were read less than a minute ago.
  for (let tries = 0; tries < 3; tries += 1)
    await expectFailed(await signInAs(newBrowser(service), fake), [502, 'token', /no key/]);
  expect(fake.asked.filter((path) => path === '/keys')).toEqual([]);
});

test('a browser that came by another address is sent to the address of the console first, once', async () => {
  const elsewhere = newBrowser(service);
  const seen = { host: `localhost:${new URL(service.adminUrl).port}` };
  const first = await elsewhere.get('/console/oidc/sign-in', seen);
  expect(first.headers.get('location')).toBe(`${service.adminUrl}/console/oidc/sign-in?here=1`);
  const second = await elsewhere.get('/console/oidc/sign-in?here=1', seen);
  expect(second.headers.get('location')).toStartWith(`${fake.issuer}/authorize?`);
});

test('nothing of tokens, codes, secrets or groups is in the log', () => {
  const log = service.log();
  for (const text of [
    'redoubt-owners',
    'id_token',
    'code_verifier',
    'eyJ',
    'preferred_username',
    'code=',
    'state=',
  ])
    expect([text, log.includes(text)]).toEqual([text, false]);
});
