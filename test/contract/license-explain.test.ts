import { beforeAll, expect, test } from 'bun:test';
import { generateLicenseKey } from '../../src/domain/license/license-key.ts';
import { API, call, type Request } from '../support/client.ts';
import { binary, type RunningService, run, SURE, sharedService, start, until } from '../support/service.ts';
import { rows } from '../support/store.ts';

let service: RunningService;
beforeAll(async () => {
  service = await sharedService();
});

const explain = async (id: string, ...options: string[]) =>
  JSON.parse(await service.command('license', 'explain', id, ...options, '--json'));
const ask = (path: string, request: Request) => call(service.url, API + path, request);
const verify = (key: string, domain: string) => ask('/license/verify', { key, body: { domain } });
const setFact = (id: string, column: string, value: number) =>
  rows(service, `update licenses set ${column} = ? where id = ?`, value, Number(id.slice(4)));
const activity = (id: string) =>
  rows(service, 'select * from license_activity where license_id = ?', Number(id.slice(4)))[0];

/** Explains the key on standard input. */
async function explainInput(input: string, ...options: string[]) {
  const command = [await binary(), 'license', 'explain', '-', ...options];
  const child = Bun.spawn(command, { env: service.env, stdin: Buffer.from(input), stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, stdout, stderr };
}

const STATES: readonly (readonly [string, string[], (id: string) => unknown, string])[] = [
  ['active', ['--domain', 'a.com'], () => {}, 'it is active, and it never expires'],
  ['trial', ['--trial'], () => {}, 'it is a trial, and it expires at 2'],
  [
    'suspended',
    [],
    (id) => service.command('license', 'suspend', id, '--hold', 'dispute'),
    'suspended by an operator, reason "dispute". Lift it with redoubt license resume',
  ],
  [
    'suspended',
    [],
    (id) => setFact(id, 'payment_hold_from', 1),
    'suspended since 1970-01-01T00:00:00.001Z, because a payment is past due',
  ],
  ['expired', [], (id) => setFact(id, 'expires_at', 1), 'it expired at 1970-01-01'],
  ['pending', ['--trial'], (id) => setFact(id, 'pending_until', 1), 'it is waiting for its card'],
  ['revoked', [], (id) => service.command('license', 'revoke', id, ...SURE), 'which is permanent'],
];

test.each(STATES)(
  '%s is explained by its facts, with the answer of license/verify',
  async (state, options, enter, why) => {
    const { license_id: id, key } = await service.issue('--plan', 'pro', ...options);
    await enter(id);
    const explained = await explain(id, '--domain', 'a.com');
    const { valid, plan, reason = null } = (await verify(key, 'a.com')).json;
    expect(explained.answer).toEqual({ valid, plan, reason });
    expect([explained.status, explained.reason]).toEqual([state, valid ? null : state]);
    expect(explained.why.join('\n')).toContain(why);
    const page = await service.command('license', 'explain', id);
    expect(page).toContain(`result of a license check: ${valid ? 'valid' : `not valid (${state})`}`);
    expect(page).toContain(why);
  },
);

test('explain shows how a domain would be bound, and the free sites, without registering it', async () => {
  const { license_id: id } = await service.issue('--plan', 'free');
  const bindingOf = async (domain: string) => (await explain(id, '--domain', domain)).domain;
  expect(await bindingOf('https://www.new.com/shop')).toEqual({ binding: 'free_site', domain: 'new.com' });
  expect(await bindingOf('x.test')).toEqual({ binding: 'development_host', domain: 'x.test' });
  await service.command('license', 'bind', id, '--domain', 'a.com');
  await service.command('license', 'block', id, '--domain', 'b.com');
  expect(await bindingOf('new.com')).toEqual({ binding: 'site_limit_reached', domain: 'new.com' });
  expect(await bindingOf('b.com')).toEqual({ binding: 'blocked_domain', domain: 'b.com' });
  expect(await explain(id)).toMatchObject({
    sites_used: 1,
    sites_allowed: 1,
    domains: ['a.com'],
    blocked_domains: ['b.com'],
    daily_budget: { events: 5_000, bytes: 8_388_608, events_used: 0, bytes_used: 0 },
    domain: null,
    daily_caps: [],
    last_verify: null,
    last_heartbeat_at: null,
    refusals: [],
    answers_noted_at: null,
  });
});

test('a key is read from standard input, and one in a command causes a warning', async () => {
  const { license_id: id, key } = await service.issue('--plan', 'pro');
  const read = await explainInput(`${key}\n`, '--json');
  expect([read.exitCode, read.stderr, JSON.parse(read.stdout).license_id]).toEqual([0, '', id]);
  const given = await run('binary', service.env, 'license', 'explain', key, '--json');
  expect([given.exitCode, JSON.parse(given.stdout).license_id]).toEqual([0, id]);
  expect(given.stderr).toStartWith('redoubt: warning: ');
  for (const text of [read.stdout, given.stdout, given.stderr]) expect(text).not.toContain(key.slice(0, -4));
});

test('an unknown or mistyped key is refused with exit code 1, and never repeated', async () => {
  const unknown = generateLicenseKey('live');
  for (const key of [unknown, unknown.slice(0, -1)]) {
    const why = key === unknown ? 'not valid' : 'mistyped';
    const { exitCode, stdout, stderr } = await explainInput(key);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^redoubt: no license has this key.*${why}`));
    expect(stderr).not.toContain(key);
  }
  expect((await explainInput('\n')).exitCode).toBe(2);
});

test('an old key is explained as such, in its grace period and after it', async () => {
  const { license_id: id, key } = await service.issue('--plan', 'pro');
  await service.command('license', 'rotate', id, '--grace', '24h');
  const inGrace = JSON.parse((await explainInput(key, '--json')).stdout);
  expect(inGrace).toMatchObject({
    answer: { valid: true },
    previous_key: { key: `rdt_live_…${key.slice(-4)}` },
  });
  expect(inGrace.why[0]).toStartWith('this is a previous key, which works until 2');
  rows(service, 'update previous_keys set works_until = 1 where license_id = ?', Number(id.slice(4)));
  const after = JSON.parse((await explainInput(key, '--json')).stdout);
  expect(after).toMatchObject({ answer: { valid: false }, reason: 'unknown_key', previous_key: null });
  expect(after.why[0]).toStartWith('this is a previous key, which stopped at 1970');
  expect((await explain(id)).answer.valid).toBe(true);
});

test('answers to a known license are stored within seconds, and of the input only refused domains', async () => {
  const { license_id: id, key } = await service.issue('--plan', 'free', '--domain', 'a.com');
  const silent = await service.issue('--plan', 'free');
  const event = { domain: 'zq7mark.com', events: [{ type: 'zq7mark' }] };
  await ask('/me', { key: silent.key });
  await ask('/license/verify', { key: generateLicenseKey('live'), body: { domain: 'a.com' } });
  await ask('/telemetry', { key, body: { site_url: 'a.com', license_key: key } });
  await ask('/telemetry', { key, body: event });
  await ask('/scan', { key, body: { site_url: 'zq7mark.com' } });
  await verify(key, 'zq7mark.com');
  // The last of them, so that all are stored.
  const row = await until(() => activity(id)?.verified_at && activity(id), 15_000);
  expect(JSON.stringify(row)).not.toContain('zq7mark');
  const told = await explain(id);
  expect(told.refusals).toEqual([
    { at: expect.any(String), code: 'PLAN_REQUIRED', route: `${API}/scan` },
    { at: expect.any(String), code: 'DOMAIN_MISMATCH', route: `${API}/telemetry` },
  ]);
  const domains = await until(async () => {
    const { refused_domains } = await explain(id);
    return refused_domains.length > 0 && refused_domains;
  });
  expect(domains).toEqual([
    {
      domain: 'zq7mark.com',
      reason: 'site_limit_reached',
      count: 1,
      first_at: expect.any(String),
      last_at: domains[0].first_at,
    },
  ]);
  const { at, ...last } = told.last_verify;
  expect(last).toEqual({ outcome: 'invalid', reason: 'site_limit_reached' });
  expect(Date.parse(told.answers_noted_at) - Date.parse(at)).toBeWithin(0, 10_000);
  expect(Date.now() - Date.parse(told.last_heartbeat_at)).toBeWithin(0, 60_000);
  expect(activity(silent.license_id)).toBeUndefined();
  expect(await service.command('license', 'explain', id)).toContain('DOMAIN_MISMATCH');
  await service.command('license', 'forget', id, ...SURE);
  expect((await explain(id)).refused_domains).toEqual([]);
}, 30_000);

test('the last answers are written at the stop', async () => {
  // Its own process: it is stopped.
  const other = await start('binary');
  const { license_id: id, key } = await other.issue('--plan', 'pro');
  await call(other.url, `${API}/license/verify`, { key, body: {} });
  await other.end();
  const { stdout } = await run('binary', other.env, 'license', 'explain', id, '--json');
  expect(JSON.parse(stdout).last_verify).toMatchObject({ outcome: 'valid', reason: null });
});
