import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import type { Jobs } from '../../../src/storage/engine/jobs/jobs.ts';
import {
  readBackup,
  readBackups,
  readFirstMoment,
  readLastBackup,
} from '../../../src/storage/installation/backups.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

let db: Database;
let jobs: Jobs;
beforeEach(async () => {
  db = await engine.open();
  jobs = prepareJobs(db);
});
afterEach(() => disconnect(db));

const keep = (path: string, at: number) => jobs.keepBackup({ path, at, bytes: 1, encrypted: false });
const paths = async () => (await readBackups(db)(1_000)).map(({ path }) => path);

test('backups are listed newest first, one at a used path replaces its predecessor, and removed ones are absent', async () => {
  await keep('/a', 1);
  await keep('/b', 3);
  await keep('/c', 2);
  expect(await paths()).toEqual(['/b', '/c', '/a']);
  await keep('/a', 4);
  expect(await paths()).toEqual(['/a', '/b', '/c']);
  await jobs.forgetBackups({ paths: ['/b', '/nowhere'] });
  expect(await paths()).toEqual(['/a', '/c']);
});

test('at most 200 are remembered', async () => {
  for (let at = 1; at <= 205; at += 1) await keep(`/${at}`, at);
  expect([(await paths()).length, (await paths()).at(-1)]).toEqual([200, '/6']);
});

test('the last good backup is the newest without problems', async () => {
  const last = readLastBackup(db);
  expect(await last()).toBeUndefined();
  await keep('/a', 1);
  await keep('/b', 2);
  expect(await last()).toMatchObject({ path: '/b', checkedAt: null, problem: null });
  const { id = 0 } = (await last()) ?? {};
  await jobs.noteBackupCheck({ id, at: 5, problem: 'it is damaged' });
  expect(await readBackup(db)(id)).toMatchObject({ path: '/b', checkedAt: 5, problem: 'it is damaged' });
  expect(await last()).toMatchObject({ path: '/a' });
  await jobs.noteBackupCheck({ id, at: 6, problem: null });
  expect(await last()).toMatchObject({ path: '/b', checkedAt: 6 });
});

test('there is data to lose from the first license or act on', async () => {
  const first = readFirstMoment(db);
  expect(await first()).toBeUndefined();
  await jobs.audit({ at: 7, actor: 'system', action: 'feed.rebuild', subject: null });
  await jobs.audit({ at: 3, actor: 'system', action: 'feed.rebuild', subject: null });
  expect(await first()).toBe(7);
});
