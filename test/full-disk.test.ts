import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { databasePath } from '../src/storage/data-directory.ts';
import { databaseVersion, prepareDatabase } from '../src/storage/database.ts';
import { MIGRATIONS } from '../src/storage/migrations.ts';
import { run, start } from './support/service.ts';
import { type SmallDisk, smallDisk } from './support/small-disk.ts';

const MIB = 1024 * 1024;
const probe = smallDisk(MIB);
probe?.unmount();
if (probe === undefined) console.warn('the tests on a full disk are skipped: they need root that may mount');

describe.skipIf(probe === undefined)('on a full disk', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = smallDisk(32 * MIB) as SmallDisk;
  });
  afterEach(() => disk.unmount());
  const redoubt = (...words: string[]) =>
    run('binary', { SERVICE_DATA_DIR: disk.directory, SERVICE_PORT: '0' }, ...words);

  test('nothing is migrated, and what room a migration needs is told', async () => {
    const path = databasePath(disk.directory);
    prepareDatabase(path, MIGRATIONS.slice(0, -1));
    disk.fill(4 * MIB);
    const before = readdirSync(disk.directory);
    const { exitCode, stderr } = await redoubt('serve');
    expect([exitCode, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toMatch(/was not migrated.*: \d\d MB must be free on the disk of .*, and 4 MB are/);
    expect(databaseVersion(path)).toBe(MIGRATIONS.length - 1);
    expect(readdirSync(disk.directory).filter((name) => !name.startsWith('redoubt.lock'))).toEqual(before);
    disk.clear();
    const service = await start('binary', { SERVICE_DATA_DIR: disk.directory });
    expect(await service.end()).toBe(0);
  });
});
