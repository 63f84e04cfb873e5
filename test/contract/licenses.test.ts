import { beforeAll, describe, expect, test } from 'bun:test';
import { generateLicenseKey } from '../../src/domain/license/license-key.ts';
import { API, call } from '../support/client.ts';
import { type RunningService, run, SURE, sharedService } from '../support/service.ts';
import { issueExpired, rows, stored } from '../support/store.ts';

let service: RunningService;
beforeAll(async () => {
  service = await sharedService();
});

const verify = (api_key: string, domain?: string) =>
  call(service.url, `${API}/license/verify`, { body: { api_key, domain: domain ?? 'unbound.test' } });
const ask = (path: string, key: string, method = 'GET') => call(service.url, API + path, { key, method });

/** Facts that no command can set. */
const setFact = (licenseId: string, column: string, value: number) =>
  rows(service, `update licenses set ${column} = ? where id = ?`, value, Number(licenseId.slice(4)));

const INVALID = {
  valid: false,
  plan: 'free',
  modules_allowed: ['firewall', 'login_protection', 'telemetry'],
};

test('unknown fields of a newer plugin are ignored on license/verify, at any level', async () => {
  const { key } = await service.issue('--plan', 'pro', '--test');
  const body = { api_key: key, domain: 'shop.test', newer: { deep: [{ x: null }] }, price_x: 1 };
  const { status, json } = await call(service.url, `${API}/license/verify`, { body });
  expect([status, json.valid]).toEqual([200, true]);
});

describe('each state of a license', () => {
  const states: readonly {
    state: string;
    options: string[];
    enter?: (id: string) => unknown;
    verified: object;
    me: [number, string];
  }[] = [
    {
      state: 'active',
      options: [],
      verified: { valid: true, plan: 'pro', status: 'active', trial_ends_at: null },
      me: [200, 'active'],
    },
    {
      state: 'trial',
      options: ['--trial'],
      verified: { valid: true, plan: 'pro', status: 'trial' },
      me: [200, 'trial'],
    },
    {
      state: 'suspended',
      options: [],
      enter: (id) => service.command('license', 'suspend', id, '--hold', 'payment'),
      verified: { ...INVALID, reason: 'suspended' },
      me: [200, 'suspended'],
    },
    {
      state: 'expired',
      options: [],
      enter: (id) => setFact(id, 'expires_at', 1),
      verified: INVALID,
      me: [403, 'EXPIRED'],
    },
    {
      state: 'pending',
      options: ['--trial'],
      enter: (id) => setFact(id, 'pending_until', 1),
      verified: INVALID,
      me: [401, 'INVALID_KEY'],
    },
    {
      state: 'revoked',
      options: [],
      enter: (id) => service.command('license', 'revoke', id, ...SURE),
      verified: INVALID,
      me: [401, 'INVALID_KEY'],
    },
  ];

  test.each([...states])(
    '$state has the specified answer on license/verify and /me',
    async ({ options, enter, verified, me }) => {
      const { license_id, key } = await service.issue('--plan', 'pro', ...options);
      await enter?.(license_id);
      const answer = await verify(key);
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject(verified);
      if (!answer.json.valid) expect(answer.json).toEqual(verified);
      const own = await ask('/me', key);
      expect([own.status, own.json.data?.license_status ?? own.json.error.code]).toEqual(me);
    },
  );

  test('unknown, mistyped, revoked, expired, pending and mismatched are byte-identical on license/verify', async () => {
    const bound = await service.issue('--plan', 'free', '--domain', 'one.com');
    const expired = await issueExpired(service, '--plan', 'pro');
    const revoked = await service.issue('--plan', 'pro');
    await service.command('license', 'revoke', revoked.license_id, ...SURE);
    const pending = await service.issue('--plan', 'pro');
    setFact(pending.license_id, 'pending_until', 1);
    const bodies = await Promise.all([
      verify(generateLicenseKey('live')),
      verify('nonsense'),
      verify(revoked.key),
      verify(expired.key),
      verify(pending.key),
      verify(bound.key, 'other.com'),
      verify(bound.key, 'not a domain'),
    ]);
    expect(new Set(bodies.map(({ text }) => text))).toEqual(new Set([JSON.stringify(INVALID)]));
  });

  test('a suspended license keeps the rights of the free plan, and reports that', async () => {
    const { license_id, key } = await service.issue('--plan', 'pro', '--allow-module', 'decoys');
    expect((await ask('/me', key)).json.data.modules).toContain('decoys');
    await service.command('license', 'suspend', license_id, '--hold', 'operator');
    const { data } = (await ask('/auth/verify', key, 'POST')).json;
    expect(data).toMatchObject({ valid: false, plan: 'free', sites_allowed: 1, expires_at: null });
    expect((await ask('/me', key)).json.data.modules).toEqual(INVALID.modules_allowed);
  });
});

describe('a change by the command line applies from the next request on', () => {
  test('suspend and resume: each suspension reason is lifted only by its own command', async () => {
    const { license_id, key } = await service.issue('--plan', 'starter');
    await service.command('license', 'suspend', license_id, '--hold', 'payment');
    await service.command('license', 'suspend', license_id, '--hold', 'operator');
    await service.command('license', 'resume', license_id, '--hold', 'payment');
    expect((await verify(key)).json.reason).toBe('suspended');
    await service.command('license', 'resume', license_id, '--hold', 'operator');
    expect((await verify(key)).json.valid).toBe(true);
  });

  test('rotate stops the old key and starts the new one', async () => {
    const { license_id, key } = await service.issue('--plan', 'starter');
    expect((await ask('/me', key)).status).toBe(200);
    const { key: next } = JSON.parse(await service.command('license', 'rotate', license_id, '--json'));
    expect((await ask('/me', key)).status).toBe(401);
    expect((await ask('/me', next)).status).toBe(200);
  });

  test('extend revives an expired license', async () => {
    const { license_id, key } = await issueExpired(service, '--plan', 'starter');
    expect((await ask('/me', key)).status).toBe(403);
    await service.command('license', 'extend', license_id, '--expires', '2099-01-01T00:00:00Z');
    const status = await ask('/auth/verify', key, 'POST');
    expect(status.json.data).toMatchObject({ valid: true, expires_at: '2099-01-01T00:00:00.000Z' });
  });

  test('bind and unbind', async () => {
    const { license_id, key } = await service.issue('--plan', 'free', '--domain', 'a.com');
    expect((await verify(key, 'b.com')).json.valid).toBe(false);
    await service.command('license', 'unbind', license_id, '--domain', 'www.a.com');
    await service.command('license', 'bind', license_id, '--domain', 'https://b.com/');
    expect((await verify(key, 'b.com')).json.valid).toBe(true);
    expect((await verify(key, 'a.com')).json.valid).toBe(false);
  });
});

describe('binding', () => {
  test('a live license registers domains on first use until its sites are used up', async () => {
    const { key } = await service.issue('--plan', 'starter');
    expect((await ask('/me', key)).json.data.domain_bound).toBe(false);
    expect((await verify(key, 'https://www.first.com/shop')).json).toMatchObject({
      valid: true,
      domain_bound: true,
    });
    expect((await verify(key, 'second.com')).json.valid).toBe(true);
    expect((await verify(key, 'THIRD.com.')).json.valid).toBe(true);
    expect((await verify(key, 'fourth.com')).json).toEqual(INVALID);
    expect((await verify(key, 'first.com')).json.valid).toBe(true);
    expect((await ask('/auth/verify', key, 'POST')).json.data).toMatchObject({
      sites_used: 3,
      sites_allowed: 3,
    });
  });

  test('twenty concurrent sites never get more than the license has', async () => {
    const { key } = await service.issue('--plan', 'starter');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => verify(key, `site${index}.com`)),
    );
    expect(answers.filter(({ json }) => json.valid)).toHaveLength(3);
  });

  test('development hosts and test licenses use no site', async () => {
    const live = await service.issue('--plan', 'free', '--domain', 'real.com');
    for (const host of ['localhost', 'shop.test', '10.1.2.3', '[::1]']) {
      expect((await verify(live.key, host)).json.valid).toBe(true);
    }
    const trying = await service.issue('--plan', 'free', '--test');
    expect(trying.key).toStartWith('rdt_test_');
    for (const host of ['x.com', 'y.com'])
      expect((await verify(trying.key, host)).json).toMatchObject({ valid: true, domain_bound: false });
  });

  test('a suspended license registers nothing', async () => {
    const { license_id, key } = await service.issue('--plan', 'pro');
    await service.command('license', 'suspend', license_id, '--hold', 'dispute');
    const before = stored(service);
    await verify(key, 'new-site.com');
    expect(stored(service)).toEqual(before);
  });
});

describe('the key', () => {
  test('is read from a Bearer header in any case and with extra blanks, before the body', async () => {
    const { key } = await service.issue('--plan', 'starter');
    for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}  `]) {
      expect((await call(service.url, `${API}/me`, { headers: { authorization } })).status).toBe(200);
      const answer = await call(service.url, `${API}/license/verify`, {
        method: 'POST',
        headers: { authorization },
      });
      expect(answer.json.valid).toBe(true);
    }
    const both = await call(service.url, `${API}/license/verify`, { key, body: { api_key: 'other' } });
    expect(both.json.valid).toBe(true);
  });

  test('in a header that is missing, not Bearer or repeated is UNAUTHORIZED', async () => {
    const { key } = await service.issue('--plan', 'starter');
    for (const authorization of [
      undefined,
      'Basic abc',
      'Bearer',
      'Bearer ',
      key,
      `Bearer ${key}, Bearer ${key}`,
      `Bearer ${key} x`,
    ]) {
      const answer = await call(
        service.url,
        `${API}/me`,
        authorization === undefined ? {} : { headers: { authorization } },
      );
      expect([authorization, answer.status, answer.json.error.code]).toEqual([
        authorization,
        401,
        'UNAUTHORIZED',
      ]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('is never accepted in the query string', async () => {
    const { key } = await service.issue('--plan', 'starter');
    const answer = await call(service.url, `${API}/license/verify?api_key=${key}&domain=x.test`, {
      body: { domain: 'x.test' },
    });
    expect([answer.status, answer.json.error]).toEqual([400, 'INVALID_PAYLOAD']);
    expect((await call(service.url, `${API}/me?api_key=${key}`)).status).toBe(401);
  });
});

test("the operator's customer data appears in no plugin answer, log or metric", async () => {
  const notes = {
    customer: 'Zq7mark Holding',
    email: 'zq7mark@owner-of-shops.com',
    external_id: 'zq7mark-4711',
  };
  const { license_id, key } = await service.issue(
    ...['--plan', 'enterprise', '--domain', 'zq7mark-free-shop.com', '--customer', notes.customer],
    ...['--email', notes.email, '--external-id', notes.external_id],
  );
  const heartbeat = { site_url: 'https://zq7mark-free-shop.com', license_key: key };
  const told = [
    await verify(key, 'zq7mark-free-shop.com'),
    await call(service.url, `${API}/telemetry`, { key, body: heartbeat }),
    await call(service.url, `${API}/analytics/metrics`, { key, method: 'POST' }),
    await ask('/auth/verify', key, 'POST'),
    ...(await Promise.all(['/me', '/sites', '/events', '/connect'].map((path) => ask(path, key)))),
    await call(service.url, '/metrics'),
  ];
  expect(told.map(({ status }) => status)).toEqual(told.map(() => 200));
  for (const text of [...told.map((reply) => reply.text), service.log()]) {
    for (const note of Object.values(notes)) expect(text).not.toContain(note);
  }
  expect(JSON.parse(await service.command('license', 'show', license_id, '--json'))).toMatchObject(notes);
});

test('/me tells a plugin why license/verify registers no new domain, and license/verify does not', async () => {
  const { key, license_id } = await service.issue('--plan', 'starter', '--sites', '1');
  const sites = async () => (await ask('/me', key)).json.data.sites;
  expect(await sites()).toEqual({ allowed: 1, used: 0 });
  expect((await verify(key, 'one.com')).json.valid).toBe(true);
  expect(await sites()).toEqual({ allowed: 1, used: 1 });
  expect((await verify(key, 'two.com')).json).toEqual(INVALID);
  expect((await verify(key, 'shop.test')).json.valid).toBe(true);
  expect(await sites()).toEqual({ allowed: 1, used: 1 });

  await service.command('license', 'unbind', license_id, '--domain', 'one.com');
  expect(await sites()).toEqual({ allowed: 1, used: 0 });
  await service.command('license', 'bind', license_id, '--domain', 'one.com');
  await service.command('license', 'suspend', license_id, '--hold', 'operator');
  expect(await sites()).toEqual({ allowed: 1, used: 1 });
});

describe('a domain that the operator has blocked', () => {
  const heartbeat = (key: string, domain: string) =>
    call(service.url, `${API}/telemetry`, { key, body: { site_url: domain, license_key: key } });
  const blocked = async (id: string) =>
    JSON.parse(await service.command('license', 'blocked', id, '--json')).map(
      (each: { domain: string }) => each.domain,
    );

  test('is neither released nor registered until it is unblocked, with its www. and without its subdomains', async () => {
    const { key, license_id } = await service.issue('--plan', 'starter', '--sites', '2', '--domain', 'a.com');
    await service.command('license', 'unbind', license_id, '--domain', 'a.com', '--block');
    await service.command('license', 'block', license_id, '--domain', 'www.shop.test');
    expect(await blocked(license_id)).toEqual(['a.com', 'shop.test']);
    expect(await service.command('license', 'show', license_id)).toMatch(
      /^blocked_domains +a.com, shop.test$/m,
    );

    const before = stored(service);
    for (const domain of ['a.com', 'www.a.com', 'https://shop.test/']) {
      const { status, json } = await heartbeat(key, domain);
      expect([status, json.error?.code]).toEqual([403, 'DOMAIN_MISMATCH']);
      expect((await verify(key, domain)).json).toEqual(INVALID);
    }
    expect(stored(service)).toEqual(before);
    for (const domain of ['m.a.com', 'b.com', 'm.shop.test'])
      expect((await heartbeat(key, domain)).status).toBe(200);
    // Also while the license has no free site.
    expect((await heartbeat(key, 'a.com')).json.error?.code).toBe('DOMAIN_MISMATCH');

    const words = ['license', 'bind', license_id, '--domain', 'a.com'];
    const bind = () => run('binary', service.env, ...words);
    const refused = await bind();
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('license unblock')]);
    await service.command('license', 'unbind', license_id, '--domain', 'b.com');
    await service.command('license', 'unblock', license_id, '--domain', 'a.com');
    expect((await heartbeat(key, 'a.com')).status).toBe(200);
  });

  test('does not exist for a test license, which has no bound domains', async () => {
    const { license_id } = await service.issue('--plan', 'pro', '--test');
    const { exitCode } = await run(
      'binary',
      service.env,
      'license',
      'block',
      license_id,
      '--domain',
      'a.com',
    );
    expect([exitCode, await blocked(license_id)]).toEqual([1, []]);
  });
});

test('the audit log names the request that began a trial', async () => {
  const body = { domain: 'audited.com', install_hash: 'audited_0123456789', email: 'owner@audited.com' };
  const { status, headers } = await call(service.url, `${API}/license/trial`, { body });
  expect(status).toBe(200);
  const [entry] = JSON.parse(await service.command('audit', '--actor', 'system', '--json'));
  expect(entry).toMatchObject({ action: 'license.issue', request_id: headers.get('x-request-id') });
});
