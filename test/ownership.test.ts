import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { databasePath } from '../src/storage/engine/data-directory.ts';
import { MIGRATIONS } from '../src/storage/engine/migrations.ts';
import { prepareDatabase } from '../src/storage/engine/sqlite/database.ts';
import { binaryForOthers, type Outcome, run, start } from './support/service.ts';
import { temporaryDirectory } from './support/temporary.ts';

const NOBODY = 65_534;
const needsRoot = process.getuid?.() !== 0;
if (needsRoot) console.warn('the tests of what commands of root do are skipped: they need root');

/** A data directory of the service user, in which root runs commands. */
function servicesDirectory(): string {
  const directory = temporaryDirectory();
  chownSync(directory, NOBODY, NOBODY);
  return directory;
}

/** A port in use: `serve` opens its data directory, and exits when it cannot listen. */
let occupied: ReturnType<typeof Bun.serve>;
beforeAll(() => {
  occupied = Bun.serve({ port: 0, fetch: () => new Response() });
});
afterAll(() => occupied.stop(true));

const envOf = (directory: string) => ({ SERVICE_DATA_DIR: directory, SERVICE_PORT: String(occupied.port) });
const redoubt = (directory: string, ...words: string[]) => run('binary', envOf(directory), ...words);
const entries = (directory: string) =>
  readdirSync(directory).map((name) => ({ name, ...lstatSync(join(directory, name)) }));

/** The access of other users to a file. */
const othersMay = (path: string) => lstatSync(path).mode & 0o077;

test('starting closes an existing data directory, and every file of Redoubt in it, to other users', async () => {
  const directory = temporaryDirectory();
  prepareDatabase(databasePath(directory));
  const theirs = join(directory, 'theirs');
  for (const name of ['redoubt.lock', 'redoubt.sqlite.before-v2', 'vulnerabilities.lock'])
    writeFileSync(join(directory, name), '');
  writeFileSync(theirs, '');
  for (const { name } of entries(directory)) chmodSync(join(directory, name), 0o664);
  chmodSync(directory, 0o755);
  await redoubt(directory, 'license', 'list');
  // Its own process: files in its data directory belong to other users.
  const service = await start('next', { SERVICE_DATA_DIR: directory });
  expect(othersMay(directory)).toBe(0);
  for (const { name } of entries(directory)) {
    const path = join(directory, name);
    expect([path, othersMay(path)]).toEqual([path, path === theirs ? 0o064 : 0]);
  }
  for (const path of [directory, databasePath(directory)])
    expect(service.log()).toContain(`permissions corrected","path":"${path}"`);
  expect(service.log()).not.toContain(theirs);
  await service.end();
});

describe.skipIf(needsRoot)('another user', () => {
  /** Takes the read lock of the database as another user, until its input ends. */
  const readLock = async (path: string) => {
    const executable = await binaryForOthers();
    const reading = `const { DatabaseSync } = require('node:sqlite');
      const lock = new DatabaseSync(process.argv[1], { readOnly: true });
      lock.exec('BEGIN');
      lock.prepare('select * from sqlite_master').all();
      console.log('held');
      process.stdin.resume();`;
    const child = spawn(executable, ['-e', reading, path], {
      uid: NOBODY,
      gid: NOBODY,
      env: { BUN_BE_BUN: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const held = await Promise.race([
      new Promise((resolve) => child.stdout.once('data', () => resolve(true))),
      ended.then(() => false),
    ]);
    const letGo = () => {
      child.kill('SIGKILL');
      return ended;
    };
    return { held, letGo };
  };

  test('with a read lock does not prevent a start, and gets no new lock', async () => {
    const directory = temporaryDirectory();
    const lock = join(directory, 'redoubt.lock');
    writeFileSync(lock, '');
    chmodSync(lock, 0o644);
    chmodSync(directory, 0o755);
    const reader = await readLock(lock);
    expect(reader.held).toBe(true);
    const service = await start('binary', { SERVICE_DATA_DIR: directory });
    expect((await readLock(lock)).held).toBe(false);
    const second = await redoubt(directory, 'serve');
    expect([second.exitCode, second.stderr]).toEqual([1, expect.stringContaining('another redoubt')]);
    await service.end();
    await reader.letGo();
  });
});

describe.skipIf(needsRoot)('commands that root starts', () => {
  test('leave only files that the owner of the data directory alone can access', async () => {
    const directory = servicesDirectory();
    await redoubt(directory, 'serve');
    expect((await redoubt(directory, 'license', 'issue', '--plan', 'pro')).exitCode).toBe(0);
    const left = entries(directory);
    expect(left.map(({ name }) => name)).toContain('installation.key');
    expect(left.filter(({ uid, gid }) => uid !== NOBODY || gid !== NOBODY)).toEqual([]);
    const service = await start('binary', { SERVICE_DATA_DIR: directory });
    expect((await redoubt(directory, 'license', 'list')).exitCode).toBe(0);
    expect(entries(directory).filter(({ uid }) => uid !== NOBODY)).toEqual([]);
    const task = `/proc/${service.process.pid}/task`;
    for (const thread of readdirSync(task)) {
      const status = readFileSync(join(task, thread, 'status'), 'utf8');
      const ids = (field: string) =>
        new RegExp(`^${field}:(.*)$`, 'm').exec(status)?.[1]?.trim().split(/\s+/);
      const all = Array(4).fill(String(NOBODY));
      expect([ids('Uid'), ids('Gid'), ids('Groups')]).toEqual([all, all, [String(NOBODY)]]);
    }
    expect(await service.end()).toBe(0);
  }, 30_000);

  test.each(['root', 'the owner'])(
    'store keys in a folder of %s, and no files of a refused attempt',
    async (whose) => {
      const directory = servicesDirectory();
      await redoubt(directory, 'init');
      const folder = whose === 'root' ? temporaryDirectory() : servicesDirectory();
      const out = join(folder, 'keys.csv');
      const file = join(folder, 'rows.ndjson');
      writeFileSync(file, '{"plan":"free","expires":"2020-01-01"}');
      const executable = await binaryForOthers();
      const command = (...words: string[]) =>
        spawnSync(executable, ['license', ...words, '--out', out], {
          ...(whose === 'root' ? {} : { uid: NOBODY, gid: NOBODY }),
          env: { SERVICE_DATA_DIR: directory },
          encoding: 'utf8',
        });
      const refusals = [command('import', file), command('import', file)];
      for (const { status, stderr } of refusals)
        expect([status, stderr]).toEqual([
          1,
          expect.stringContaining('nothing was imported: 1 line is refused'),
        ]);
      expect(readdirSync(folder)).toEqual(['rows.ndjson']);

      const { status, stdout, stderr } = command('issue', '--plan', 'free', '--count', '2');
      expect([status, stdout, stderr]).toEqual([0, expect.stringContaining(`only in ${out}`), '']);
      expect(readdirSync(folder).sort()).toEqual(['keys.csv', 'rows.ndjson']);
      expect([readFileSync(out, 'utf8').split('\n').length, othersMay(out)]).toEqual([4, 0]);
    },
  );

  const next = MIGRATIONS.length + 1;
  describe.each([
    'redoubt.sqlite',
    'redoubt.sqlite-wal',
    'redoubt.sqlite-shm',
    'redoubt.sqlite-journal',
    'redoubt.lock',
    'redoubt.lock-journal',
    'installation.key',
    `redoubt.sqlite.before-v${next}`,
    `redoubt.sqlite.before-v${next}.partial`,
    'redoubt.sqlite.dry-run',
    'redoubt.sqlite.dry-run.partial',
  ])('follow no link that the service created at %s', (name) => {
    test.each(['a file of root', 'a new file'])('to %s', async (target) => {
      const directory = servicesDirectory();
      const path = databasePath(directory);
      prepareDatabase(path);
      chownSync(path, NOBODY, NOBODY);
      const roots = temporaryDirectory();
      const victim = join(roots, 'victim');
      if (target === 'a file of root') writeFileSync(victim, 'of root\n', { mode: 0o600 });
      rmSync(join(directory, name), { force: true });
      symlinkSync(victim, join(directory, name));
      lchownSync(join(directory, name), NOBODY, NOBODY);
      for (const words of ['license list', 'migrate --dry-run', 'migrate', 'serve'])
        await run('next', envOf(directory), ...words.split(' '));
      const left = readdirSync(roots).map((file) => readFileSync(join(roots, file), 'utf8'));
      expect(left).toEqual(target === 'a file of root' ? ['of root\n'] : []);
      expect(entries(directory).filter(({ uid }) => uid !== NOBODY)).toEqual([]);
    });
  });

  const refused = ({ exitCode, stdout, stderr }: Outcome, reason: string) => {
    expect([exitCode, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
    expect(stderr).toContain(reason);
  };

  test('are refused on a runtime that cannot drop root’s groups, and create nothing', async () => {
    const directory = servicesDirectory();
    for (const words of [['license', 'list'], ['serve']]) {
      const outcome = await run('deno', { SERVICE_DATA_DIR: directory, SERVICE_PORT: '0' }, ...words);
      refused(outcome, 'sudo -u nobody redoubt');
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  test('are refused in a directory of root’s in which others can write', async () => {
    const directory = join(temporaryDirectory(), 'data');
    mkdirSync(directory);
    chmodSync(directory, 0o770);
    refused(await redoubt(directory, 'serve'), `chmod 700 ${directory}`);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('are refused in a directory owned by a user in root’s group', async () => {
    const directory = temporaryDirectory();
    chownSync(directory, NOBODY, 0);
    refused(await redoubt(directory, 'serve'), `chown nobody: ${directory}`);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('are recommended to a user who is neither root nor the owner', async () => {
    const directory = temporaryDirectory();
    chownSync(directory, 1, 1);
    chmodSync(directory, 0o777);
    const executable = await binaryForOthers();
    const { status, stdout, stderr } = spawnSync(executable, ['license', 'list'], {
      uid: NOBODY,
      gid: NOBODY,
      env: { SERVICE_DATA_DIR: directory },
      encoding: 'utf8',
    });
    refused({ exitCode: status ?? -1, stdout, stderr }, 'sudo -u daemon redoubt');
    expect(readdirSync(directory)).toEqual([]);
  });
});
