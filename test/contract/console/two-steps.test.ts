import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { consoleRoutes } from '../../support/admin.ts';
import { Browser, operatorOf, PASSWORD, setUpSecondFactor } from '../../support/console.ts';
import { type RunningService, start } from '../../support/service.ts';
import { everythingKept, rows } from '../../support/store.ts';

// Needs many passwords to be hashed.

const CODE = '/console/sign-in/code';
const PROXY = { SERVICE_ADMIN_TRUSTED_PROXIES: '127.0.0.1' };

let service: RunningService;
beforeAll(async () => {
  // Its own process: it trusts a proxy, so that each browser has its own address.
  service = await start('binary', PROXY);
});
afterAll(() => service.end());

let addresses = 0;
function newBrowser(of = service): Browser {
  const browser = new Browser(of);
  addresses += 1;
  browser.address = `10.0.${addresses >> 8}.${addresses & 255}`;
  return browser;
}

const count = (what: string) => rows(service, `select count(*) as n from ${what}`)[0]?.n;
const audited = (action: string, name: string) =>
  rows(
    service,
    'select actor, after from audit_log where action = ? and subject = ? order by id',
    action,
    `operator:${name}`,
  );

/** An operator with a second factor and no used code. */
async function withFactor(name: string, role = 'viewer') {
  const browser = await operatorOf(service, name, role);
  const app = await setUpSecondFactor(browser);
  forget(name);
  return { ...app, browser };
}
const forget = (name: string) =>
  rows(service, 'update operators set totp_last_step = null where name = ?', name);

/** A browser after the password step. */
async function waitingOf(name: string): Promise<Browser> {
  const browser = newBrowser();
  const answer = await browser.signIn(name);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, CODE]);
  return browser;
}
const isIn = async (browser: Browser) => (await browser.get('/console')).status === 200;

/** Paths that need a session, as a browser would request them. */
const GUARDED = consoleRoutes
  .filter(({ path }) => /^\/console(\/|$)/.test(path) && !/sign-in|welcome|-[0-9a-f]{12}\.\w+$/.test(path))
  .map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, '1') }));
const ask = (browser: Browser, { method, path }: { method: string; path: string }) =>
  method === 'GET' ? browser.get(path) : browser.post(path, { name: 'x', role: 'owner', password: PASSWORD });

describe('with a second factor', () => {
  test('the password alone opens nothing, and the code starts a session with another token', async () => {
    const { code } = await withFactor('alice', 'owner');
    const browser = await waitingOf('alice');
    const before = { operators: count('operators'), signIns: audited('operator.sign-in', 'alice').length };
    expect(GUARDED.length).toBeGreaterThan(10);
    for (const route of GUARDED) {
      const { status, headers } = await ask(browser, route);
      expect([route, status, headers.get('location')]).toEqual([route, 303, '/console/sign-in']);
    }
    expect(count('operators')).toBe(before.operators as number);
    expect(audited('operator.sign-in', 'alice').length).toBe(before.signIns);
    const copy = newBrowser();
    copy.cookie = browser.cookie;
    expect((await browser.get(CODE)).text).toContain('one-time-code');
    const answer = await browser.post(CODE, { code: code() });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console']);
    expect(browser.cookie).not.toBe(copy.cookie);
    expect([await isIn(browser), await isIn(copy)]).toEqual([true, false]);
    const again = await copy.post(CODE, { code: code(1) });
    expect([again.status, again.headers.get('location')]).toEqual([303, '/console/sign-in']);
    expect(audited('operator.sign-in', 'alice').slice(before.signIns)).toEqual([
      { actor: 'operator:alice', after: '{"second_factor":"totp"}' },
    ]);
  });

  test('its existence is not revealed without the password', async () => {
    await withFactor('quiet');
    await operatorOf(service, 'plain', 'viewer');
    const texts = await Promise.all(
      ['quiet', 'plain'].map(async (name) => {
        const { status, text } = await newBrowser().signIn(name, 'wrong horse battery');
        return [status, text.replaceAll(name, '')];
      }),
    );
    expect(texts[0]).toEqual(texts[1] as (string | number)[]);
    expect((await newBrowser().get(CODE)).headers.get('location')).toBe('/console/sign-in');
  });

  test('a code is valid once, none of an earlier period is valid after it, and each attempt is recorded', async () => {
    const { code } = await withFactor('replay');
    const used = code(1);
    await (await waitingOf('replay')).post(CODE, { code: used });
    const thief = await waitingOf('replay');
    const before = count('operator_sessions');
    for (const old of [used, code(0), '000 000x', '', 'x'.repeat(5_000)]) {
      const { status, text } = await thief.post(CODE, { code: old });
      expect([status, text]).toEqual([401, expect.stringContaining('role="alert"')]);
    }
    expect([await isIn(thief), count('operator_sessions')]).toEqual([false, before]);
    // The other four are counted, and written within a minute.
    expect(audited('operator.sign-in-failed', 'replay')).toEqual([
      { actor: 'system', after: '{"second_factor":"wrong"}' },
    ]);
  });

  test.each(['totp', 'recovery'])('one %s code in two browsers at once signs in one', async (factor) => {
    const name = `twice-${factor}`;
    const { code, recoveryCodes } = await withFactor(name);
    const browsers = await Promise.all([waitingOf(name), waitingOf(name)]);
    const given = factor === 'totp' ? code() : (recoveryCodes[0] ?? '');
    const statuses = await Promise.all(
      browsers.map(async (browser) => (await browser.post(CODE, { code: given })).status),
    );
    expect(statuses.toSorted()).toEqual([303, 401]);
    expect((await Promise.all(browsers.map(isIn))).filter(Boolean).length).toBe(1);
  });

  test('a recovery code signs its own operator in once, in any spelling', async () => {
    const { recoveryCodes } = await withFactor('loser');
    const { recoveryCodes: others, code: otherCode } = await withFactor('other');
    const browser = await waitingOf('loser');
    for (const foreign of [others[0] ?? '', otherCode()])
      expect((await browser.post(CODE, { code: foreign })).status).toBe(401);
    const [first = ''] = recoveryCodes;
    const typed = ` ${first.toUpperCase().replaceAll('-', ' ')}`;
    expect((await browser.post(CODE, { code: typed })).status).toBe(303);
    expect((await (await waitingOf('loser')).post(CODE, { code: first })).status).toBe(401);
    expect(audited('operator.sign-in', 'loser').at(-1)?.after).toBe('{"second_factor":"recovery"}');
    const kept = 'operator_recovery_codes where operator_id = (select id from operators where name';
    expect([count(`${kept} = 'loser')`), count(`${kept} = 'other')`)]).toEqual([9, 10]);
  });

  test('codes are guessed five times, with any passwords in between and from any address', async () => {
    const { code } = await withFactor('guessed');
    for (let tried = 0; tried < 5; tried += 1)
      expect((await (await waitingOf('guessed')).post(CODE, { code: '00000' })).status).toBe(401);
    const more = newBrowser();
    expect((await more.signIn('guessed')).headers.get('location')).toBe(CODE);
    const answer = await more.post(CODE, { code: code() });
    expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(await isIn(more)).toBe(false);
  });

  test('a session from before the delay is delayed as well', async () => {
    const { code } = await withFactor('patient');
    const browser = await waitingOf('patient');
    const tries = Array.from({ length: 8 }, () => browser.post(CODE, { code: '00000' }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBe(5);
    expect((await browser.post(CODE, { code: code() })).status).toBe(429);
    expect(await isIn(browser)).toBe(false);
  });

  test('the code expires after five minutes', async () => {
    const { code } = await withFactor('slow');
    const browser = await waitingOf('slow');
    rows(
      service,
      'update operator_sessions set started_at = ? where awaits_code = 1',
      Date.now() - 5 * 60_000,
    );
    const answer = await browser.post(CODE, { code: code() });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/sign-in']);
    expect(await isIn(browser)).toBe(false);
  });

  test('another password, chosen with a link, removes no code', async () => {
    const { code } = await withFactor('linked');
    const { link } = JSON.parse(await service.command('operator', 'link', 'linked', '--json'));
    const browser = newBrowser();
    const renewed = { password: 'a new horse battery', again: 'a new horse battery' };
    const chosen = await browser.post(link.slice(link.indexOf('/console')), renewed);
    expect([chosen.headers.get('location'), await isIn(browser)]).toEqual([CODE, false]);
    await browser.post(CODE, { code: code() });
    expect(await isIn(browser)).toBe(true);
  });

  test('a secret sealed for another operator opens nothing, names the remedy, and keeps recovery codes valid', async () => {
    const { code } = await withFactor('giver');
    const { recoveryCodes } = await withFactor('taker');
    rows(
      service,
      "update operators set totp_secret = (select totp_secret from operators where name = 'giver') where name = 'taker'",
    );
    const browser = await waitingOf('taker');
    const answer = await browser.post(CODE, { code: code() });
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('reset-2fa taker')]);
    expect((await browser.post(CODE, { code: recoveryCodes[0] ?? '' })).status).toBe(303);
  });

  test('no secret or code is in the data directory or the log', async () => {
    const { secret, recoveryCodes } = await withFactor('hidden');
    const texts = [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))];
    const all = everythingKept(service);
    expect(texts.length).toBe(21);
    for (const text of texts) expect(all.some((kept) => kept.includes(text))).toBe(false);
  });

  test('another site cannot send the code', async () => {
    const { code } = await withFactor('foreign');
    const browser = await waitingOf('foreign');
    const answer = await browser.post(CODE, { code: code() }, { origin: 'https://evil.example' });
    expect([answer.status, await isIn(browser)]).toEqual([403, false]);
  });
});

test('with SERVICE_ADMIN_2FA=1, no operator can act without a second factor, by any path', async () => {
  const own = await start('binary', { ...PROXY, SERVICE_ADMIN_2FA: '1' });
  const browser = await operatorOf(own, 'olivia');
  const FREE = ['/console/account', '/console/account/begin', '/console/account/prove', '/console/sign-out'];
  const before = JSON.stringify(rows(own, 'select * from operators'));
  for (const route of GUARDED.filter(({ path }) => !FREE.includes(path))) {
    const { status, headers } = await ask(browser, route);
    expect([route, status, headers.get('location')]).toEqual([route, 303, '/console/account']);
  }
  expect(JSON.stringify(rows(own, 'select * from operators'))).toBe(before);
  const page = await browser.get('/console/account');
  expect([page.text.includes('requires a second factor'), page.text.includes('name="chosen"')]).toEqual([
    true,
    false,
  ]);
  await setUpSecondFactor(browser);
  expect([await isIn(browser), (await browser.get('/console/operators')).status]).toEqual([true, 200]);
  const off = await browser.post('/console/account/off', { password: PASSWORD, code: '000000' });
  expect([off.status, rows(own, 'select totp_confirmed_at is null as off from operators')]).toEqual([
    409,
    [{ off: 0 }],
  ]);
  await own.end();
});
