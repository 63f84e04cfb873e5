import { beforeAll, describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, TARGETS } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const folder = temporaryDirectory();
const scriptOf = (shell: string) => join(folder, shell);
const isCi = process.env.CI === 'true';
const has = (shell: string) => isCi || spawnSync(shell, ['-c', ':']).status === 0;

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(scriptOf(shell), (await run('binary', {}, 'completion', shell)).stdout);
});

/** The completions after some words, the last of which is incomplete. */
type Offer = (words: readonly string[]) => string[];

const completed = (shell: string, script: string, ...words: string[]): string[] => {
  const { status, stdout, stderr } = spawnSync(shell, ['-c', script, ...words], {
    encoding: 'utf8',
    cwd: folder,
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line !== '');
};

const bash: Offer = (words) =>
  completed(
    'bash',
    `set -eu; source "$0"; COMP_WORDS=(redoubt "$@"); COMP_CWORD=$#; _redoubt; printf '%s\\n' "\${COMPREPLY[@]}"`,
    scriptOf('bash'),
    ...words,
  );

const fish: Offer = (words) =>
  completed('fish', 'source $argv[1]; complete -C "redoubt $argv[2..]"', scriptOf('fish'), ...words).map(
    (line) => line.split('\t')[0] ?? '',
  );

/** zsh completes only on a terminal, so the result is captured where the completion returns it. */
const zsh: Offer = (words) =>
  completed(
    'zsh',
    `compdef() {}; source "$0"
    _describe() { print -l -- \${\${(P)@[-1]}%%:*} }; compadd() { print -l -- \${(P)@[-1]} }; _files() { print files }
    words=(redoubt "$@"); CURRENT=$#words; PREFIX=$words[-1]; _redoubt; true`,
    scriptOf('zsh'),
    ...words,
  );

describe.each<[string, Offer]>([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
])('%s', (shell, offer) => {
  test.if(has(shell))('completes commands, options and values after any words', () => {
    expect(offer([''])).toEqual(expect.arrayContaining(['serve', 'license', 'verify', 'completion']));
    expect(offer(['license', 'i'])).toEqual(expect.arrayContaining(['issue', 'import']));
    expect(offer(['license', ''])).not.toContain('serve');
    expect(offer(['license', 'issue', '--d'])).toEqual(expect.arrayContaining(['--domain']));
    expect(offer(['license', 'issue', '--plan', ''])).toEqual(expect.arrayContaining(['free', 'enterprise']));
    expect(offer(['license', 'issue', '--customer', 'license', '--d'])).toContain('--domain');
    expect(offer(['completion', ''])).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
  });
});

test.if(has('zsh'))('zsh registers the completion for redoubt', () => {
  const script = 'autoload -Uz compinit; compinit -u -D; source "$0"; print $_comps[redoubt]';
  expect(completed('zsh', script, scriptOf('zsh'))).toEqual(['_redoubt']);
});

test.each([...TARGETS])('%s refuses an unknown shell', async (target) => {
  const { exitCode, stderr } = await run(target, {}, 'completion', 'tcsh');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
});
