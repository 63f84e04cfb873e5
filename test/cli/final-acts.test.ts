import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import { program } from '../../src/cli/program.ts';
import { binary, type RunningService, run, SURE, start } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { onTerminal } from '../support/terminal.ts';

let service: RunningService;
// Its own process: each refusal is compared with everything that is stored.
beforeAll(async () => {
  service = await start('binary');
});
afterAll(() => service.end());

/** All data that a final act could change. */
const kept = (): string => {
  const all = 'licenses previous_keys admin_tokens credential_keys signing_keys audit_log'.split(' ');
  const text = JSON.stringify(all.map((table) => rows(service, `select * from ${table} order by 1, 2`)));
  return createHash('sha256').update(text).digest('hex');
};

const kidOf = async (purpose: string): Promise<string> =>
  JSON.parse(await service.command('keys', 'list', purpose, '--json'))[0].kid;

/** Every final act with its target. */
const ACTS: Readonly<Record<string, () => Promise<string[]>>> = {
  'license revoke': async () => [(await service.issue('--plan', 'pro')).license_id],
  'license forget': async () => [(await service.issue('--plan', 'pro', '--customer', 'Ann')).license_id],
  'keys revoke': async () => ['license', await kidOf('license')],
  'token revoke': async () => {
    const name = `shop-${Date.now()}`;
    await service.command('token', 'create', name, '--scope', 'status:read');
    return [name];
  },
};

/** "n", only return, the end of the input, and Ctrl+C: one for each act. */
const NOES = ['n\n', '\n', '\x04', '\x03'];

const NOT_SURE =
  /^redoubt: this cannot be undone. Without a terminal, it requires --yes and --reason "\.\.\."\n$/;
const NO_REASON = /'--reason <text>' not specified/;

describe.each(Object.entries(ACTS))('%s', (name, prepare) => {
  const words = name.split(' ');

  test.each([
    ['neither', []],
    ['--yes alone', ['--yes']],
    ['--reason alone', ['--reason', 'a chargeback']],
    ['an empty reason', ['--yes', '--reason', '']],
    ['a blank reason', ['--yes', '--reason', ' \u200b ']],
  ])('without a terminal and with %s is refused, and nothing is stored', async (_, options) => {
    const subject = await prepare();
    const before = kept();
    const { exitCode, stdout, stderr } = await run('binary', service.env, ...words, ...subject, ...options);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(NOT_SURE.test(stderr) || NO_REASON.test(stderr) || stderr.includes('--reason must be')).toBe(true);
    expect(kept()).toBe(before);
  });

  test('does not accept standard input as the confirmation', async () => {
    const subject = await prepare();
    const before = kept();
    for (const input of ['y\n', 'yes\nyes\n', '']) {
      const { status, stderr } = spawnSync(await binary(), [...words, ...subject, '--reason', 'x'], {
        env: service.env,
        input,
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([2, expect.stringContaining('--yes')]);
    }
    expect(kept()).toBe(before);
  });

  test('with both is done, and audited with its reason', async () => {
    const subject = await prepare();
    const { exitCode } = await run('binary', service.env, ...words, ...subject, ...SURE);
    expect(exitCode).toBe(0);
    const [entry] = rows(service, 'select reason from audit_log order by id desc limit 1');
    expect(entry).toEqual({ reason: 'test' });
  });

  test('on a terminal asks, does nothing after no, and runs after yes', async () => {
    const subject = await prepare();
    const before = kept();
    const asked = [...words, ...subject, '--reason', 'on a terminal'];
    const no = NOES[Object.keys(ACTS).indexOf(name)] ?? '';
    const refused = await onTerminal(service.env, asked, no);
    expect(refused).toMatchObject({ exitCode: 1, isAnswered: true });
    expect(refused.shown).toContain('nothing was changed');
    expect(kept()).toBe(before);
    expect(await onTerminal(service.env, asked, 'y\n')).toMatchObject({ exitCode: 0, isAnswered: true });
    expect(kept()).not.toBe(before);
  });

  test('on a terminal with --yes runs without asking', async () => {
    const subject = await prepare();
    const done = await onTerminal(service.env, [...words, ...subject, ...SURE], '');
    expect(done).toMatchObject({ exitCode: 0, isAnswered: false });
  });

  test('documents its requirements in its help', async () => {
    const { stdout } = await run('binary', service.env, ...words, '--help');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '--yes do not ask for confirmation; required without a terminal, with --reason',
    );
  });
});

test('revoking a license lists the consequences, and does not ask again once it is revoked', async () => {
  const { license_id: id } = await service.issue('--plan', 'pro', '--domain', 'a.com');
  const words = ['license', 'revoke', id, '--reason', 'x'];
  const { shown } = await onTerminal(service.env, words, 'y\n');
  expect(shown).toContain(`${id} (pro, with a.com) will be revoked permanently`);
  expect(await onTerminal(service.env, words, '')).toMatchObject({ exitCode: 1, isAnswered: false });
});

test('every command that revokes or forgets is among the final acts', async () => {
  const all = await program({
    runtimeName: '',
    serve: () => Promise.reject(),
    describeApi: () => Promise.reject(),
  });
  const named = (command: Command, before: string): string[] => {
    const name = `${before}${command.name()}`;
    return [name, ...command.commands.flatMap((each) => named(each, `${name} `))];
  };
  const final = all.commands
    .flatMap((command) => named(command, ''))
    .filter((name) => /revoke|forget|delete|purge|erase/.test(name));
  expect(final.sort()).toEqual(Object.keys(ACTS).sort());
});
