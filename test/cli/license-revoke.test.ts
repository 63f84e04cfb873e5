import { beforeAll, expect, test } from 'bun:test';
import { binary, type Env, run } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

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

/** Revokes on a terminal, and answers what is asked. */
async function onTerminal(id: string, answer: string, ...options: string[]) {
  let shown = '';
  let isAnswered = false;
  const child = Bun.spawn([await binary(), 'license', 'revoke', id, ...options], {
    env,
    terminal: {
      data(terminal, bytes) {
        shown += new TextDecoder().decode(bytes);
        if (isAnswered || !shown.includes('[y/N] ')) return;
        isAnswered = true;
        terminal.write(answer);
      },
    },
  });
  const exitCode = await child.exited;
  return { exitCode, shown, isAnswered };
}

test.each([
  ['no', 'n\n'],
  ['only return', '\n'],
  ['the end of the input', '\x04'],
  ['Ctrl+C', '\x03'],
])('on a terminal revoke tells what it will do and asks: with %s nothing changes', async (_, answer) => {
  const id = await issue();
  const { exitCode, shown } = await onTerminal(id, answer);
  expect(exitCode).toBe(1);
  expect(shown).toContain(`${id} (pro, with a.com) ends for good`);
  expect(shown).toContain('nothing was changed');
  expect(await statusOf(id)).toBe('active');
});

test('on a terminal revoke does it after yes, or unasked with --yes', async () => {
  const [first, second] = [await issue(), await issue()];
  expect((await onTerminal(first, 'y\n')).exitCode).toBe(0);
  expect(await onTerminal(second, '', '--yes')).toMatchObject({ exitCode: 0, isAnswered: false });
  expect([await statusOf(first), await statusOf(second)]).toEqual(['revoked', 'revoked']);
  expect(await onTerminal(first, '')).toMatchObject({ exitCode: 1, isAnswered: false });
});

test('resuming a license without such a hold is done, changes nothing and says so', async () => {
  const id = await issue();
  await run('binary', env, 'license', 'suspend', id, '--hold', 'operator');
  const { exitCode, stderr } = await run('binary', env, 'license', 'resume', id, '--hold', 'dispute');
  expect([exitCode, stderr]).toEqual([0, `redoubt: nothing changed: the holds of ${id} are so already\n`]);
  expect(await statusOf(id)).toBe('suspended');
});
