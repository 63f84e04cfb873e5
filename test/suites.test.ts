import { beforeAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInProcess } from './support/commands.ts';
import { needOf } from './support/needs.ts';
import { OF_ONE_ENGINE, OF_TRANSACTIONS } from './support/on-postgres.ts';
import { runAlone } from './support/service.ts';
import { isInPart, PARTS } from './support/suite.ts';
import { temporaryDirectory } from './support/temporary.ts';

test('the lists of what runs on PostgreSQL name files of the contract', () => {
  for (const name of [...OF_ONE_ENGINE, ...OF_TRANSACTIONS])
    expect([name, existsSync(join(import.meta.dir, 'contract', `${name}.test.ts`))]).toEqual([name, true]);
});

test('each of the eight parts of the matrix has a fair share of the files', () => {
  const files = [...new Bun.Glob('**/*.test.ts').scanSync(import.meta.dir)].map((file) => `test/${file}`);
  const counts = Array.from({ length: PARTS }, (_, at) => files.filter((file) => isInPart(file, at)).length);
  expect(counts.reduce((sum, count) => sum + count)).toBe(files.length);
  expect(Math.min(...counts)).toBeGreaterThan(files.length / PARTS / 2);
});

test.each([
  ["import { postgresUrl } from '../support/postgres.ts';", 'PostgreSQL'],
  ["import { launched } from './support/chromium.ts';", 'Chromium'],
  ["import { everyStep } from '../../support/every-step.ts';", 'strace'],
  ["await start('deno');", 'processes of its own'],
  ["await runAlone('binary', env);", 'processes of its own'],
  ["await start('binary');", undefined],
  ['// Needs more time than others.', 'more time than others'],
])('a file with %p needs %p', (text, need) => {
  const path = join(temporaryDirectory(), 'some.test.ts');
  writeFileSync(path, `${text}\n`);
  expect(needOf(path)).toBe(need);
});

const at = (directory: string) => ({
  SERVICE_DATA_DIR: directory,
  PATH: process.env.PATH ?? '',
  HOME: '/root',
});
let used: string;
beforeAll(async () => {
  used = temporaryDirectory();
  await runAlone('binary', at(used), 'init');
  await runAlone('binary', at(used), 'license', 'issue', '--plan', 'pro');
});

test.each([
  [['nonsense']],
  [['license', 'issue', '--plan', 'gold']],
  [['license', 'issue', '--help']],
  [['license', 'list', '--json']],
  [['license', 'show', 'lic_1']],
  [['license', 'show', 'lic_999']],
  [['license', 'resume', 'lic_1', '--hold', 'operator']],
  [['license', 'list', '--config', 'x']],
  [['config', '--json']],
  [['feed', 'show']],
  [['doctor']],
  [['backup', 'verify', 'nowhere.tar']],
  [['openapi']],
  [['--help']],
  [[]],
])('%j does the same in one process as through the executable', async (words) => {
  const alone = await runAlone('binary', at(used), ...words);
  expect(await runInProcess({ args: words, env: at(used), cwd: '/' })).toEqual(alone);
});

test('a command that runs in one process leaves no database open and no directory taken', async () => {
  const directory = temporaryDirectory();
  const inProcess = (...args: string[]) => runInProcess({ args, env: at(directory), cwd: directory });
  await inProcess('init');
  await inProcess('license', 'issue', '--plan', 'pro');
  const backup = join(temporaryDirectory(), 'one.tar');
  await inProcess('backup', 'create', '--to', backup);
  // Neither beside another command, nor with an open database, is anything restored.
  expect(await runAlone('binary', at(directory), 'restore', backup)).toMatchObject({ exitCode: 0 });
  expect(readdirSync(directory).filter((name) => name.endsWith('-wal'))).toEqual([]);
});
