import { beforeAll, expect, test } from 'bun:test';
import { type Env, run } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { onTerminal } from '../support/terminal.ts';

let env: Env;
beforeAll(async () => {
  env = { SERVICE_DATA_DIR: temporaryDirectory() };
  await run('binary', env, 'init');
});
const issue = async (): Promise<string> => {
  const { stdout } = await run(
    'binary',
    env,
    'license',
    'issue',
    '--plan',
    'pro',
    '--domain',
    'a.com',
    '--json',
  );
  return JSON.parse(stdout).license_id;
};
const statusOf = async (id: string) =>
  JSON.parse((await run('binary', env, 'license', 'show', id, '--json')).stdout).status;

/** Revokes on a terminal. */
const revoke = (id: string, answer: string, ...options: string[]) =>
  onTerminal(env, ['license', 'revoke', id, ...options], answer);

test.each([
  ['no', 'n\n'],
  ['only return', '\n'],
  ['the end of the input', '\x04'],
  ['Ctrl+C', '\x03'],
])('on a terminal revoke tells what it will do and asks: with %s nothing changes', async (_, answer) => {
  const id = await issue();
  const { exitCode, shown } = await revoke(id, answer);
  expect(exitCode).toBe(1);
  expect(shown).toContain(`${id} (pro, with a.com) ends for good`);
  expect(shown).toContain('nothing was changed');
  expect(await statusOf(id)).toBe('active');
});

test('on a terminal revoke does it after yes, or unasked with --yes', async () => {
  const [first, second] = [await issue(), await issue()];
  expect((await revoke(first, 'y\n')).exitCode).toBe(0);
  expect(await revoke(second, '', '--yes')).toMatchObject({ exitCode: 0, isAnswered: false });
  expect([await statusOf(first), await statusOf(second)]).toEqual(['revoked', 'revoked']);
  expect(await revoke(first, '')).toMatchObject({ exitCode: 1, isAnswered: false });
});

test('resuming a license without such a hold is done, changes nothing and says so', async () => {
  const id = await issue();
  await run('binary', env, 'license', 'suspend', id, '--hold', 'operator');
  const { exitCode, stderr } = await run('binary', env, 'license', 'resume', id, '--hold', 'dispute');
  expect([exitCode, stderr]).toEqual([0, `redoubt: nothing changed: the holds of ${id} are so already\n`]);
  expect(await statusOf(id)).toBe('suspended');
});
