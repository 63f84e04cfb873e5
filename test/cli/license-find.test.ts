import { beforeAll, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { commandOf, type Env, type Outcome, run } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let env: Env;
let key: string;
const find = (...words: string[]) => run('binary', env, 'license', 'find', ...words);

beforeAll(async () => {
  env = { SERVICE_DATA_DIR: temporaryDirectory() };
  await run('binary', env, 'init');
  const issue = (...words: string[]) =>
    run('binary', env, 'license', 'issue', '--plan', 'pro', ...words, '--json');
  key = JSON.parse((await issue('--domain', 'a.com', '--customer', 'Example Ltd')).stdout).key;
  await issue('--note', 'for Example Ltd');
});

/** With a text on standard input. */
async function findByInput(text: string): Promise<Outcome> {
  const [command, before] = await commandOf('binary');
  const child = spawn(command, [...before, 'license', 'find', '-'], { env: { ...process.env, ...env } });
  const [stdout, stderr] = [child.stdout, child.stderr].map((pipe) => new Response(pipe as never).text());
  child.stdin.end(text);
  const [exitCode] = await once(child, 'close');
  return { exitCode, stdout: (await stdout) ?? '', stderr: (await stderr) ?? '' };
}

test('a search returns each license with its matching field, best match first, as a table and as JSON', async () => {
  const { exitCode, stdout, stderr } = await find('example', 'ltd');
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^matched .*\ncustomer +lic_1 .*\nnote +lic_2 .*\n$/);
  expect(JSON.parse((await find('A.com', '--json')).stdout)).toMatchObject([
    { matched: 'domain', license_id: 'lic_1', domains: ['a.com'] },
  ]);
});

test('a key in the arguments works, with a warning that does not repeat it', async () => {
  const { exitCode, stdout, stderr } = await find(key);
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringMatching(/^redoubt: warning: a key on the command line .* find -" .*\n$/),
  ]);
  expect(stdout).toMatch(/\nkey +lic_1 /);
  const more = await find(key, 'more');
  for (const text of [stdout, stderr, more.stdout, more.stderr]) expect(text).not.toContain(key);
});

test('a key from standard input works without a warning, and is in no output and no audit entry', async () => {
  const { exitCode, stdout, stderr } = await findByInput(`${key}\n`);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\nkey +lic_1 /);
  expect(stdout).not.toContain(key);
  expect((await run('binary', env, 'audit', '--json')).stdout).not.toContain(key);
});

test('a missing result is reported without the text: exit code 1, and an empty list in JSON', async () => {
  const nobody = await find('nobody');
  expect(Object.values(nobody)).toEqual([1, '', 'redoubt: no license found\n']);
  expect(await find('nobody', '--json')).toMatchObject({ exitCode: 1, stdout: '[]\n' });
  const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  const { exitCode, stdout, stderr } = await findByInput(mistyped);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain('it is mistyped');
  expect(stderr).not.toContain(mistyped);
});

test('at most the limit is shown, with a sign that there are more', async () => {
  const { stdout, stderr } = await find('example', '--limit', '1');
  expect(stdout.trim().split('\n')).toHaveLength(2);
  expect(stderr).toStartWith('redoubt: more licenses match');
});

test.each([[[' ']], [['x'.repeat(501)]], [['a', '--limit', '0']], [[]]])(
  '%j is wrong usage, and so is empty standard input: exit code 2',
  async (words) => {
    for (const { exitCode, stdout } of [await find(...words), await findByInput('')])
      expect([exitCode, stdout]).toEqual([2, '']);
  },
);

test('a text is found in any Unicode composition, and a license by a name after blank lines', async () => {
  await run('binary', env, 'license', 'issue', '--plan', 'pro', '--customer', 'Mu\u0308ller');
  for (const text of ['M\u00fcller', 'mu\u0308ller', 'M\u00dcLLER'])
    expect((await find(text)).stdout).toMatch(/\ncustomer +lic_3 /);
  expect((await findByInput('\n \nlic_3\n')).stdout).toMatch(/\nlicense id +lic_3 /);
  const hidden = await run('binary', env, 'license', 'issue', '--plan', 'pro', '--note', 'a\u202eb');
  expect([hidden.exitCode, hidden.stdout]).toEqual([2, '']);
});
