import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SCOPES, type Scope } from '../../../src/domain/admin/scope.ts';
import {
  ADMIN,
  type Admin,
  adminExamples,
  adminOf,
  adminOperations,
  tokenOf,
  whatIsKept,
} from '../../support/admin.ts';
import { type RunningService, SURE, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

/** The scope of each operation; undefined = any. */
const SCOPE_OF: Readonly<Record<string, Scope | undefined>> = {
  'GET /openapi': undefined,
  'GET /licenses': 'licenses:read',
  'GET /licenses/{licenseId}': 'licenses:read',
  'GET /licenses/{licenseId}/explain': 'licenses:read',
  'POST /licenses/find': 'licenses:read',
  'POST /licenses/explain': 'licenses:read',
  'POST /licenses': 'licenses:write',
  'POST /licenses/import': 'licenses:write',
  'POST /licenses/{licenseId}/change': 'licenses:write',
  'POST /licenses/{licenseId}/suspend': 'licenses:write',
  'POST /licenses/{licenseId}/resume': 'licenses:write',
  'POST /licenses/{licenseId}/revoke': 'licenses:write',
  'POST /licenses/{licenseId}/rotate': 'licenses:write',
  'POST /licenses/{licenseId}/bind': 'licenses:write',
  'POST /licenses/{licenseId}/unbind': 'licenses:write',
  'POST /licenses/{licenseId}/block': 'licenses:write',
  'POST /licenses/{licenseId}/unblock': 'licenses:write',
  'POST /licenses/{licenseId}/verify-domain': 'licenses:write',
  'POST /licenses/{licenseId}/forget': 'licenses:write',
  'GET /feed': 'feed:read',
  'GET /feed/rulings': 'feed:read',
  'POST /feed/withdraw': 'feed:write',
  'POST /feed/allow': 'feed:write',
  'POST /feed/restore': 'feed:write',
  'POST /feed/rebuild': 'feed:write',
  'GET /alerts': 'status:read',
  'POST /alerts/acknowledge': 'alerts:write',
  'POST /alerts/unacknowledge': 'alerts:write',
  'GET /audit': 'audit:read',
  'GET /status': 'status:read',
  'GET /payments/problems': 'payments:read',
  'POST /payments/retry': 'payments:write',
  'GET /notifications': 'notifications:read',
  'GET /notifications/{target}': 'notifications:read',
  'GET /notifications/{target}/deliveries': 'notifications:read',
  'POST /notifications/add': 'notifications:write',
  'POST /notifications/{target}/test': 'notifications:write',
  'POST /notifications/{target}/pause': 'notifications:write',
  'POST /notifications/{target}/resume': 'notifications:write',
  'POST /notifications/{target}/rotate': 'notifications:write',
  'POST /notifications/{target}/remove': 'notifications:write',
  'POST /notifications/{target}/replay': 'notifications:write',
};
const NAMED = adminOperations.map(({ path, method, operation }) => {
  const name = `${method} ${path.slice(ADMIN.length)}`;
  return { name, path, method, description: operation.description ?? '', scope: SCOPE_OF[name] };
});

let service: RunningService;
let tokens: Record<Scope, string>;
let admin: Admin;
beforeAll(async () => {
  // Its own process: acts change its first license, and limits are tested.
  service = await start('binary', { SERVICE_ADMIN_RATE_PER_MINUTE: '100000' });
  await service.issue('--plan', 'pro', '--domain', 'shop.example.com');
  const made = await Promise.all(
    SCOPES.map(async (scope) => [scope, await tokenOf(service, [scope], scope.replace(':', '-'))] as const),
  );
  tokens = Object.fromEntries(made) as typeof tokens;
  admin = adminOf(service, tokens['status:read']);
});
afterAll(() => service.end());

/** Sends the contract's example of an operation, for the only license. */
const ask = ({ path, method }: { path: string; method: string }, token: string | null) =>
  admin(path.slice(ADMIN.length).replace('{licenseId}', 'lic_1'), {
    method,
    token,
    ...(method === 'POST' ? { body: adminExamples.get(path)?.[0] } : {}),
  });

test('each operation requires the scope in its description, and no other scope is enough', async () => {
  expect(NAMED.map(({ name }) => name).sort()).toEqual(Object.keys(SCOPE_OF).sort());
  const before = whatIsKept(service);
  for (const { name, description, scope, ...operation } of NAMED) {
    if (scope === undefined)
      expect([name, description]).toEqual([name, expect.stringContaining('any scope')]);
    else expect([name, description]).toEqual([name, expect.stringContaining(`Scope \`${scope}\`.`)]);
    for (const other of SCOPES.filter((each) => each !== scope)) {
      const { status, json } = await ask(operation, tokens[other]);
      if (scope === undefined) expect(status).toBe(200);
      else expect([name, other, status, json.error]).toEqual([name, other, 403, refusalOf(scope)]);
    }
  }
  expect(whatIsKept(service)).toBe(before);
});

test('the scope alone is enough for an operation', async () => {
  for (const { name, scope, ...operation } of NAMED) {
    const { status } = await ask(operation, tokens[scope ?? 'audit:read']);
    expect([name, status === 401 || status === 403]).toEqual([name, false]);
  }
});

/** Facts about this license that only tokens with licenses:read may see. */
const HIDDEN = {
  customer: 'Zq Customer',
  email: 'zq-mail@example.com',
  note: 'zq note',
  domains: ['zq-domain.example.com'],
  blocked_domains: ['zq-blocked.example.com'],
  subscription: 'sub_zq',
};
const TELLING = /zq[ _-]/i;

async function licenseWithCustomer(external_id: string) {
  const { customer, email, note, domains } = HIDDEN;
  const body = { plan: 'pro', customer, email, note, external_id: `zq-${external_id}`, domains };
  const issued = await admin('/licenses', {
    token: await tokenOf(service, SCOPES, external_id),
    body,
  });
  const { license_id: id } = issued.json.data.license;
  await service.command('license', 'block', id, '--domain', HIDDEN.blocked_domains[0] ?? '');
  rows(
    service,
    "update licenses set subscription_id = 'sub_zq' where id = ?",
    Number(id.slice('lic_'.length)),
  );
  return id as string;
}

test('without licenses:read, no act returns the customer or the sites of a license', async () => {
  const id = await licenseWithCustomer('acted-on');
  const writing = NAMED.filter(({ scope }) => scope?.endsWith(':write')).sort(
    (one, other) => Number(/revoke|forget/.test(one.path)) - Number(/revoke|forget/.test(other.path)),
  );
  let done = 0;
  for (const { name, path, scope } of writing) {
    const asked = { method: 'POST', token: tokens[scope as Scope], body: adminExamples.get(path)?.[0] };
    // A repeated request returns the license in its current state.
    for (const once of [undefined, `hidden-${done}`, `hidden-${done}`]) {
      const at = path.slice(ADMIN.length).replace('{licenseId}', id);
      const { status, json } = await admin(at, { ...asked, ...(once ? { once } : {}) });
      expect([name, JSON.stringify(json)]).toEqual([name, expect.not.stringMatching(TELLING)]);
      if (status === 200) done += 1;
    }
  }
  expect(done).toBeGreaterThan(30);
});

test('an empty change returns the terms, and the customer if the token has licenses:read', async () => {
  const id = await licenseWithCustomer('unchanged');
  const of = async (token: string) =>
    (await admin(`/licenses/${id}/change`, { token, body: {} })).json.data.license;
  const terms = await of(tokens['licenses:write']);
  expect(terms).toMatchObject({ license_id: id, plan: 'pro', status: 'active', expires_at: null });
  const all = await of(await tokenOf(service, ['licenses:read', 'licenses:write'], 'both'));
  expect(all).toEqual({ ...terms, ...HIDDEN, external_id: 'zq-unchanged' });
});

const refusalOf = (scope: Scope) => ({
  code: 'SCOPE_REQUIRED',
  message: `This token lacks the scope ${scope}. Create one that has it.`,
});

describe('a token', () => {
  const statusOf = async (token: string | null) => (await admin('/status', { token })).status;

  test('that is missing, wrong, revoked or expired is refused at once', async () => {
    const wrong = `${tokens['status:read'].slice(0, -1)}${tokens['status:read'].endsWith('x') ? 'y' : 'x'}`;
    const { key } = await service.issue('--plan', 'pro');
    for (const token of [null, wrong, 'nonsense', key]) expect(await statusOf(token)).toBe(401);
    const [over, revoked] = await Promise.all([
      tokenOf(service, ['status:read'], 'over'),
      tokenOf(service, ['status:read'], 'revoked'),
    ]);
    expect([await statusOf(over), await statusOf(revoked)]).toEqual([200, 200]);
    rows(service, "update admin_tokens set expires_at = ? where name = 'over'", Date.now());
    await service.command('token', 'revoke', 'revoked', ...SURE);
    expect([await statusOf(over), await statusOf(revoked)]).toEqual([401, 401]);
    const before = whatIsKept(service);
    expect((await admin('/licenses', { token: revoked, body: { plan: 'pro' } })).status).toBe(401);
    expect(whatIsKept(service)).toBe(before);
  });

  test('that is wrong is checked 30 times a minute per address, while a right one still works', async () => {
    const own = await start('binary');
    const right = await tokenOf(own);
    const guess = (at: number) => adminOf(own, `rdo_guess_${at}`)('/status');
    const guesses = await Promise.all(Array.from({ length: 33 }, (_, at) => guess(at)));
    const statuses = guesses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(30).fill(401), ...Array(3).fill(429)]);
    const refused = guesses.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toMatch(/^[12]$/);
    expect((await adminOf(own, right)('/status')).headers.get('x-ratelimit-limit')).toBe('300');
    await own.end();
  });

  test('sends as many requests a minute as is set, for itself and for all operations together', async () => {
    const own = await start('binary', { SERVICE_ADMIN_RATE_PER_MINUTE: '3' });
    const [one, other] = await Promise.all([tokenOf(own, SCOPES, 'one'), tokenOf(own, SCOPES, 'other')]);
    const ofOne = adminOf(own, one);
    for (const [path, left] of [
      ['/status', 2],
      ['/audit', 1],
      ['/licenses', 0],
    ] as const)
      expect((await ofOne(path)).headers.get('x-ratelimit-remaining')).toBe(String(left));
    const before = whatIsKept(own);
    const over = await ofOne('/licenses', { body: { plan: 'pro' } });
    expect([over.status, over.json.error.code, whatIsKept(own)]).toEqual([429, 'RATE_LIMITED', before]);
    expect(Number(over.headers.get('retry-after'))).toBeWithin(15, 21);
    expect((await adminOf(own, other)('/status')).status).toBe(200);
    await own.end();
  });
});
