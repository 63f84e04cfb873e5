import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Browser, inviteOperator, operatorOf, PASSWORD, setUpSecondFactor } from '../../support/console.ts';
import { type RunningService, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

// Needs many passwords to be hashed.

const ACCOUNT = '/console/account';
const HALF_AN_HOUR_MS = 30 * 60_000;
const WRONG = 'wrong horse battery';

let service: RunningService;
// Its own process: limits are by address, and every browser here comes from one of its own.
beforeAll(async () => {
  service = await start('binary', { SERVICE_ADMIN_TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => service.end());

let browsers = 0;
function newBrowser(): Browser {
  const browser = new Browser(service);
  browsers += 1;
  browser.address = `10.3.0.${browsers}`;
  return browser;
}
async function signedIn(role: string): Promise<{ browser: Browser; name: string }> {
  const name = `renew-${browsers}`;
  const { cookie } = await operatorOf(service, name, role);
  const browser = newBrowser();
  browser.cookie = cookie;
  return { browser, name };
}
/** An attacker who planted a session token, or stole it before its rights increased. */
function copyOf({ cookie }: Browser): Browser {
  const copy = newBrowser();
  copy.cookie = cookie;
  return copy;
}
const isIn = async (browser: Browser) => (await browser.get('/console')).status === 200;
/** The last password entry is too old for acts of owners. */
const age = () =>
  rows(service, 'update operator_sessions set confirmed_at = ?', Date.now() - HALF_AN_HOUR_MS);
const tokens = (name: string) =>
  rows(
    service,
    'select s.token_hash from operator_sessions s join operators o on o.id = s.operator_id where o.name = ?',
    name,
  ).length;

type Rise = (browser: Browser) => Promise<{ readonly status: number }>;

/** New rights of the session, with the request of its own operator that causes them. */
const RISES: Readonly<
  Record<string, { readonly prepare?: (browser: Browser) => Promise<unknown>; readonly rise: Rise }>
> = {
  'a second factor is proved': {
    prepare: (browser) => browser.post(`${ACCOUNT}/begin`),
    rise: async (browser) => {
      await setUpSecondFactor(browser);
      return browser.get('/console');
    },
  },
  'the password is given again for an act of owners': {
    rise: (browser) =>
      browser.post('/console/operators/add', {
        name: `made-${browsers}`,
        role: 'viewer',
        password: PASSWORD,
      }),
  },
  'the password is given again for a token': {
    rise: (browser) =>
      browser.post('/console/tokens/create', {
        name: `token-${browsers}`,
        days: '1',
        'status:read': '1',
        password: PASSWORD,
      }),
  },
  'the password is given again for a check of a backup': {
    rise: async (browser) => {
      await browser.post('/console/backups/verify', { id: '1', password: PASSWORD });
      return browser.get('/console/backups');
    },
  },
  'a second factor is begun with the password': {
    rise: (browser) => browser.post(`${ACCOUNT}/begin`, { password: PASSWORD }),
  },
  'recovery codes are made': {
    prepare: setUpSecondFactor,
    rise: (browser) => browser.post(`${ACCOUNT}/recovery-codes`, { password: PASSWORD }),
  },
  'the password is changed': {
    rise: (browser) =>
      browser.post(`${ACCOUNT}/password`, {
        password: PASSWORD,
        chosen: 'a new horse battery',
        again: 'a new horse battery',
      }),
  },
};

describe('a session gets another token, and the previous one is invalid', () => {
  test.each(Object.entries(RISES))('when %s', async (_, { prepare, rise }) => {
    const { browser, name } = await signedIn('owner');
    await prepare?.(browser);
    age();
    const copy = copyOf(browser);
    const { status } = await rise(browser);
    expect(status).toBeOneOf([200, 303]);
    expect(browser.cookie).not.toBe(copy.cookie);
    expect([await isIn(browser), await isIn(copy), tokens(name)]).toEqual([true, false, 1]);
  });

  test('when the act after the password is refused', async () => {
    const { browser, name } = await signedIn('owner');
    age();
    const copy = copyOf(browser);
    const form = { name, role: 'viewer', password: PASSWORD };
    expect((await browser.post('/console/operators/add', form)).status).toBe(409);
    expect([await isIn(browser), await isIn(copy)]).toEqual([true, false]);
    expect((await browser.post(`${ACCOUNT}/off`, { password: PASSWORD, code: '000000' })).status).toBe(401);
    expect([await isIn(browser), tokens(name)]).toEqual([true, 1]);
  });

  test('when the password is sent twice together: one request continues, and no second session begins', async () => {
    const { browser, name } = await signedIn('owner');
    age();
    const both = [browser, copyOf(browser)];
    const form = (at: number) => ({ name: `both-${at}`, role: 'viewer', password: PASSWORD });
    const answers = await Promise.all(both.map((each, at) => each.post('/console/operators/add', form(at))));
    const [done, other] = answers.map(({ status }) => status).toSorted();
    expect(done).toBe(303);
    expect(other).toBeOneOf([303, 403]);
    const open = (await Promise.all(both.map(isIn))).filter(Boolean).length;
    expect([open, tokens(name)]).toEqual([1, 1]);
  });
});

test('a wrong password renews nothing', async () => {
  const { browser } = await signedIn('owner');
  age();
  const before = rows(service, 'select * from operator_sessions order by 1');
  const { cookie } = browser;
  const form = { name: 'nobody', role: 'viewer', password: WRONG };
  expect((await browser.post('/console/operators/add', form)).status).toBe(401);
  expect((await browser.post(`${ACCOUNT}/recovery-codes`, { password: WRONG })).status).toBe(401);
  expect([browser.cookie, rows(service, 'select * from operator_sessions order by 1')]).toEqual([
    cookie,
    before,
  ]);
});

describe('signing in', () => {
  test('accepts no token from the browser, and ends the session of it', async () => {
    const [{ browser }, { name }] = [await signedIn('viewer'), await signedIn('owner')];
    for (const cookie of [browser.cookie, 'redoubt_console=planted', `redoubt_console=${'A'.repeat(43)}`]) {
      const victim = newBrowser();
      victim.cookie = cookie;
      expect((await victim.signIn(name)).status).toBe(303);
      expect([victim.cookie === cookie, await isIn(victim)]).toEqual([false, true]);
    }
    expect(await isIn(browser)).toBe(false);
  });

  test("with a link ends the browser's current session, also of another operator", async () => {
    const { browser, name } = await signedIn('owner');
    const stranger = copyOf(browser);
    const path = await inviteOperator(service, `linked-${browsers}`, 'viewer');
    const answer = await browser.post(path, { password: PASSWORD, again: PASSWORD });
    expect([answer.status, browser.cookie === stranger.cookie]).toEqual([303, false]);
    expect([await isIn(browser), await isIn(stranger), tokens(name)]).toEqual([true, false, 0]);
  });
});

test.each([
  ['viewer', 'owner', 'by command'],
  ['viewer', 'operator', 'in the console'],
  ['owner', 'viewer', 'in the console'],
])(
  'another role, from %s to %s %s, ends every session of its operator and no other',
  async (from, to, how) => {
    const { browser, name } = await signedIn(from);
    const { browser: owner } = await signedIn('owner');
    if (how === 'by command') await service.command('operator', 'role', name, '--role', to);
    else expect((await owner.post('/console/operators/role', { name, role: to })).status).toBe(303);
    expect([await isIn(browser), tokens(name), await isIn(owner)]).toEqual([false, 0, true]);
    expect((await browser.signIn(name)).status).toBe(303);
    expect(await isIn(browser)).toBe(true);
  },
);
