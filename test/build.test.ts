import { beforeAll, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scripts } from '../package.json';
import { installPackages } from './support/packages.ts';
import { temporaryDirectory } from './support/temporary.ts';

// Needs three builds.
// Runs with the whole matrix: they take a processor a quarter of a minute.

const ROOT = join(import.meta.dir, '..');
const BUN = join(ROOT, 'node_modules/.bin/bun');

/** A copy of the committed and uncommitted source in a new folder. */
function sourceElsewhere(): string {
  const folder = join(temporaryDirectory(), 'some', 'place');
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: ROOT,
  }).toString();
  execFileSync('sh', ['-c', `mkdir -p "${folder}" && tar --null -T - -cf - | tar -xf - -C "${folder}"`], {
    cwd: ROOT,
    input: files,
  });
  return folder;
}

function build(folder: string, ...options: string[]): Buffer {
  execFileSync(BUN, ['build.ts', ...options], { cwd: folder, stdio: 'pipe' });
  return readFileSync(join(folder, 'dist/redoubt'));
}

/** A build in a separate folder, with all tools. */
function buildElsewhere(...options: string[]): { folder: string; bytes: Buffer } {
  const folder = sourceElsewhere();
  installPackages(folder);
  return { folder, bytes: build(folder, ...options) };
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

let one: ReturnType<typeof buildElsewhere>;
beforeAll(() => {
  one = buildElsewhere();
});

test('two builds from different folders are byte-identical and contain no build path', () => {
  const two = buildElsewhere();
  expect(digest(one.bytes)).toBe(digest(two.bytes));
  for (const { folder } of [one, two]) expect(one.bytes.includes(folder)).toBe(false);
  expect(one.bytes.includes(ROOT)).toBe(false);
}, 30_000);

test('quickstart installs no development tools and builds the same executable', () => {
  const folder = sourceElsewhere();
  const [program, ...options] = scripts.quickstart.split(' && ')[0]?.split(' ') ?? [];
  expect([program, options[0]]).toEqual(['bun', 'install']);
  execFileSync(BUN, options, { cwd: folder, stdio: 'pipe' });
  for (const tool of ['@biomejs', '@typescript', 'bun', 'deno', 'typescript']) {
    expect([tool, existsSync(join(folder, 'node_modules', tool))]).toEqual([tool, false]);
  }
  expect(digest(build(folder))).toBe(digest(one.bytes));
}, 60_000);

test('a build accepts --target', () => {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  expect(buildElsewhere('--target', `bun-linux-${arch}`).bytes.length).toBeGreaterThan(50_000_000);
}, 30_000);
