import { beforeAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { commandOf, type Env, run } from '../support/service.ts';
import { spreadsheetRows } from '../support/spreadsheet.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let env: Env;
const redoubt = (...words: string[]) => run('binary', env, ...words);
const list = (...words: string[]) => redoubt('license', 'list', ...words);
const ids = async (...words: string[]) =>
  JSON.parse((await list('--json', ...words)).stdout).map((each: { license_id: string }) => each.license_id);
const exportsAudited = async () =>
  JSON.parse((await redoubt('audit', '--json')).stdout).filter(
    ({ action }: { action: string }) => action === 'license.export',
  );
const DAY_MS = 86_400_000;

beforeAll(async () => {
  env = { SERVICE_DATA_DIR: temporaryDirectory() };
  await redoubt('init');
  const issue = (...words: string[]) => redoubt('license', 'issue', '--plan', ...words);
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const domains = '--domain www.a.com --domain b.com'.split(' ');
  await issue('pro', ...domains, '--note', '=1+1', '--customer', 'Say "so", Ltd');
  await issue('starter', '--expires', inDays(2));
  await issue('pro', '--expires', inDays(40), '--trial');
  await redoubt('license', 'suspend', 'lic_3', '--hold', 'operator');
  const database = new DatabaseSync(databasePath(env.SERVICE_DATA_DIR ?? ''));
  database
    .prepare('insert into sites (license_id, domain, first_seen_at, last_seen_at) values (1, ?, 0, ?)')
    .run('a.com', Date.now());
  database.close();
});

test.each([
  [[], ['lic_1', 'lic_2', 'lic_3']],
  [['--status', 'suspended'], ['lic_3']],
  [['--status', 'active', '--plan', 'starter'], ['lic_2']],
  [
    ['--plan', 'pro'],
    ['lic_1', 'lic_3'],
  ],
  [['--domain', 'https://A.com/x'], ['lic_1']],
  [['--expiring-in', '3d'], ['lic_2']],
  [['--expiring-in', '1h'], []],
  [['--silent'], ['lic_2', 'lic_3']],
  [['--status', 'revoked'], []],
])('the filters %j select the matching licenses', async (words, expected) => {
  expect(await ids(...words)).toEqual(expected);
});

test.each([
  [['--status', 'happy']],
  [['--plan', 'gold']],
  [['--domain', 'a..b']],
  [['--expiring-in', 'soon']],
  [['--limit', '1001']],
  [['--cursor', 'x']],
  [['--page']],
  [['--csv', '--ndjson']],
  [['--csv', '--json']],
  [['--csv', '--limit', '1']],
])('%j is wrong usage, prints nothing and exports nothing', async (words) => {
  const before = await exportsAudited();
  const { exitCode, stdout, stderr } = await list(...words);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).not.toBe('');
  expect(await exportsAudited()).toEqual(before);
});

test('a page returns the start of the next one: on stderr, and in JSON when requested', async () => {
  const { stdout, stderr } = await list('--limit', '2');
  expect(stdout).toMatch(/^id .*\nlic_1 .*\nlic_2 .*\n$/);
  expect(stderr).toBe('redoubt: more licenses follow: --cursor lic_2\n');
  const paged = await list('--limit', '2', '--json', '--page');
  const { licenses, next_cursor } = JSON.parse(paged.stdout);
  expect([licenses.length, next_cursor]).toEqual([2, 'lic_2']);
  const last = await list('--limit', '2', '--cursor', next_cursor, '--json', '--page');
  expect([JSON.parse(last.stdout), last.stderr]).toMatchObject([
    { licenses: [{ license_id: 'lic_3' }], next_cursor: null },
    '',
  ]);
});

test('CSV and NDJSON have every fact but no formula and no key, and are audited with their filters', async () => {
  const listed = JSON.parse((await list('--json')).stdout);
  const lines = (await list('--ndjson')).stdout.trimEnd().split('\n');
  expect(JSON.parse(`[${lines}]`)).toEqual(listed);
  const csv = (await list('--csv', '--plan', 'pro')).stdout;
  const [header, first, last] = csv.split('\r\n');
  expect(spreadsheetRows(header ?? '', ',')).toEqual([Object.keys(listed[0])]);
  expect(first).toStartWith('"lic_1","rdt_live_…');
  expect(first).toContain(',"a.com b.com",');
  expect(first).toEndWith(`,"'=1+1","Say ""so"", Ltd",,`);
  expect(last).toStartWith('"lic_3",');
  expect(await exportsAudited()).toMatchObject([
    { subject: null, after: { format: 'csv', plan: 'pro' } },
    { subject: null, after: { format: 'ndjson' } },
  ]);
  expect((await list('--csv', '--status', 'revoked')).stdout).toBe(`${header}\r\n`);
});

/** A command with its output on a full disk. */
async function intoFull(...args: string[]) {
  const [command, before] = await commandOf('binary');
  const words = ['-c', '"$@" > /dev/full', 'sh', command, ...before, ...args];
  const { status, stderr } = spawnSync('sh', words, { env: { ...process.env, ...env }, encoding: 'utf8' });
  return [status, stderr];
}

test.each(['license list --csv', 'license list', 'license find a.com --json', 'audit --json'])(
  'a failed write is reported as incomplete, with exit code 1: %s',
  async (words) => {
    const incomplete = /^redoubt: the output is incomplete: .*\n$/;
    expect(await intoFull(...words.split(' '))).toEqual([1, expect.stringMatching(incomplete)]);
  },
);

test.each(['license rotate lic_1', 'license issue --plan free --json'])(
  'a new key that cannot be written is reported as lost, with the way to get another: %s',
  async (words) => {
    const lost =
      /^redoubt: lic_\d has a new key that could not be printed .* "redoubt license rotate lic_\d"\n$/;
    expect(await intoFull(...words.split(' '))).toEqual([1, expect.stringMatching(lost)]);
  },
);
