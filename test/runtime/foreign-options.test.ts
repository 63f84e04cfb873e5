import { beforeEach, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOREIGN_VARIABLES } from '../../src/runtime/foreign-options.ts';
import { binary, run } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let home: string;
let evil: string;
let marker: string;
beforeEach(() => {
  home = temporaryDirectory();
  evil = join(home, 'evil.js');
  marker = join(home, 'marker');
  writeFileSync(evil, `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'x');`);
  for (const name of ['bunfig.toml', '.bunfig.toml'])
    writeFileSync(join(home, name), `preload = [${JSON.stringify(evil)}]\n`);
});

/**
 * The effect of a variable on the executable: whether foreign code runs, and whether the start is refused.
 */
const ATTEMPTS: readonly (readonly [string, () => string, 'acts' | 'is refused' | 'acts, and is refused'])[] =
  [
    ['BUN_BE_BUN', () => '1', 'acts'],
    ['BUN_OPTIONS', () => `--preload=${evil}`, 'acts, and is refused'],
    ['BUN_OPTIONS', () => `--require=${evil}`, 'acts, and is refused'],
    ['BUN_OPTIONS', () => `--import=${evil}`, 'acts, and is refused'],
    ['BUN_OPTIONS', () => `--config=${home}/bunfig.toml`, 'acts, and is refused'],
    ['BUN_OPTIONS', () => '--smol', 'is refused'],
    ['BUN_INSPECT_PRELOAD', () => evil, 'is refused'],
    ['BUN_INSPECT', () => 'ws://127.0.0.1:0/x', 'is refused'],
    ['BUN_INSPECT_CONNECT_TO', () => 'ws://127.0.0.1:1/', 'is refused'],
    ['BUN_INSPECT_NOTIFY', () => `unix://${home}/socket`, 'is refused'],
    ['BUN_BYTECODE_DIGEST_OUT', () => marker, 'acts, and is refused'],
    ['BUN_BYTECODE_ORDER_OUT', () => marker, 'acts, and is refused'],
    ['BUN_BYTECODE_ORDER_NAMES_OUT', () => marker, 'is refused'],
    ['NODE_TLS_REJECT_UNAUTHORIZED', () => '0', 'is refused'],
  ];

test.each(ATTEMPTS)('the variable %s has only the documented effect', async (name, value, outcome) => {
  const words = name === 'BUN_BE_BUN' ? [evil] : ['version'];
  const { exitCode, stdout, stderr } = await run('binary', { [name]: value() }, ...words);
  expect(existsSync(marker)).toBe(outcome.startsWith('acts'));
  if (!outcome.endsWith('refused')) return;
  const lastLine = stderr.trim().split('\n').at(-1);
  expect([exitCode, stdout, lastLine]).toEqual([2, '', expect.stringContaining(name)]);
});

test('no other variable of the runtime makes it run a script or write a file', async () => {
  const known: readonly string[] = FOREIGN_VARIABLES;
  const words = readFileSync(await binary(), 'latin1').match(/\b(?:BUN|NODE)_[A-Z][A-Z0-9_]*\b/g) ?? [];
  const names = [...new Set([...words, 'NODE_OPTIONS', 'XDG_CONFIG_HOME', 'HOME'])];
  expect(names).toEqual(expect.arrayContaining([...known]));
  const before = readdirSync(home);
  const script = readFileSync(evil, 'utf8');
  /** Many at once, unless one of them ends the executable before the others take effect. */
  const tryAll = async (some: readonly string[], value: string): Promise<void> => {
    const { exitCode } = await run(
      'binary',
      Object.fromEntries(some.map((name) => [name, value])),
      'version',
    );
    expect([some, readdirSync(home), readFileSync(evil, 'utf8')]).toEqual([some, before, script]);
    if (exitCode === 0 || some.length === 1) return;
    const half = some.length / 2;
    await tryAll(some.slice(0, half), value);
    await tryAll(some.slice(half), value);
  };
  const others = names.filter((name) => !known.includes(name));
  for (const value of [evil, `--preload=${evil}`, home, marker]) await tryAll(others, value);
});

test.each(['redoubt.service', 'redoubt-backup.service'])(
  '%s unsets variables that would act before a refusal, also for the loader',
  (name) => {
    const unit = readFileSync(join(import.meta.dir, '../../systemd', name), 'utf8');
    const unset = [...unit.matchAll(/^UnsetEnvironment=(.*)$/gm)].flatMap(([, names]) => names?.split(' '));
    for (const variable of [...FOREIGN_VARIABLES, 'LD_PRELOAD', 'LD_AUDIT', 'LD_LIBRARY_PATH'])
      expect(unset).toContain(variable);
  },
);
