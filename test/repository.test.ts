import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '..');
const FILE_BYTES_MAX = 512 * 1024;

const BUILD_OUTPUT =
  /\.bun-build$|\.sqlite(?:-\w+)?$|\.tsbuildinfo$|(?:^|\/)(?:dist|node_modules|coverage|\.redoubt)\//;
const BINARY = /\.(?:png|gz)$/;

/** A new entry needs a reason: the root is the first page that a reader sees. */
const ROOT_ENTRIES = [
  ...['.ci', '.gitignore'],
  ...['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'],
  ...[
    'biome.json',
    'build.ts',
    'bun.lock',
    'bunfig.toml',
    'drizzle.config.ts',
    'package.json',
    'tsconfig.json',
  ],
  ...['docs', 'drizzle', 'src', 'systemd', 'test', 'tools'],
];

const listed = spawnSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
const tracked = listed.status === 0 ? listed.stdout.split('\0').filter((path) => path !== '') : [];
const isCheckout = tracked.length > 0;

/** The files of a commit of the working tree: a deleted file stays in the index until it is staged. */
const present = tracked.flatMap((path) => {
  const stats = lstatSync(join(ROOT, path), { throwIfNoEntry: false });
  return stats?.isFile() ? [{ path, bytes: stats.size }] : [];
});

describe.skipIf(!isCheckout)(`the repository${isCheckout ? '' : ' (skipped: not a git checkout)'}`, () => {
  test('tracks no build output', () => {
    expect(present.filter(({ path }) => BUILD_OUTPUT.test(path))).toEqual([]);
  });

  test('tracks no file over 512 KiB outside the test data', () => {
    const large = present.filter(({ path, bytes }) => bytes > FILE_BYTES_MAX && !path.startsWith('test/'));
    expect(large).toEqual([]);
  });

  test('has no NUL byte in a text file, because tools would treat it as binary', () => {
    const texts = present.filter(({ path }) => !BINARY.test(path));
    expect(texts.filter(({ path }) => readFileSync(join(ROOT, path)).includes(0))).toEqual([]);
  });

  test('has only expected entries at its root', () => {
    const entries = new Set(present.map(({ path }) => path.split('/')[0] ?? path));
    expect([...entries].sort()).toEqual([...ROOT_ENTRIES].sort());
  });
});
