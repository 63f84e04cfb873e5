import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databasePath, lockDataDirectory, unsafeFileSystem } from '../src/storage/engine/data-directory.ts';
import { DatabaseUnusable } from '../src/storage/engine/database.ts';
import { MIGRATIONS } from '../src/storage/engine/migrations.ts';
import { prepareDatabase } from '../src/storage/engine/sqlite/database.ts';
import { call } from './support/client.ts';
import { binaryForOthers, type Env, run, runIn, SEAM_TARGETS, start, until } from './support/service.ts';
import { temporaryDirectory } from './support/temporary.ts';

const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0;

const serve = (env: Env) =>
  run('binary', { SERVICE_DATA_DIR: temporaryDirectory(), SERVICE_PORT: '0', ...env }, 'serve');
const lines = (text: string) => text.trim().split('\n');

describe('at the start', () => {
  test('a second instance on one data directory reports the first and exits with 1', async () => {
    // Its own process: starts are tested.
    const service = await start('binary');
    const second = await serve(service.env);
    expect([second.exitCode, lines(second.stderr).length]).toEqual([1, 1]);
    expect(second.stderr).toContain('another redoubt is using the data directory');
    await service.end('SIGKILL');
    const third = await start('binary', service.env);
    expect(await third.end()).toBe(0);
  });

  test('a database of a newer version is refused', async () => {
    const directory = temporaryDirectory();
    const database = new DatabaseSync(databasePath(directory));
    database.exec('PRAGMA user_version = 999');
    database.close();
    chmodSync(databasePath(directory), 0o600);
    const { exitCode, stderr } = await serve({ SERVICE_DATA_DIR: directory });
    expect([exitCode, lines(stderr).length]).toEqual([1, 1]);
    expect(stderr).toContain('but this executable supports only');
  });

  test('a damaged database is refused', async () => {
    const service = await start('binary');
    await service.issue('--plan', 'free', '--note', 'x'.repeat(500));
    await service.end();
    const path = databasePath(service.env.SERVICE_DATA_DIR as string);
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4096 * 2, bytes.length - 4096);
    writeFileSync(path, bytes);
    const { exitCode, stderr } = await serve(service.env);
    expect([exitCode, lines(stderr).length]).toEqual([1, 1]);
  }, 20_000);

  test.each([
    ['empty', (path: string) => truncateSync(path)],
    ['missing', (path: string) => rmSync(path)],
    [
      'without content',
      (path: string) => {
        rmSync(path);
        const database = new DatabaseSync(path);
        database.exec('PRAGMA journal_mode = WAL');
        database.close();
      },
    ],
  ])(
    'a database that is %s, although its key shows that it had data, is refused and not recreated',
    async (_, lose) => {
      const service = await start('binary');
      await service.end();
      const directory = service.env.SERVICE_DATA_DIR as string;
      lose(databasePath(directory));
      const left = () => readdirSync(directory).map((name) => [name, statSync(join(directory, name)).size]);
      const before = left();
      const { exitCode, stderr } = await serve(service.env);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Restore it from a backup')]);
      expect(left()).toEqual(before);
    },
  );

  test('a database of another program is refused and not changed', async () => {
    const directory = temporaryDirectory();
    const other = new DatabaseSync(databasePath(directory));
    other.exec('create table notes (text text)');
    other.close();
    const before = readFileSync(databasePath(directory));
    const { exitCode, stderr } = await serve({ SERVICE_DATA_DIR: directory });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('is not a database of redoubt')]);
    expect(readFileSync(databasePath(directory))).toEqual(before);
  });

  test.if(IS_ROOT)('a database that root creates belongs to the owner of its directory', async () => {
    const directory = temporaryDirectory();
    chownSync(directory, NOBODY, NOBODY);
    await run('binary', { SERVICE_DATA_DIR: directory }, 'init');
    const { uid, gid, mode } = statSync(databasePath(directory));
    expect([uid, gid, mode & 0o777]).toEqual([NOBODY, NOBODY, 0o600]);
  });

  test.if(IS_ROOT)('a database that only others may write is refused with the remedy', async () => {
    const directory = temporaryDirectory();
    prepareDatabase(databasePath(directory));
    chownSync(directory, NOBODY, NOBODY);
    chmodSync(databasePath(directory), 0o644);
    const executable = await binaryForOthers();
    const { status, stderr } = spawnSync(executable, ['serve'], {
      uid: NOBODY,
      gid: NOBODY,
      env: { SERVICE_DATA_DIR: directory, SERVICE_PORT: '0' },
      encoding: 'utf8',
      timeout: 10_000,
    });
    expect([status, lines(stderr).length]).toEqual([1, 1]);
    expect(stderr).toContain('chown');
  });

  test('a port in use is reported in one line that names the settings, with exit code 1', async () => {
    const service = await start('binary');
    const { port } = new URL(service.url);
    const { exitCode, stderr } = await serve({ SERVICE_PORT: port });
    expect([exitCode, lines(stderr).length]).toEqual([1, 1]);
    expect(stderr).toContain(`127.0.0.1:${port} (SERVICE_HOST, SERVICE_PORT)`);
    await service.end();
  });

  test('a chosen port is logged at every log level', async () => {
    const service = await start('binary', { SERVICE_LOG_LEVEL: 'error' });
    expect((await call(service.url, '/healthz')).status).toBe(200);
    expect(lines(service.log())).toHaveLength(1);
    await service.end();
  });

  test.each([
    ['SERVICE_PORT', 'eighty'],
    ['SERVICE_THREAT_FEED_ENABLED', 'yes'],
    ['SERVICE_LOG_LEVEL', 'loud'],
    ['SERVICE_FEED_MIN_CORROBORATION', '0'],
    ['SERVICE_CONFIG', '/nowhere/at/all'],
    ['SERVICE_TRUSTED_PROXIES', '10.0.0.0/99'],
  ])('%s=%s is refused in one line that names it, with exit code 2', async (name, value) => {
    const { exitCode, stderr } = await serve({ [name]: value });
    expect([exitCode, lines(stderr).length]).toEqual([2, 1]);
    expect(stderr).toContain(name);
  });

  test('file systems that lose acknowledged data are known by name', () => {
    expect(
      [0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0xef53, 0x01021994].map(unsafeFileSystem),
    ).toEqual(['NFS', 'SMB', 'SMB (CIFS)', 'SMB2', 'FUSE', undefined, undefined]);
    expect(unsafeFileSystem(0xff534d42 | 0)).toBe('SMB (CIFS)');
  });

  test('a lock is released when its holder closes it', () => {
    const directory = temporaryDirectory();
    const unlock = lockDataDirectory(directory);
    expect(() => lockDataDirectory(directory)).toThrow('another redoubt');
    unlock();
    lockDataDirectory(directory)();
  });
});

describe('migrations', () => {
  test('a database is copied before it is migrated, and a failed migration changes nothing', () => {
    const path = databasePath(temporaryDirectory());
    prepareDatabase(path);
    const next = [...MIGRATIONS, 'CREATE TABLE added (id INTEGER PRIMARY KEY) STRICT'];
    expect(() => prepareDatabase(path, [...MIGRATIONS, 'CREATE TABLE half (id); NONSENSE'])).toThrow(
      DatabaseUnusable,
    );
    prepareDatabase(path, next);
    expect(existsSync(`${path}.before-v${next.length}`)).toBe(true);
    const database = new DatabaseSync(path);
    const tables = database.prepare("select name from sqlite_master where name in ('added', 'half')").all();
    expect(tables.map(({ name }) => name)).toEqual(['added']);
    database.close();
    expect(() => prepareDatabase(path)).toThrow('but this executable supports only');
  });
});

test.each([...SEAM_TARGETS])('SIGTERM lets a request in flight finish and exits 0 (%s)', async (target) => {
  const service = await start(target);
  let release = () => {};
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('{"api_key":"x",'));
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      controller.enqueue(new TextEncoder().encode('"domain":"x.test"}'));
      controller.close();
    },
  });
  const answer = call(service.url, '/api/v1/license/verify', { body });
  await call(service.url, '/healthz');
  const ended = service.end();
  await until(() => service.log().includes('stopping'));
  release();
  expect((await answer).status).toBe(200);
  // Less than the time-out of a request that never ends.
  await until(
    () => service.log().includes('"stopped"'),
    5_000,
    () => 'the end after the last answer',
  );
  expect(await ended).toBe(0);
});

test('a hostile working directory with .env and bunfig.toml is ignored', async () => {
  const hostile = temporaryDirectory();
  const marker = join(hostile, 'marker');
  writeFileSync(join(hostile, '.env'), 'SERVICE_PORT=nonsense\nSERVICE_LOG_LEVEL=loud\n');
  writeFileSync(
    join(hostile, 'evil.ts'),
    `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'x');`,
  );
  writeFileSync(join(hostile, 'bunfig.toml'), 'preload = ["./evil.ts"]\n');
  const { exitCode, stdout } = await runIn(hostile, 'binary', {}, 'config', '--json');
  expect([exitCode, JSON.parse(stdout).SERVICE_PORT]).toEqual([0, 8080]);
  expect(existsSync(marker)).toBe(false);
});
