import { beforeEach, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES } from '../../src/domain/admin/scope.ts';
import { commandOf, type Env, run, SURE } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const DAY_MS = 86_400_000;
const TOKEN = /rdo_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}/;
let env: Env;
beforeEach(async () => {
  env = { SERVICE_DATA_DIR: temporaryDirectory(), SUDO_USER: 'alice' };
  await run('binary', env, 'init');
});

const token = (...words: string[]) => run('binary', env, 'token', ...words);
const jsonOf = async (...words: string[]) => {
  const { exitCode, stdout, stderr } = await run('binary', env, ...words, '--json');
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};
const listed = (): Promise<Record<string, unknown>[]> => jsonOf('token', 'list');
const audited = (): Promise<Record<string, unknown>[]> => jsonOf('audit');
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

test('a token is shown once; everything stored and listed has only its last four characters', async () => {
  const created = await token('create', 'shop', '--scope', 'licenses:write', '--scope', 'licenses:read');
  expect([created.exitCode, created.stderr]).toEqual([0, '']);
  const [made = ''] = TOKEN.exec(created.stdout) ?? [];
  expect(created.stdout).toMatch(
    /^shop \(licenses:read, licenses:write\), until \S+Z\n\n {2}rdo_\w{39}\n\nKeep this token now: it is not shown again\.\n$/,
  );
  const outputs = [(await token('list')).stdout, JSON.stringify([await listed(), await audited()])];
  const directory = env.SERVICE_DATA_DIR as string;
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  const parts = Array.from({ length: made.length - 11 }, (_, at) => made.slice(at + 4, at + 12));
  expect(parts.length).toBe(32);
  for (const text of [...outputs, ...files]) expect(parts.filter((part) => text.includes(part))).toEqual([]);
  expect(outputs[0]).toContain(`rdo_…${made.slice(-4)}`);
});

test('a token expires in 90 days or as given, and is listed by name with its scopes', async () => {
  const before = Date.now();
  const made = await jsonOf('token', 'create', 'b', '--scope', 'feed:read', '--scope', 'feed:read');
  expect(made).toEqual({
    name: 'b',
    token: expect.stringMatching(TOKEN),
    scopes: ['feed:read'],
    expires_at: expect.any(String),
  });
  const lived = Date.parse(made.expires_at) - 90 * DAY_MS;
  expect(lived >= before && lived <= Date.now()).toBe(true);
  const day = inDays(700).slice(0, 10);
  for (const [name, end] of [
    ['a', day],
    ['d', '731d'],
    ['c', '2h'],
  ] as const)
    expect((await token('create', name, '--scope', 'audit:read', '--expires', end)).exitCode).toBe(0);
  const tokens = await listed();
  expect(tokens.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  expect(tokens[0]).toEqual({
    name: 'a',
    token: expect.stringMatching(/^rdo_…\w{4}$/),
    state: 'works',
    scopes: ['audit:read'],
    created_at: expect.any(String),
    expires_at: `${day}T00:00:00.000Z`,
    used_at: null,
    revoked_at: null,
  });
});

test('a revoked name can be used again, and the audit log has the actor and reason of each act', async () => {
  const create = () => token('create', 'shop', '--scope', 'status:read', '--reason', 'a new shop');
  const [first, again] = [await create(), await create()];
  expect([first.exitCode, again.exitCode, again.stdout]).toEqual([0, 1, '']);
  expect(again.stderr).toMatch(/^redoubt: a token named shop exists until \S+Z\. Revoke it first, .*\n$/);
  expect(await listed()).toHaveLength(1);

  const revoked = await token('revoke', 'shop', '--reason', 'left', '--yes');
  expect([revoked.exitCode, revoked.stdout]).toEqual([0, 'shop: revoked\n']);
  const once = await token('revoke', 'shop', ...SURE);
  expect([once.exitCode, once.stderr]).toEqual([
    0,
    expect.stringMatching(/^redoubt: nothing changed: it stopped working at \S+Z\n$/),
  ]);
  const [shown] = await listed();
  expect(shown).toMatchObject({ state: 'revoked', revoked_at: expect.any(String) });

  const second = await create();
  expect([second.exitCode, second.stdout]).toEqual([0, expect.stringMatching(TOKEN)]);
  expect(second.stdout).not.toContain(TOKEN.exec(first.stdout)?.[0] ?? '');
  expect(await listed()).toMatchObject([{ name: 'shop', state: 'works', revoked_at: null }]);
  expect(await audited()).toMatchObject([
    { actor: 'cli:alice', action: 'token.create', subject: 'token:shop', reason: 'a new shop' },
    { actor: 'cli:alice', action: 'token.revoke', subject: 'token:shop', reason: 'left' },
    {
      actor: 'cli:alice',
      action: 'token.create',
      subject: 'token:shop',
      reason: 'a new shop',
      after: { scopes: ['status:read'], expiresAt: expect.any(Number) },
    },
  ]);
});

const SECRET = `rdo_${'a1'.repeat(16)}_012345`;
const SCOPE = ['--scope', 'feed:read'];
test.each<[string[], number, string]>([
  [['create', 'shop'], 2, `--scope is required. The scopes are ${SCOPES.join(', ')}`],
  [['create', 'shop', '--scope', 'root'], 2, `"root" is not a scope. The scopes are ${SCOPES.join(', ')}`],
  [['create', 'Shop', ...SCOPE], 2, 'the name of a token must have 1 to 40 characters of a-z'],
  [['create', SECRET, ...SCOPE], 2, 'the name of a token must have'],
  [['revoke', SECRET], 2, 'the name of a token must have'],
  [['create', 'shop', ...SCOPE, '--expires', '2020-01-01'], 1, 'the expiry is in the past'],
  [['create', 'shop', ...SCOPE, '--expires', '732d'], 1, 'a token is valid for at most 731 days'],
  [['create', 'shop', ...SCOPE, '--expires', '0d'], 2, '--expires must be a number of hours or days'],
  [['create', 'shop', ...SCOPE, '--expires', 'never'], 2, '--expires must be a duration such as 90d'],
])('token %j is refused with exit code %i and a line, and nothing is stored', async (words, code, why) => {
  const { exitCode, stdout, stderr } = await token(...words);
  expect([exitCode, stdout, stderr]).toEqual([code, '', expect.stringContaining(why)]);
  expect(stderr).not.toContain(SECRET.slice(4, 12));
  expect([await listed(), await audited()]).toEqual([[], []]);
});

test.each([[[]], [['--json']]])(
  'a token that cannot be written is reported as lost, with the remedy: %j',
  async (more) => {
    const [command, before] = await commandOf('binary');
    const words = [
      '-c',
      '"$@" > /dev/full',
      'sh',
      command,
      ...before,
      'token',
      'create',
      'shop',
      ...SCOPE,
      ...more,
    ];
    const { status, stderr } = spawnSync('sh', words, { env: { ...process.env, ...env }, encoding: 'utf8' });
    const lost =
      /^redoubt: the token shop was created but could not be printed .* "redoubt token revoke shop", then create another\n$/;
    expect([status, stderr]).toEqual([1, expect.stringMatching(lost)]);
  },
);
