import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { databasePath, installationKeyPath } from '../src/storage/engine/data-directory.ts';
import { MIGRATIONS } from '../src/storage/engine/migrations.ts';
import { databaseVersion, prepareDatabase } from '../src/storage/engine/sqlite/database.ts';
import { API, call } from './support/client.ts';
import { type Build, type RunningService, run, start } from './support/service.ts';
import { temporaryDirectory } from './support/temporary.ts';

const COMMANDS = [
  'license list',
  'license issue --plan pro',
  'license revoke lic_1 --yes --reason test',
  'feed rebuild',
  'init',
];

let directory: string;
let keyPath: string;
let database: string;
beforeEach(() => {
  directory = temporaryDirectory();
  keyPath = installationKeyPath(directory);
  database = databasePath(directory);
});
let service: RunningService | undefined;
afterEach(() => service?.end('SIGKILL'));

const redoubt = (words: string, target: Build = 'binary') =>
  run(target, { SERVICE_DATA_DIR: directory, SERVICE_PORT: '0' }, ...words.split(' '));
const serve = async (target: Build = 'binary') => {
  // Its own process: its installation key is lost and replaced.
  service = await start(target, { SERVICE_DATA_DIR: directory });
  return service;
};
const putKey = () => writeFileSync(keyPath, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
const ask = (sql: string) => {
  const client = new DatabaseSync(database);
  try {
    return client.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    client.close();
  }
};
const addLicense = () =>
  ask(`insert into licenses
    (key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
    values ('h', '', '', 'paid', 'live', 'pro', '[]', '[]', '[]', 0)`);

async function expectRefused(
  reason: string,
  commands: readonly string[] = ['serve', ...COMMANDS],
  target: Build = 'binary',
) {
  const before = existsSync(keyPath) ? readFileSync(keyPath, 'utf8') : undefined;
  for (const words of commands) {
    const { exitCode, stdout, stderr } = await redoubt(words, target);
    expect([words, exitCode, stdout, stderr.trim().split('\n').length]).toEqual([words, 2, '', 1]);
    expect(stderr).toContain(reason);
    expect(stderr).toContain('Restore installation.key from the backup');
  }
  expect(existsSync(keyPath) ? readFileSync(keyPath, 'utf8') : undefined).toBe(before);
  expect(ask('select count(*) as licenses from licenses')).toEqual([{ licenses: 1 }]);
}

describe('a database with licenses', () => {
  test('is refused without its key or with another, and works again when its key returns', async () => {
    const { url, issue, end } = await serve();
    const { key } = await issue('--plan', 'pro');
    const identity = async (base: string) =>
      (await call(base, `${API}/me`, { key })).json.data.license_id_hash;
    const before = await identity(url);
    await end();

    const aside = `${keyPath}.aside`;
    renameSync(keyPath, aside);
    await expectRefused('is missing');
    putKey();
    await expectRefused('is not the key of');
    writeFileSync(keyPath, '');
    await expectRefused('is damaged');

    renameSync(aside, keyPath);
    expect(await identity((await serve()).url)).toBe(before);
  }, 30_000);

  test('reveals nothing about its key', async () => {
    await (await serve()).end();
    const secret = readFileSync(keyPath, 'utf8').trim();
    const bytes = readFileSync(database);
    expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes(Buffer.from(secret, 'base64'))).toBe(false);
  });

  test('of an older version is not even migrated without its key', async () => {
    prepareDatabase(database);
    addLicense();
    await expectRefused('is missing', ['serve', 'migrate'], 'next');
    const copy = `${database}.before-v${MIGRATIONS.length + 1}`;
    expect([databaseVersion(database), existsSync(copy)]).toEqual([MIGRATIONS.length, false]);
  });
});

test('a database without licenses accepts any key and remembers the last one', async () => {
  await redoubt('init');
  putKey();
  expect((await redoubt('license list')).exitCode).toBe(0);
  await (await serve()).end();
  addLicense();
  expect((await redoubt('license list')).exitCode).toBe(0);
  putKey();
  await expectRefused('is not the key of', ['serve', 'license list']);
});

test.each(['binary', 'next'] as const)(
  'a lost key is replaced on request, with an audit entry, and an existing one never (%s)',
  async (target) => {
    prepareDatabase(database);
    addLicense();
    putKey();
    const there = await redoubt('init --new-key', target);
    expect([there.exitCode, there.stderr]).toEqual([1, expect.stringContaining('exists')]);
    rmSync(keyPath);
    const made = await redoubt('init --new-key', target);
    expect(made).toEqual({ exitCode: 0, stdout: `created ${keyPath}\n`, stderr: '' });
    expect(ask('select action, actor from audit_log')).toEqual([
      { action: 'installation.new-key', actor: expect.stringMatching(/^cli:./) },
    ]);
    expect((await serve(target)).url).toContain('http');
  },
);
