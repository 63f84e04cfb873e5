import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Browser, operatorOf, PASSWORD, setUpSecondFactor } from '../../support/console.ts';
import { type RunningService, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

// Needs many passwords to be hashed.

const ACCOUNT = '/console/account';
const RENEWED = 'a new horse battery';
const RECOVERY = /([0-9a-z]{4}-){3}[0-9a-z]{4}/g;

let service: RunningService;
beforeAll(async () => {
  // Its own process: it trusts a proxy, so that each browser has its own address.
  service = await start('binary', { SERVICE_ADMIN_TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => service.end());

let addresses = 0;
async function signedIn(name: string, role = 'viewer'): Promise<Browser> {
  const browser = await operatorOf(service, name, role);
  addresses += 1;
  browser.address = `10.1.0.${addresses}`;
  return browser;
}
async function another(name: string, password = PASSWORD): Promise<Browser> {
  const browser = new Browser(service);
  addresses += 1;
  browser.address = `10.1.0.${addresses}`;
  await browser.signIn(name, password);
  return browser;
}
const isIn = async (browser: Browser) => (await browser.get('/console')).status === 200;
const kept = (name: string) =>
  JSON.stringify([
    rows(service, 'select * from operators where name = ?', name),
    rows(service, 'select * from operator_recovery_codes order by 1, 2'),
    rows(service, 'select operator_id from operator_sessions order by 1'),
  ]);
const audited = (action: string, name: string) =>
  rows(
    service,
    'select actor, reason, after from audit_log where action = ? and subject = ?',
    action,
    `operator:${name}`,
  );
const forgetStep = (name: string) =>
  rows(service, 'update operators set totp_last_step = null where name = ?', name);
const hasFactor = async (name: string) =>
  JSON.parse(await service.command('operator', 'list', '--json')).find(
    (each: { name: string }) => each.name === name,
  ).second_factor;

test.each(['viewer', 'operator', 'owner'])(
  'a %s sees his own account, linked on every page',
  async (role) => {
    const browser = await signedIn(`is-${role}`, role);
    expect((await browser.get('/console')).text).toMatch(
      new RegExp(`<a href="${ACCOUNT}"><i [^>]*>I</i>is-${role}</a>`),
    );
    const { status, text } = await browser.get(ACCOUNT);
    expect([status, text]).toEqual([200, expect.stringContaining(`is-${role} (${role})`)]);
  },
);

describe('the password', () => {
  test('is changed with the current one; other sessions and links end, and this one gets a new token', async () => {
    const browser = await signedIn('carol');
    const other = await another('carol');
    const copy = new Browser(service);
    copy.cookie = browser.cookie;
    const { link } = JSON.parse(await service.command('operator', 'link', 'carol', '--json'));
    const form = { password: PASSWORD, chosen: RENEWED, again: RENEWED };
    const answer = await browser.post(`${ACCOUNT}/password`, form);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, ACCOUNT]);
    expect(browser.cookie).not.toBe(copy.cookie);
    expect(await Promise.all([browser, other, copy].map(isIn))).toEqual([true, false, false]);
    expect((await copy.get(link.slice(link.indexOf('/console')))).status).toBe(404);
    expect([await isIn(await another('carol')), await isIn(await another('carol', RENEWED))]).toEqual([
      false,
      true,
    ]);
    expect(audited('operator.password', 'carol').length).toBe(2);
  });

  test.each([
    ['a wrong present one', 401, { password: 'wrong horse battery' }],
    ['none', 401, { password: '' }],
    ['two that differ', 400, { again: 'another horse battery' }],
    ['one that is too short', 400, { chosen: 'short', again: 'short' }],
  ])('is not changed by %s', async (what, status, wrong) => {
    const name = `keeps${what.length}`;
    const browser = await signedIn(name);
    const before = kept(name);
    const form = { password: PASSWORD, chosen: RENEWED, again: RENEWED, ...wrong };
    const page = await browser.post(`${ACCOUNT}/password`, form);
    expect([page.status, page.text]).toEqual([status, expect.stringContaining('role="alert"')]);
    expect([page.text.includes(RENEWED), kept(name)]).toEqual([false, before]);
  });
});

describe('a second factor', () => {
  test('is required once it was confirmed; its recovery codes are shown once, and other sessions end', async () => {
    const browser = await signedIn('dora');
    const other = await another('dora');
    await browser.post(`${ACCOUNT}/begin`);
    expect((await browser.get(ACCOUNT)).text).toContain('<svg class="qr"');
    const wrong = await browser.post(`${ACCOUNT}/prove`, { code: '00000' });
    expect([wrong.status, await hasFactor('dora'), await isIn(other)]).toEqual([409, false, true]);
    const { recoveryCodes, secret } = await setUpSecondFactor(browser);
    expect([new Set(recoveryCodes).size, await hasFactor('dora')]).toEqual([10, true]);
    expect([await isIn(browser), await isIn(other)]).toEqual([true, false]);
    const { text } = await browser.get(ACCOUNT);
    expect([text.match(RECOVERY), text.includes(secret)]).toEqual([null, false]);
    expect(audited('operator.2fa-on', 'dora')).toEqual([
      { actor: 'operator:dora', reason: null, after: null },
    ]);
    const before = kept('dora');
    expect((await browser.post(`${ACCOUNT}/begin`)).status).toBe(409);
    expect(kept('dora')).toBe(before);
  });

  test('needs the password to begin after half an hour', async () => {
    const browser = await signedIn('late');
    rows(service, 'update operator_sessions set confirmed_at = ?', Date.now() - 30 * 60_000);
    const before = kept('late');
    expect((await browser.post(`${ACCOUNT}/begin`, { password: 'wrong horse battery' })).status).toBe(401);
    expect(kept('late')).toBe(before);
    expect((await browser.post(`${ACCOUNT}/begin`, { password: PASSWORD })).status).toBe(303);
    expect((await browser.get(ACCOUNT)).text).toContain('otpauth://totp/Redoubt:late?');
  });

  test('gets new recovery codes for the password, and the previous ones are invalid', async () => {
    const browser = await signedIn('erin');
    const { recoveryCodes: old } = await setUpSecondFactor(browser);
    const before = kept('erin');
    expect((await browser.post(`${ACCOUNT}/recovery-codes`, { password: 'wrong' })).status).toBe(401);
    expect(kept('erin')).toBe(before);
    const { text } = await browser.post(`${ACCOUNT}/recovery-codes`, { password: PASSWORD });
    const [first = ''] = text.match(RECOVERY) ?? [];
    const entering = await another('erin');
    expect((await entering.post('/console/sign-in/code', { code: old[0] ?? '' })).status).toBe(401);
    expect((await entering.post('/console/sign-in/code', { code: first })).status).toBe(303);
    expect(audited('operator.recovery-codes', 'erin').length).toBe(1);
  });

  test('is switched off with password and code together, and with neither alone', async () => {
    const browser = await signedIn('fay');
    const { code } = await setUpSecondFactor(browser);
    const before = kept('fay');
    const off = (form: Record<string, string>) => browser.post(`${ACCOUNT}/off`, form);
    expect((await off({ password: 'wrong horse battery', code: code(1) })).status).toBe(401);
    // The code that confirmed the secret was used then.
    for (const wrong of [code(), '00000', '']) {
      expect((await off({ password: PASSWORD, code: wrong })).status).toBe(401);
    }
    expect(kept('fay')).toBe(before);
    expect((await off({ password: PASSWORD, code: code(1) })).status).toBe(303);
    expect([await hasFactor('fay'), await isIn(await another('fay'))]).toEqual([false, true]);
    expect(kept('fay')).not.toContain('"totp_secret":"');
    expect(audited('operator.2fa-off', 'fay').length).toBe(1);
  });

  test('cannot be guessed off by a session with its password: codes are delayed after five', async () => {
    const browser = await signedIn('gina');
    const { code } = await setUpSecondFactor(browser);
    for (let tried = 0; tried < 5; tried += 1) {
      browser.address = `10.2.0.${tried}`;
      await browser.post(`${ACCOUNT}/off`, { password: PASSWORD, code: '00000' });
    }
    browser.address = '10.2.0.9';
    const answer = await browser.post(`${ACCOUNT}/off`, { password: PASSWORD, code: code(1) });
    expect([answer.status, await hasFactor('gina')]).toEqual([429, true]);
  });
});

describe('sessions', () => {
  test('are listed with this one marked, and all others can be ended', async () => {
    const browser = await signedIn('hugo');
    const other = await another('hugo');
    const stranger = await signedIn('ines');
    const { text } = await browser.get(ACCOUNT);
    expect([text.split('this session').length - 1, text.split('>other<').length - 1]).toEqual([1, 1]);
    expect((await browser.post(`${ACCOUNT}/end-others`)).status).toBe(303);
    expect(await Promise.all([browser, other, stranger].map(isIn))).toEqual([true, false, true]);
    expect(audited('operator.sessions-end', 'hugo').length).toBe(1);
  });
});

test('another site changes nothing in an account', async () => {
  const browser = await signedIn('csrf');
  const before = kept('csrf');
  for (const act of ['begin', 'prove', 'recovery-codes', 'off', 'password', 'end-others']) {
    const form = { password: PASSWORD, chosen: RENEWED, again: RENEWED };
    const answer = await browser.post(`${ACCOUNT}/${act}`, form, { origin: 'https://evil.example' });
    expect([act, answer.status]).toEqual([act, 403]);
  }
  expect(kept('csrf')).toBe(before);
});

describe('a lost second factor', () => {
  test('is reset by the command, which ends every session; then the password alone is sufficient', async () => {
    const browser = await signedIn('kim');
    await setUpSecondFactor(browser);
    forgetStep('kim');
    const waiting = await another('kim');
    await service.command('operator', 'reset-2fa', 'kim', '--reason', 'lost the phone');
    expect([await isIn(browser), await isIn(waiting), await isIn(await another('kim'))]).toEqual([
      false,
      false,
      true,
    ]);
    expect(rows(service, "select totp_secret from operators where name = 'kim'")).toEqual([
      { totp_secret: null },
    ]);
    expect(audited('operator.2fa-reset', 'kim')).toMatchObject([{ reason: 'lost the phone' }]);
    expect(await service.command('operator', 'reset-2fa', 'kim')).toContain('kim');
    expect(audited('operator.2fa-reset', 'kim').length).toBe(1);
  });

  test('is reset on the page Operators by another owner, but not by its own operator', async () => {
    const owner = await signedIn('olga', 'owner');
    await setUpSecondFactor(owner);
    const lost = await signedIn('lea');
    await setUpSecondFactor(lost);
    expect((await owner.get('/console/operators')).text).toContain('Reset the second factor: lea');
    expect((await owner.post('/console/operators/reset-2fa', { name: 'olga' })).status).toBe(409);
    expect((await owner.post('/console/operators/reset-2fa', { name: 'lea' })).status).toBe(303);
    expect([await hasFactor('olga'), await hasFactor('lea'), await isIn(lost)]).toEqual([true, false, false]);
    expect(audited('operator.2fa-reset', 'lea')).toMatchObject([{ actor: 'operator:olga' }]);
  });
});
