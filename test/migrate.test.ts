import { beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databasePath, lockDataDirectory } from '../src/storage/engine/data-directory.ts';
import { MIGRATION_NAMES, MIGRATIONS } from '../src/storage/engine/migrations.ts';
import { databaseVersion, prepareDatabase } from '../src/storage/engine/sqlite/database.ts';
import { run, start } from './support/service.ts';
import { temporaryDirectory } from './support/temporary.ts';

/** Commands are those of the next version, which has one more migration. */
const OLDER = MIGRATIONS.length;
const LATEST = OLDER + 1;

let directory: string;
let path: string;
let copy: string;
beforeEach(() => {
  directory = temporaryDirectory();
  path = databasePath(directory);
  copy = `${path}.before-v${LATEST}`;
});
const redoubt = (...words: string[]) => run('next', { SERVICE_DATA_DIR: directory }, ...words);

/** Every file of the data directory by its content. */
const contents = () =>
  readdirSync(directory)
    .toSorted()
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(directory, name)))
        .digest('hex'),
    ]);
const setVersion = (version: number) => {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
};

const COMMANDS = [
  'license issue --plan pro',
  'license list',
  'license show lic_1',
  'license suspend lic_1 --hold operator',
  'license rotate lic_1',
  'feed show',
  'feed rebuild',
  'init',
];

describe('a database of another version', () => {
  test.each(COMMANDS)('is unchanged by "%s", which prints what to do', async (words) => {
    prepareDatabase(path);
    // The database as its own version left it.
    lockDataDirectory(directory)();
    const before = contents();
    const older = await redoubt(...words.split(' '));
    expect([older.exitCode, older.stdout]).toEqual([1, '']);
    expect(older.stderr).toMatch(/^redoubt: .* but this executable requires .*"redoubt migrate"\n$/);
    expect(contents()).toEqual(before);

    setVersion(LATEST + 1);
    const newer = await redoubt(...words.split(' '));
    expect([newer.exitCode, newer.stdout]).toEqual([1, '']);
    expect(newer.stderr).toMatch(/^redoubt: .* but this executable supports only .*Use the newer redoubt\n$/);
    expect(databaseVersion(path)).toBe(LATEST + 1);
  });

  test('is migrated by serve, after a copy is created', async () => {
    prepareDatabase(path);
    // Its own process: its database is migrated.
    const service = await start('next', { SERVICE_DATA_DIR: directory });
    expect([databaseVersion(path), databaseVersion(copy)]).toEqual([LATEST, OLDER]);
    expect(service.log()).toContain(`"from":${OLDER},"to":${LATEST},"copy":"${copy}"`);
    await service.end();
  });
});

test('migrations have the names and the order of their folders', () => {
  const folders = readdirSync(join(import.meta.dir, '../drizzle'))
    .filter((name) => /^\d/.test(name))
    .toSorted();
  expect(MIGRATION_NAMES).toEqual(folders.map((folder) => folder.slice(folder.indexOf('_') + 1)));
});

describe('redoubt migrate', () => {
  beforeEach(() => {
    prepareDatabase(path);
  });

  test('creates a copy, migrates, and does nothing when repeated', async () => {
    const { exitCode, stdout } = await redoubt('migrate');
    expect([exitCode, databaseVersion(path), databaseVersion(copy)]).toEqual([0, LATEST, OLDER]);
    expect(stdout).toContain(copy);
    const before = contents();
    const again = await redoubt('migrate', '--json');
    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([
      0,
      { database: path, version: LATEST, latest: LATEST, migrated: false },
    ]);
    expect(contents()).toEqual(before);
  });

  test('is refused while a server uses the database, which stays unchanged', async () => {
    const unlock = lockDataDirectory(directory);
    const { exitCode, stdout, stderr } = await redoubt('migrate');
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('another redoubt is using');
    expect([databaseVersion(path), existsSync(copy)]).toEqual([OLDER, false]);
    unlock();
  });

  test('--status lists pending migrations, changes nothing, and exits with 3 while there are any', async () => {
    const unlock = lockDataDirectory(directory);
    const before = contents();
    const { exitCode, stdout } = await redoubt('migrate', '--status', '--json');
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([
      3,
      { database: path, version: OLDER, latest: LATEST, changes: ['further'], fits: true },
    ]);
    expect(JSON.parse(stdout).bytes_needed).toBeGreaterThan(statSync(path).size);
    const shown = await redoubt('migrate', '--status');
    expect([shown.exitCode, shown.stdout]).toEqual([3, expect.stringMatching(/^fits +true$/m)]);
    expect(contents()).toEqual(before);
    unlock();
    await redoubt('migrate');
    expect(await redoubt('migrate', '--status', '--json')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('"changes": []'),
    });
  });

  test('--dry-run migrates and deletes a copy only, also next to a running server', async () => {
    const unlock = lockDataDirectory(directory);
    const before = contents();
    const { exitCode, stdout } = await redoubt('migrate', '--dry-run', '--json');
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { version: OLDER, migrated: false }]);
    expect(contents()).toEqual(before);
    unlock();
  });

  test('--dry-run reports a failing migration and leaves no files', async () => {
    // The column that the migration adds exists already.
    const database = new DatabaseSync(path);
    database.exec('alter table licenses add column further text');
    database.close();
    const before = contents();
    for (const words of [['--dry-run'], []]) {
      const { exitCode, stderr } = await redoubt('migrate', ...words);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('could not be migrated')]);
    }
    expect(databaseVersion(path)).toBe(OLDER);
    expect(contents().filter(([name]) => name !== 'redoubt.lock' && name !== basename(copy))).toEqual(before);
  });

  test('refuses a newer database', async () => {
    setVersion(LATEST + 1);
    for (const words of [[], ['--dry-run'], ['--status']]) {
      const { exitCode, stderr } = await redoubt('migrate', ...words);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Use the newer redoubt')]);
    }
  });
});
