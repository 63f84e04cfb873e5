import { beforeAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInProcess } from './support/commands.ts';
import { needOf } from './support/needs.ts';
import { OF_ONE_ENGINE, OF_TRANSACTIONS } from './support/on-postgres.ts';
import { runAlone, SHARED_SETTINGS } from './support/service.ts';
import { PARTS, rotating } from './support/suite.ts';
import { temporaryDirectory } from './support/temporary.ts';
import { dividedIntoParts, RECORDED, timingsIn } from './support/timings.ts';

test('the lists of tests on PostgreSQL name files of the contract', () => {
  for (const name of [...OF_ONE_ENGINE, ...OF_TRANSACTIONS])
    expect([name, existsSync(join(import.meta.dir, 'contract', `${name}.test.ts`))]).toEqual([name, true]);
});

const FILES = [...new Bun.Glob('**/*.test.ts').scanSync(import.meta.dir)];
const textOf = (file: string) => readFileSync(join(import.meta.dir, file), 'utf8');

test('the eight parts of the matrix contain every file once and take about the same time', () => {
  const files = FILES.map((file) => `test/${file}`);
  const times = timingsIn(RECORDED);
  const parts = dividedIntoParts(files);
  expect(parts.flat().toSorted()).toEqual(files.toSorted());
  const lengths = parts.map((part) => part.reduce((sum, file) => sum + (times[file] ?? 0), 0));
  expect(Math.max(...lengths)).toBeLessThan(1.1 * Math.min(...lengths));
});

test.each([2, 3, 4, 8])('eight runs in a row test every row of a table with one row in %d', (of) => {
  const rows = Array.from({ length: 30 }, (_, row) => row);
  const runs = Array.from({ length: PARTS }, (_, part) => rotating(rows, of, part));
  expect([...new Set(runs.flat())].toSorted((one, other) => one - other)).toEqual(rows);
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

const STARTS = /^import \{[^}]*\bstart\b[^}]*\} from '[./]+\/support\/service\.ts';$/m;
const REASON = /^ *\/\/ Its own process: \S.{5,}[^.]\.$/m;

test('only files that start their own service give the reason, in one line each', () => {
  const starting = FILES.filter((file) => STARTS.test(textOf(file)));
  expect(starting.length).toBeGreaterThan(50);
  expect(FILES.filter((file) => REASON.test(textOf(file)))).toEqual(starting);
});

test('each set of settings with a shared service is used by several files', () => {
  const { defaults: _, ...sets } = SHARED_SETTINGS;
  for (const name of Object.keys(sets)) {
    const users = FILES.filter((file) =>
      new RegExp(`sharedService\\([^)]*, '${name}'\\)`).test(textOf(file)),
    );
    expect([name, users.length > 1]).toEqual([name, true]);
  }
});

const at = (directory: string) => ({
  SERVICE_DATA_DIR: directory,
  // Another test's server may use the default ports, which doctor reports.
  SERVICE_PORT: '8',
  SERVICE_ADMIN_PORT: '9',
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
])('%j does the same in this process as through the executable', async (words) => {
  const alone = await runAlone('binary', at(used), ...words);
  expect(await runInProcess({ args: words, env: at(used), cwd: '/' })).toEqual(alone);
});

test('a command in this process closes its database and releases its data directory', async () => {
  const directory = temporaryDirectory();
  const inProcess = (...args: string[]) => runInProcess({ args, env: at(directory), cwd: directory });
  await inProcess('init');
  await inProcess('license', 'issue', '--plan', 'pro');
  const backup = join(temporaryDirectory(), 'one.tar');
  await inProcess('backup', 'create', '--to', backup);
  // A restore is refused while another command runs or the database is open.
  expect(await runAlone('binary', at(directory), 'restore', backup)).toMatchObject({ exitCode: 0 });
  expect(readdirSync(directory).filter((name) => name.endsWith('-wal'))).toEqual([]);
});
