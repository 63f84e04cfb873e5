import { beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canKill, everyStep, expectOutcomes, killedAt, STEPS } from './support/every-step.ts';
import { newEmptyDatabase, postgresUrl } from './support/postgres.ts';
import { type Env, run, runAlone } from './support/service.ts';
import { temporaryDirectory } from './support/temporary.ts';

const at = (directory: string) => ({ SERVICE_DATA_DIR: directory });
const licenses = async (directory: string) => {
  const { exitCode, stdout, stderr } = await run('binary', at(directory), 'license', 'list', '--json');
  return exitCode === 0 ? (JSON.parse(stdout) as unknown[]).length : stderr;
};

describe.if(canKill)('killed at any step', () => {
  let data: string;
  let backup: string;
  beforeAll(async () => {
    data = temporaryDirectory();
    const issue = () => run('binary', at(data), 'license', 'issue', '--plan', 'pro');
    await run('binary', at(data), 'init');
    await issue();
    backup = join(temporaryDirectory(), 'one.tar');
    await run('binary', at(data), 'backup', 'create', '--to', backup);
    await issue();
  });

  test('a restore leaves the complete old or new database and retains the old one', async () => {
    const found = new Set<unknown>();
    const steps = await everyStep(async (step) => {
      const directory = join(temporaryDirectory(), 'data');
      cpSync(data, directory, { recursive: true });
      const hasCome = await killedAt(step, at(directory), 'restore', backup);
      const count = await licenses(directory);
      expect([step, [1, 2]]).toEqual([step, expect.arrayContaining([count])]);
      found.add(count);
      const [kept] = readdirSync(directory).filter((name) => name.startsWith('before-restore-'));
      if (count === 1) expect([step, await licenses(join(directory, kept ?? ''))]).toEqual([step, 2]);
      expect(existsSync(join(directory, 'restore.ready'))).toBe(false);
      // After any interruption, the next restore succeeds.
      if (hasCome)
        expect(await run('binary', at(directory), 'restore', backup)).toMatchObject({ exitCode: 0 });
      expect(await licenses(directory)).toBe(1);
      return hasCome;
    });
    expectOutcomes(steps, 20, found, [1, 2]);
  }, 120_000);

  test('a backup is complete or absent, the data is unchanged, and the next backup cleans up', async () => {
    const steps = await everyStep(async (step) => {
      const [directory, folder] = [join(temporaryDirectory(), 'data'), temporaryDirectory()];
      cpSync(data, directory, { recursive: true });
      const hasCome = await killedAt(
        step,
        at(directory),
        'backup',
        'create',
        '--to',
        folder,
        '--keep-daily',
        '9',
      );
      for (const name of readdirSync(folder).filter((one) => one.endsWith('.tar'))) {
        const verified = await run('binary', at(directory), 'backup', 'verify', join(folder, name));
        expect([step, verified.exitCode, verified.stderr]).toEqual([step, 0, '']);
      }
      expect([step, await licenses(directory)]).toEqual([step, 2]);
      if (hasCome) {
        const next = join(folder, 'next.tar');
        expect(await run('binary', at(directory), 'backup', 'create', '--to', next)).toMatchObject({
          exitCode: 0,
        });
        const left = [...readdirSync(directory), ...readdirSync(folder)].filter((name) =>
          name.includes('partial'),
        );
        expect([step, left]).toEqual([step, []]);
      }
      return hasCome;
    });
    expectOutcomes(steps, 15, new Set(), []);
  }, 120_000);
});

describe.if(canKill)('on PostgreSQL, killed at any step', () => {
  let data: string;
  let env: Env;
  let backup: string;
  const keysIn = (directory: string) =>
    ['installation.key', 'signing/evidence.pem'].map((name) => readFileSync(join(directory, name), 'utf8'));
  beforeAll(async () => {
    const url = async () => ({ SERVICE_DATABASE_URL: postgresUrl(await newEmptyDatabase()) });
    env = await url();
    const own = { ...env, ...at(temporaryDirectory()) };
    await run('binary', own, 'init');
    backup = join(temporaryDirectory(), 'one.tar');
    await run('binary', own, 'backup', 'create', '--to', backup);
    // Keys of another installation, with which no node would start.
    data = temporaryDirectory();
    await run('binary', { ...(await url()), ...at(data) }, 'init');
  });

  test('a restore leaves all old keys or all new keys, and retains the old ones', async () => {
    const [old, found] = [keysIn(data), new Set<unknown>()];
    const steps = await everyStep(async (step) => {
      const directory = join(temporaryDirectory(), 'data');
      cpSync(data, directory, { recursive: true });
      const own = { ...env, ...at(directory) };
      if (!(await killedAt(step, own, 'restore', backup))) return false;
      // The next command completes the restore.
      const { exitCode } = await run('binary', own, 'license', 'list');
      found.add(exitCode);
      if (exitCode === 2) expect([step, keysIn(directory)]).toEqual([step, old]);
      else {
        const [kept = ''] = readdirSync(directory).filter((name) => name.startsWith('before-restore-'));
        expect([step, exitCode, keysIn(join(directory, kept))]).toEqual([step, 0, old]);
      }
      expect(existsSync(join(directory, 'restore.ready'))).toBe(false);
      if (exitCode === 2) await run('binary', own, 'restore', backup);
      // No backup is created of keys that belong to two installations.
      expect(await run('binary', own, 'backup', 'create')).toMatchObject({ exitCode: 0 });
      return true;
    }, STEPS.split(','));
    expectOutcomes(steps, 15, found, [0, 2]);
  }, 400_000);

  test('a backup is complete or absent, and the next one cleans up', async () => {
    await run('binary', { ...env, ...at(data) }, 'restore', backup);
    const steps = await everyStep(async (step) => {
      const folder = temporaryDirectory();
      const directory = join(temporaryDirectory(), 'data');
      cpSync(data, directory, { recursive: true });
      const own = { ...env, ...at(directory) };
      if (!(await killedAt(step, own, 'backup', 'create', '--to', folder, '--keep-daily', '9'))) return false;
      for (const name of readdirSync(folder).filter((one) => one.endsWith('.tar'))) {
        const verified = await run('binary', own, 'backup', 'verify', join(folder, name));
        expect([step, verified.exitCode, verified.stderr]).toEqual([step, 0, '']);
      }
      const next = join(folder, 'next.tar');
      expect(await run('binary', own, 'backup', 'create', '--to', next)).toMatchObject({ exitCode: 0 });
      expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
      return true;
    }, STEPS.split(','));
    expectOutcomes(steps, 3, new Set(), []);
  }, 400_000);
});

test('a restore with a plan lost to a damaged disk is reported, and nothing is guessed', async () => {
  const directory = temporaryDirectory();
  await run('binary', at(directory), 'init');
  const ready = join(directory, 'restore.ready');
  mkdirSync(ready);
  writeFileSync(join(ready, 'restore.json'), '{"before":');
  const before = readFileSync(join(directory, 'installation.key'), 'utf8');
  const { exitCode, stderr } = await runAlone('binary', at(directory), 'license', 'list');
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(/cannot read .*restore[.]json. Move its directory away/),
  ]);
  expect(readFileSync(join(directory, 'installation.key'), 'utf8')).toBe(before);
});
