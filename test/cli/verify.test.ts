import { beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseComment, releaseOf } from '../../src/domain/release/release.ts';
import { commentNow, newReleaseKey, type ReleaseKey, signFile } from '../support/releases.ts';
import { BUN, commandOf, DENO, TARGETS } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const ROOT = join(import.meta.dir, '../..');
const folder = temporaryDirectory();
const [current, next, foreign] = [newReleaseKey(), newReleaseKey(), newReleaseKey()];
const keyFiles = [current, next].map(({ publicFile }, at) => {
  writeFileSync(join(folder, `${at}.pub`), publicFile);
  return join(folder, `${at}.pub`);
});

/** A signed file in a separate folder, with an optional change afterwards. */
function laid(
  then: (path: string) => void = () => {},
  key: ReleaseKey = current,
  comment = commentNow(),
): string {
  const path = join(temporaryDirectory(), 'redoubt-1.2.3-linux-x64');
  writeFileSync(path, 'an executable\n'.repeat(1_000));
  signFile(path, key, comment);
  then(path);
  return path;
}

const edit = (path: string, what: string, by: string) =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(what, by));
const moved = (path: string) => {
  copyFileSync(path, `${path}.real`);
  execFileSync('rm', [path]);
  symlinkSync(`${path}.real`, path);
};
const sparse = (path: string, bytes: number) => truncateSync(path, bytes);
const released = (daysAgo: number) =>
  releaseComment(releaseOf('1.2.3', Date.now() - daysAgo * 86_400_000, 'any'));

const REFUSED: readonly [string, () => string, string][] = [
  [
    'a changed file',
    () => laid((path) => edit(path, 'an executable', 'another thing')),
    'it does not match its signature',
  ],
  ['a truncated file', () => laid((path) => truncateSync(path, 500)), 'it does not match its signature'],
  ['a longer file', () => laid((path) => sparse(path, 100_000)), 'it does not match its signature'],
  ['a huge file', () => laid((path) => sparse(path, 2 ** 40)), 'it is too large'],
  ['a link', () => laid(moved), 'it is not a regular file'],
  ['a directory', () => folder, 'it is not a regular file'],
  ['no file', () => join(folder, 'nothing'), 'no such file'],
  ['a link as signature', () => laid((path) => moved(`${path}.minisig`)), 'it is not a regular file'],
  ['a missing signature', () => laid((path) => execFileSync('rm', [`${path}.minisig`])), 'was not found'],
  [
    'a truncated signature',
    () => laid((path) => truncateSync(`${path}.minisig`, 150)),
    'is not a minisign signature',
  ],
  [
    'a huge signature',
    () => laid((path) => sparse(`${path}.minisig`, 2 ** 40)),
    'is not a minisign signature',
  ],
  [
    'a changed comment',
    () => laid((path) => edit(`${path}.minisig`, '1.2.3', '1.2.4')),
    'comment in its signature was changed',
  ],
  ['another key', () => laid(undefined, foreign), 'it is not signed by a release key of this redoubt'],
  [
    "another's file",
    () => laid(undefined, current, 'timestamp:1 file:other.tgz'),
    'its format is unknown to this redoubt',
  ],
  [
    'an unknown platform',
    () => laid(undefined, current, commentNow().replace('x64', 's390x')),
    'its format is unknown to this redoubt',
  ],
  [
    'no version',
    () => laid(undefined, current, commentNow().replace('1.2.3', '1.2')),
    'its format is unknown to this redoubt',
  ],
  ['an expired release', () => laid(undefined, current, released(731)), 'Get a newer one'],
];

type Runtime = 'bun' | 'deno';

/** Calls the function itself on each runtime, with the keys of this test. */
function outcomes(runtime: Runtime, paths: readonly string[]): { version?: string; refused?: string }[] {
  const [command, ...before] = runtime === 'bun' ? [BUN] : [DENO, 'run', '--quiet', '-A'];
  const input = JSON.stringify({ paths, keys: [current.publicFile, next.publicFile] });
  const words = [...before, join(ROOT, 'test/support/verify-releases.ts')];
  return JSON.parse(execFileSync(command, words, { input, encoding: 'utf8' }));
}

describe.each<Runtime>(['bun', 'deno'])('on %s', (runtime) => {
  test('releases signed by either key are recognised, and everything else is refused in a sentence', () => {
    const good = [laid(), laid(undefined, next), laid(undefined, current, released(729))];
    const bad = REFUSED.map(([, lay]) => lay());
    const found = outcomes(runtime, [...good, ...bad]);
    expect(found.slice(0, good.length)).toEqual(good.map(() => ({ version: '1.2.3' })));
    expect(found.slice(good.length).map(({ refused }, at) => [REFUSED[at]?.[0], refused])).toEqual(
      REFUSED.map(([what, , sentence]) => [what, expect.stringContaining(sentence)]),
    );
  });
});

describe('an executable built with other release keys', () => {
  const executable = join(folder, 'redoubt');
  beforeAll(() => {
    const keys = keyFiles.flatMap((path) => ['--release-key', path]);
    execFileSync(BUN, ['build.ts', ...keys, '--outfile', executable], { cwd: ROOT, stdio: 'pipe' });
  });
  const verify = (...words: string[]) =>
    spawnSync(executable, ['verify', ...words], { encoding: 'utf8', env: {} });

  test('reports what a file is, for people and for programs', () => {
    const path = laid(undefined, next);
    const { status, stdout, stderr } = verify(path);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^\S+ is redoubt 1[.]2[.]3, for linux-x64: built \S+, installable until \S+, signed by RW\S+\n$/,
    );
    expect(JSON.parse(verify(path, '--json').stdout)).toMatchObject({
      sound: true,
      version: '1.2.3',
      target: 'linux-x64',
    });
  });

  test('exits with 1 and one line about a file that it refuses', () => {
    const path = laid((file) => edit(file, 'an executable', 'another thing'));
    const { status, stdout, stderr } = verify(path);
    expect([status, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
    expect(stderr).toStartWith(`redoubt: ${path}: it does not match its signature`);
  });

  test('is not built with a malformed key', () => {
    const { status, stderr } = spawnSync(BUN, ['build.ts', '--release-key', laid()], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('is not a minisign public key')]);
  });
});

describe.each([...TARGETS])('%s', (target) => {
  test('verifies a backup as `backup verify` does', async () => {
    const [command, before] = await commandOf(target);
    const dataDir = join(temporaryDirectory(), 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    const redoubt = (...words: string[]) =>
      spawnSync(command, [...before, ...words], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: process.env.HOME, SERVICE_DATA_DIR: dataDir },
      });
    expect(redoubt('init').status).toBe(0);
    const path = join(temporaryDirectory(), 'backup.tar');
    expect(redoubt('backup', 'create', '--to', path).status).toBe(0);
    const looked = redoubt('verify', path);
    expect([looked.status, looked.stdout]).toEqual([
      0,
      expect.stringContaining('is intact and can be restored'),
    ]);
    expect(redoubt('backup', 'verify', path).stdout).toBe(looked.stdout);
    truncateSync(path, 5_000);
    expect(redoubt('verify', path).status).toBe(1);
  });
});
