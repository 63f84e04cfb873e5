import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { tlsSettings } from '../../support/certificate.ts';
import { Browser, inviteOperator, operatorOf, PASSWORD } from '../../support/console.ts';
import { engineOf } from '../../support/engines.ts';
import { type RunningService, start } from '../../support/service.ts';
import { everythingKept, rows } from '../../support/store.ts';

// Needs many passwords to be hashed.

let service: RunningService;
beforeAll(async () => {
  // Its own process: it is killed, and sign-in attempts are limited by address.
  service = await start('binary');
});
afterAll(() => service.end());

const sessions = () => rows(service, 'select count(*) as n from operator_sessions')[0]?.n;
const audited = (action: string) =>
  rows(service, 'select actor, subject, request_id from audit_log where action = ? order by id', action);

test('without an operator, the console shows the command that creates the first one', async () => {
  const browser = new Browser(service);
  const page = await browser.get('/console/sign-in');
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('redoubt operator add')]);
  expect(page.text).not.toContain('type="password"');
  expect((await browser.signIn('alice')).status).toBe(401);
});

describe('a link', () => {
  test('lets its operator choose a password once, and signs in', async () => {
    const path = await inviteOperator(service, 'alice', 'owner');
    const browser = new Browser(service);
    expect((await browser.get(path)).text).toContain('value="alice"');
    const chosen = await browser.post(path, { password: PASSWORD, again: PASSWORD });
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/console']);
    expect((await browser.get('/console')).status).toBe(200);
    expect((await browser.get(path)).status).toBe(404);
    expect((await browser.post(path, { password: PASSWORD, again: PASSWORD })).status).toBe(404);
    expect(audited('operator.password')).toMatchObject([
      { actor: 'operator:alice', subject: 'operator:alice' },
    ]);
  });

  test('stores a password at full cost, also in an environment of tests', async () => {
    // With every variable that could ask for cheap hashes.
    const environment = { ...process.env, NODE_ENV: 'test', BUN_ENV: 'test' } as Record<string, string>;
    const own = await start('binary', environment);
    const path = await inviteOperator(own, 'alice', 'owner');
    expect((await new Browser(own).post(path, { password: PASSWORD, again: PASSWORD })).status).toBe(303);
    expect(rows(own, 'select password_hash from operators')).toEqual([
      { password_hash: expect.stringMatching(/^scrypt\$15\$8\$3\$/) },
    ]);
    await own.end();
  });

  test('used twice together sets one password', async () => {
    const path = await inviteOperator(service, 'twice', 'viewer');
    const passwords = ['first horse battery', 'second horse battery'];
    const statuses = await Promise.all(
      passwords.map(
        async (password) => (await new Browser(service).post(path, { password, again: password })).status,
      ),
    );
    expect(statuses.toSorted()).toEqual([303, 404]);
    const right = passwords[statuses.indexOf(303)] as string;
    expect((await new Browser(service).signIn('twice', right)).status).toBe(303);
  });

  test('is valid for 15 minutes', async () => {
    const path = await inviteOperator(service, 'late', 'viewer');
    rows(service, "update operators set link_expires_at = ? where name = 'late'", Date.now());
    expect((await new Browser(service).post(path, { password: PASSWORD, again: PASSWORD })).status).toBe(404);
    expect(rows(service, "select password_hash from operators where name = 'late'")).toEqual([
      { password_hash: null },
    ]);
  });

  test.each([
    ['too short', 'only elevenn'.slice(0, 11), undefined],
    ['of one character', 'a'.repeat(20), undefined],
    ['of the name alone', 'shorty-shorty', undefined],
    ['typed twice in two ways', PASSWORD, 'another horse battery'],
  ])('accepts no password that is %s', async (what, password, again = password) => {
    const name = what === 'of the name alone' ? 'shorty-short' : `p${what.length}`;
    const path = await inviteOperator(service, name, 'viewer');
    const page = await new Browser(service).post(path, { password, again });
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('role="alert"')]);
    expect(page.text).not.toContain(password);
    expect(rows(service, 'select password_hash from operators where name = ?', name)).toEqual([
      { password_hash: null },
    ]);
  });
});

describe('signing in', () => {
  test('sets a cookie that no script reads and no other site sends, with a new session each time', async () => {
    const browser = new Browser(service);
    browser.cookie = `redoubt_console=${'A'.repeat(43)}`;
    const before = sessions();
    const answer = await browser.signIn('alice');
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      /^redoubt_console=[\w-]{43}[.][\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(cookie).not.toContain('AAAA');
    expect(sessions()).toBe(Number(before) + 1);
    const old = browser.cookie;
    await browser.signIn('alice');
    const thief = new Browser(service);
    thief.cookie = old;
    expect((await thief.get('/console')).headers.get('location')).toBe('/console/sign-in');
  });

  test('over TLS binds the cookie to the host and to TLS', async () => {
    const tls = tlsSettings();
    const secure = await start('binary', {
      SERVICE_ADMIN_TLS_CERT: tls.SERVICE_TLS_CERT,
      SERVICE_ADMIN_TLS_KEY: tls.SERVICE_TLS_KEY,
    });
    const path = await inviteOperator(secure, 'alice', 'owner');
    const answer = await fetch(secure.adminUrl + path, {
      method: 'POST',
      body: new URLSearchParams({ password: PASSWORD, again: PASSWORD }),
      headers: { origin: secure.adminUrl },
      redirect: 'manual',
      tls: { rejectUnauthorized: false },
    });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-redoubt_console=.*; Secure$/);
    await secure.end();
  });

  test('answers a wrong name like a wrong password, and logs each attempt without its input', async () => {
    const own = await start('binary');
    await operatorOf(own, 'alice');
    const wrong = await new Browser(own).signIn('alice', 'wrong horse battery');
    const nobody = await new Browser(own).signIn('hunter2-is-my-password', PASSWORD);
    expect([wrong.status, nobody.status]).toEqual([401, 401]);
    const words = (text: string) => /role="alert">([^<]*)</.exec(text)?.[1];
    expect(words(wrong.text)).toBe(words(nobody.text) as string);
    const failed = rows(
      own,
      "select actor, subject from audit_log where action = 'operator.sign-in-failed' order by id",
    );
    expect(failed).toEqual([
      { actor: 'system', subject: 'operator:alice' },
      { actor: 'system', subject: null },
    ]);
    expect(JSON.stringify(rows(own, 'select * from audit_log'))).not.toContain('hunter2');
    expect(own.log()).not.toContain('hunter2');
    await own.end();
  });

  test('no password, link or session is in the data directory', async () => {
    const browser = await operatorOf(service, 'secret', 'viewer');
    const token = browser.cookie?.split('=')[1] as string;
    for (const kept of everythingKept(service))
      expect([kept.includes(PASSWORD), kept.includes(token)]).toEqual([false, false]);
  });
});

describe('guessing', () => {
  test('is limited to ten attempts a minute for an address, and a name is delayed after five failures', async () => {
    const own = await start('binary');
    const browser = await operatorOf(own, 'alice');
    const tries: number[] = [];
    for (let tried = 0; tried < 6; tried += 1)
      tries.push((await new Browser(own).signIn('alice', 'wrong horse battery')).status);
    expect(tries).toEqual([401, 401, 401, 401, 401, 429]);
    const right = await new Browser(own).signIn('alice');
    expect([right.status, Number(right.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect((await browser.signIn('alice')).status).toBe(303);
    const others = Array.from({ length: 12 }, (_, at) => new Browser(own).signIn(`nobody-${at}`));
    expect((await Promise.all(others)).map(({ status }) => status)).toContain(429);
    expect((await browser.signIn('alice')).status).toBe(303);
    expect((await browser.get('/console')).status).toBe(200);
    await own.end();
  });

  test('delays the address of the guesses, not the person at another one', async () => {
    const own = await start('binary', { SERVICE_ADMIN_TRUSTED_PROXIES: '127.0.0.1' });
    await operatorOf(own, 'alice');
    const at = (address: string) => Object.assign(new Browser(own), { address });
    const tries: number[] = [];
    for (let tried = 0; tried < 8; tried += 1)
      tries.push((await at('192.0.2.1').signIn('alice', 'wrong horse battery')).status);
    expect(tries).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    expect((await at('192.0.2.1').signIn('alice')).status).toBe(429);
    expect((await at('192.0.2.2').signIn('alice')).status).toBe(303);
    await own.end();
  });

  test('adds one audit entry a minute and subject, with the number of attempts', async () => {
    const own = await start('binary', { SERVICE_ADMIN_TRUSTED_PROXIES: '127.0.0.1' });
    await operatorOf(own, 'alice');
    for (let tried = 0; tried < 12; tried += 1) {
      const browser = Object.assign(new Browser(own), { address: `192.0.2.${tried}` });
      await browser.signIn(tried % 2 === 0 ? 'alice' : 'nobody', 'wrong horse battery');
    }
    const entries = () =>
      rows(own, "select subject, after from audit_log where action = 'operator.sign-in-failed' order by id");
    expect(entries()).toEqual([
      { subject: 'operator:alice', after: null },
      { subject: null, after: null },
    ]);
    await own.end();
    expect(entries().slice(2)).toEqual([
      { subject: 'operator:alice', after: '{"tries":5}' },
      { subject: null, after: '{"tries":5}' },
    ]);
  });

  test('and requests of other sites do not affect a signed-in operator', async () => {
    const own = await start('binary');
    const browser = await operatorOf(own, 'alice');
    const stranger = new Browser(own);
    stranger.cookie = `redoubt_console=${'A'.repeat(43)}.${'A'.repeat(43)}`;
    const statuses = new Set<number>();
    for (let asked = 0; asked < 640; asked += 1)
      statuses.add((await stranger.get('/console/sign-in', { 'sec-fetch-site': 'cross-site' })).status);
    expect([...statuses]).toEqual([200, 429]);
    for (const path of ['/console', '/console/licenses', '/console/account', '/console/sign-in'])
      expect([path, (await browser.get(path)).status]).toEqual([path, path.endsWith('sign-in') ? 303 : 200]);
    expect((await browser.post('/console/sign-out')).status).toBe(303);
    await own.end();
  });
});

test('concurrent attempts are counted before they are checked', async () => {
  const own = await start('binary');
  await operatorOf(own, 'alice');
  const tries = Array.from({ length: 8 }, () => new Browser(own).signIn('alice', 'wrong horse battery'));
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401).length).toBe(5);
  await own.end();
});

test('a password that is replaced during its check begins no session', async () => {
  const own = await start('binary');
  const browser = await operatorOf(own, 'changer', 'viewer');
  const { link } = JSON.parse(await own.command('operator', 'link', 'changer', '--json'));
  const renewed = 'a new horse battery';
  const path = link.slice(link.indexOf('/console'));
  const signingIn = Array.from({ length: 4 }, () => new Browser(own));
  const answers = await Promise.all([
    browser.post(path, { password: renewed, again: renewed }),
    ...signingIn.map((each) => each.signIn('changer')),
  ]);
  expect(answers[0]?.status).toBe(303);
  for (const each of signingIn) expect((await each.get('/console')).status).toBe(303);
  await own.end();
});

test('a cookie with an appended value is not another session', async () => {
  const browser = await operatorOf(service, 'cookies', 'viewer');
  browser.cookie = `${browser.cookie}; redoubt_consoleZ`;
  expect((await browser.get('/console')).status).toBe(200);
});

describe('a session', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends with the process, after any signal: %s',
    async (signal) => {
      let own = await start('binary');
      const browser = await operatorOf(own, 'alice');
      const waiting = browser.cookie as string;
      await own.command('reload');
      expect((await browser.get('/console')).status).toBe(200);
      await own.end(signal);
      own = await start('binary', own.env);
      const after = new Browser(own);
      for (const cookie of [waiting, waiting.split('.')[0] as string, `${waiting.split('.')[0]}.`]) {
        after.cookie = cookie;
        expect((await after.get('/console')).headers.get('location')).toBe('/console/sign-in');
      }
      expect((await after.signIn('alice')).status).toBe(303);
      // Where several nodes share a database, those of another one must stay.
      const left = engineOf(import.meta).name === 'SQLite' ? 1 : 2;
      expect(rows(own, 'select 1 from operator_sessions')).toHaveLength(left);
      await own.end();
    },
  );

  test('ends with signing out, also for a copy of its cookie', async () => {
    const browser = await operatorOf(service, 'leaver', 'viewer');
    const thief = new Browser(service);
    thief.cookie = browser.cookie;
    expect((await browser.post('/console/sign-out')).headers.get('location')).toBe('/console/sign-in');
    expect(browser.cookie).toBeUndefined();
    expect((await thief.get('/console')).status).toBe(303);
  });

  test('ends after twelve hours, and when its operator is disabled or chooses another password', async () => {
    const browser = await operatorOf(service, 'carol', 'viewer');
    const isIn = async () => (await browser.get('/console')).status === 200;
    rows(service, 'update operator_sessions set started_at = ?', Date.now() - 12 * 3_600_000);
    expect(await isIn()).toBe(false);
    await browser.signIn('carol');
    expect(await isIn()).toBe(true);
    await service.command('operator', 'disable', 'carol');
    expect([await isIn(), (await browser.signIn('carol')).status]).toEqual([false, 401]);
    await service.command('operator', 'enable', 'carol');
    await browser.signIn('carol');
    const { link } = JSON.parse(await service.command('operator', 'link', 'carol', '--json'));
    const other = new Browser(service);
    await other.post(link.slice(link.indexOf('/console')), {
      password: 'a new horse battery',
      again: 'a new horse battery',
    });
    expect([await isIn(), (await other.get('/console')).status]).toEqual([false, 200]);
  });
});

describe('another name that leads to the console', () => {
  test.each([
    ['no proxy is trusted', {}],
    ['this host is trusted', { SERVICE_TRUSTED_PROXIES: '127.0.0.1' }],
    ['a proxy of the console is trusted', { SERVICE_ADMIN_TRUSTED_PROXIES: '127.0.0.1' }],
  ])('is refused with any trusted proxy: %s', async (_, settings) => {
    const own = await start('binary', { ...settings, SERVICE_ADMIN_URL: 'https://desk.example.com' });
    await operatorOf(own, 'alice');
    const { port } = new URL(own.adminUrl);
    const evil = `http://evil.example:${port}`;
    const form = { name: 'alice', password: PASSWORD };
    const browser = new Browser(own);
    const status = async (headers: Record<string, string>) =>
      (await browser.post('/console/sign-in', form, headers)).status;
    expect(await status({ host: `evil.example:${port}`, origin: evil })).toBe(403);
    expect(await status({ origin: evil, 'x-forwarded-host': `evil.example:${port}` })).toBe(403);
    expect(rows(own, 'select 1 from operator_sessions')).toHaveLength(1);
    const proxied = {
      origin: 'https://desk.example.com',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'desk.example.com',
    };
    const isTrusted = 'SERVICE_ADMIN_TRUSTED_PROXIES' in settings;
    expect(await status(proxied)).toBe(isTrusted ? 303 : 403);
    expect(browser.cookie?.startsWith('__Host-redoubt_console=') ?? false).toBe(isTrusted);
    await own.end();
  });
});

describe('another site', () => {
  test.each<[string, Record<string, string>]>([
    ['its own origin', { origin: 'https://evil.example' }],
    ['no origin', {}],
    ['a hidden origin', { origin: 'null' }],
    ['a foreign Sec-Fetch-Site', { 'sec-fetch-site': 'same-site' }],
    [
      'a forwarded host that nobody trusts',
      { origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' },
    ],
  ])('cannot make a browser send a form: %s', async (what, headers) => {
    const browser = await operatorOf(service, `csrf${what.length}`, 'owner');
    const own = what.includes('Sec-Fetch') ? { origin: service.adminUrl } : {};
    for (const path of ['/console/sign-out', '/console/operators/add', '/console/sign-in']) {
      const answer = await browser.post(path, { name: 'mallory', role: 'owner' }, { ...own, ...headers });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect(rows(service, "select 1 from operators where name = 'mallory'")).toEqual([]);
    expect((await browser.get('/console')).status).toBe(200);
  });

  test('cannot frame a page, and its links lead to a page that repeats the request with the cookie', async () => {
    const browser = await operatorOf(service, 'framed', 'viewer');
    const page = await browser.get('/console');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    browser.cookie = undefined;
    const first = await browser.get('/console', { 'sec-fetch-site': 'cross-site' });
    expect([first.status, first.text]).toEqual([
      200,
      expect.stringContaining('http-equiv="refresh" content="0"'),
    ]);
  });
});

test('a session is not accepted under a foreign host name', async () => {
  const browser = await operatorOf(service, 'host');
  const { host } = new URL(service.adminUrl);
  const at = async (name: string) => {
    const { status, headers } = await fetch(`${service.adminUrl}/console`, {
      headers: { host: name, cookie: String(browser.cookie) },
      redirect: 'manual',
    });
    return [status, headers.get('location')];
  };
  for (const own of [host, host.replace('127.0.0.1', 'localhost'), host.replace('127.0.0.1', '[::1]')])
    expect(await at(own)).toEqual([200, null]);
  for (const name of ['evil.com', host.replace('127.0.0.1', 'localhost.evil.com'), 'evil.com:80'])
    expect(await at(name)).toEqual([303, '/console/sign-in']);
});
