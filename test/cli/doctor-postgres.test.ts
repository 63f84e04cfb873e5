import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { disconnect } from '../../src/storage/engine/database.ts';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { openPostgres, type PostgresServer, postgresUrl, startPostgres } from '../support/postgres.ts';
import { type Build, type Env, run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { hostWith } from '../support/unit.ts';
import { isValkeyThere, startValkey } from '../support/valkey.ts';

const NO_UNIT = hostWith({ LoadState: 'not-found' });
let server: PostgresServer;
let directory: string;
let env: Env;
const database = (statements: string, name = 'doctor') => {
  const db = openPostgres({ ...server.address, database: name });
  return Promise.resolve(execute(db, statements)).finally(() => disconnect(db));
};
beforeAll(async () => {
  server = await startPostgres();
  await database('create database doctor', 'postgres');
  await database('create database nothing', 'postgres');
  directory = temporaryDirectory();
  const url = postgresUrl({ ...server.address, database: 'doctor' });
  const ports = { SERVICE_PORT: '0', SERVICE_ADMIN_PORT: '0' };
  env = { ...NO_UNIT, ...ports, SERVICE_DATA_DIR: directory, SERVICE_DATABASE_URL: url };
  await run('binary', env, 'init');
  await run('binary', env, 'license', 'issue', '--plan', 'pro');
});
afterAll(() => server.stop('SIGQUIT'));

/** The exit code, and the findings by severity and id. */
async function found(target: Build, settings: Env, ...words: string[]) {
  const { exitCode, stdout, stderr } = await run(target, { ...env, ...settings }, ...words, '--json');
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: Record<string, string>[] };
  for (const finding of findings) expect(Object.keys(finding)).toEqual(['id', 'severity', 'what', 'do']);
  return [exitCode, ...findings.map(({ id, severity }) => `${severity} ${id}`)];
}
const doctor = (settings: Env = {}) => found('binary', settings, 'doctor');
const check = (settings: Env = {}) => found('binary', settings, 'config', 'check');

describe('redoubt doctor on PostgreSQL', () => {
  test('finds no problem in a healthy installation, with a running node and without one', async () => {
    expect(await doctor()).toEqual([0]);
    // Its own process: the doctor checks the whole installation.
    const node = await start('binary', env);
    expect(await doctor({ SERVICE_PORT: node.env.SERVICE_PORT ?? '0' })).toEqual([0]);
    await node.end();
    expect(await check()).toEqual([0]);
  });

  test('reports keys that are missing, of another installation, or readable by all users', async () => {
    const keys = join(temporaryDirectory(), 'keys');
    expect(await doctor({ SERVICE_KEYS_DIR: keys })).toEqual([
      ...[1, 'error keys-directory-missing', 'error installation-key'],
    ]);
    mkdirSync(keys);
    writeFileSync(join(keys, 'installation.key'), Buffer.alloc(32, 1).toString('base64'), { mode: 0o600 });
    expect(await doctor({ SERVICE_KEYS_DIR: keys })).toEqual([1, 'error installation-key']);
    rmSync(keys, { recursive: true });
    chmodSync(join(directory, 'installation.key'), 0o604);
    const apart = { SERVICE_KEYS_DIR: directory, SERVICE_DATA_DIR: temporaryDirectory() };
    expect(await doctor(apart)).toEqual([1, 'error keys-directory-open']);
    chmodSync(join(directory, 'installation.key'), 0o600);
  });

  test('reports a database that is empty, not migrated, newer, or full of dead rows', async () => {
    const empty = postgresUrl({ ...server.address, database: 'nothing' });
    expect(await doctor({ SERVICE_DATABASE_URL: empty })).toEqual([1, 'error database-missing']);
    expect(await found('next', {}, 'doctor')).toEqual([1, 'error database-older']);
    await database(`update redoubt_version set version = ${MIGRATIONS.length + 1}`);
    expect(await doctor()).toEqual([1, 'error database-newer']);
    await database(`update redoubt_version set version = ${MIGRATIONS.length}`);
    await database('alter table generations set (autovacuum_enabled = false)');
    expect(await doctor()).toEqual([3, 'warning database-autovacuum']);
    await database('alter table generations reset (autovacuum_enabled)');
  });

  test('reports stored problems: no backup of the keys, stuck payments, a clock behind the data', async () => {
    await database('update licenses set created_at = created_at - 172800000');
    expect(await doctor()).toEqual([3, 'warning backup']);
    await database('update licenses set created_at = created_at + 2 * 172800000');
    expect(await doctor()).toEqual([1, 'error clock-behind']);
    await database('update licenses set created_at = created_at - 172800000');
  });

  test('reports a user, database or durability that a start would refuse, and so does config check', async () => {
    const nobody = postgresUrl({ ...server.address, user: 'nobody', database: 'doctor' });
    const nowhere = postgresUrl({ ...server.address, database: 'nowhere' });
    for (const url of [nobody, nowhere]) {
      expect(await doctor({ SERVICE_DATABASE_URL: url })).toEqual([1, 'error database-refused']);
      expect(await check({ SERVICE_DATABASE_URL: url })).toEqual([2, 'error database-refused']);
    }
    await database('alter database doctor set synchronous_commit = off');
    const { stdout } = await run('binary', env, 'doctor');
    expect(stdout).toContain('synchronous_commit is off, which can lose acknowledged changes\n  turn it on');
    await database('alter database doctor reset synchronous_commit');
    expect(await doctor({ SERVICE_DATABASE_URL: 'nonsense' })).toEqual([1, 'error setting-refused']);
  });

  test('reports a connection limit below the needs of the nodes as a warning', async () => {
    await database('alter database doctor connection limit 29');
    expect(await doctor()).toEqual([3, 'warning database-connections']);
    await database('alter database doctor connection limit -1');
  });
});

describe('an unavailable database', () => {
  let silent: Server;
  let url: string;
  beforeAll(async () => {
    // It accepts connections and never answers.
    silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    url = `postgres://u@127.0.0.1:${(silent.address() as { port: number }).port}/d`;
  });
  afterAll(() => silent.close());

  test('is one finding of doctor within limited time, next to all others', async () => {
    const nobody = { SERVICE_DATABASE_URL: 'postgres:///d?host=/nowhere&user=u' };
    expect(await doctor({ ...nobody, SERVICE_TLS_CERT: '/nowhere' })).toEqual([
      ...[1, 'error database-away', 'error setting-refused'],
    ]);
    const began = performance.now();
    expect(await doctor({ SERVICE_DATABASE_URL: url })).toEqual([1, 'error database-away']);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test('is a warning of config check, because the settings may be right', async () => {
    expect(await check({ SERVICE_DATABASE_URL: 'postgres:///d?host=/nowhere&user=u' })).toEqual([
      ...[3, 'warning database-away'],
    ]);
  });
});

test.if(isValkeyThere)(
  'a limits server that does not count is a warning, and a working one is no finding',
  async () => {
    const valkey = await startValkey();
    const settings = { SERVICE_LIMITS_URL: valkey.url };
    expect([await doctor(settings), await check(settings)]).toEqual([[0], [0]]);
    await valkey.stop();
    expect(await doctor(settings)).toEqual([3, 'warning limits-server']);
    expect(await check(settings)).toEqual([3, 'warning limits-server']);
  },
);
