import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isInPart, PARTS, type Suite } from './support/suite.ts';
import { removeTemporaryDirectories, temporaryDirectory } from './support/temporary.ts';
import { ON_ALL_PROCESSORS, temporaryFolder } from './support/workers.ts';

const HELP = `bun run verify [--all] [--part 0..7] [--slow] [--update-timings]

Lints, type-checks, builds and tests.

--all             the whole matrix: every test on every runtime, database and step
--part            which eighth of the whole matrix to add; by default the number of commits decides
--slow            print the twenty slowest files
--update-timings  record in test/timings.json how long files take, by which the work is divided`;

const { values: options } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    part: { type: 'string' },
    slow: { type: 'boolean', default: false },
    'update-timings': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const ROOT = join(import.meta.dir, '..');
const EXECUTABLE = join(ROOT, 'dist/redoubt');
const RECORDED = join(ROOT, 'test/timings.json');
const SLOW_FILES = 20;
/** What only the whole matrix runs begins with such a line, which says why. */
const WHOLE_ONLY = /^\/\/ Runs with the whole matrix/m;
/** What of the contract always runs on PostgreSQL; its eight shares together are all of it. */
const ALWAYS = 'test/postgres/contract/always.test.ts';
const SHARE = /^test\/postgres\/contract\/share-(\d+)\./;

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a program of node_modules; what it prints is shown, and returned. */
function run(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const [stream, shown] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    stream.on('data', (bytes: Buffer) => {
      shown.write(bytes);
      output += bytes;
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 1, output })));
}

/** By the number of commits, so that eight in a row add all eight parts; the first without git. */
function partOfCommit(): number {
  if (Bun.which('git') === null) return 0;
  const counted = Bun.spawnSync(['git', 'rev-list', '--count', 'HEAD'], { cwd: ROOT });
  return (Number(counted.stdout.toString()) || 0) % PARTS;
}

const bun = process.execPath;
const counts = { pass: 0, fail: 0 };
const timings = join(temporaryDirectory(), 'timings.json');
writeFileSync(timings, JSON.stringify({ version: 1, files: {} }));

async function test(suite: Suite, files: readonly string[], part: number): Promise<number> {
  if (files.length === 0) return 0;
  console.log(`\n${files.length} files: ${suite === 'all' ? 'the whole matrix' : 'verify'}`);
  const { code, output } = await run(
    [
      ...[bun, 'test', ...ON_ALL_PROCESSORS],
      ...[`--timings=${timings}`, `--timings=${RECORDED}`, '--update-timings'],
      ...files.map((file) => `./${file}`),
    ],
    {
      ...{ REDOUBT_SUITE: suite, REDOUBT_PART: String(part), REDOUBT_EXECUTABLE: EXECUTABLE },
      TMPDIR: temporaryFolder(),
    },
  );
  for (const name of ['pass', 'fail'] as const)
    counts[name] += Number(new RegExp(`^ *(\\d+) ${name}$`, 'm').exec(output)?.[1] ?? 0);
  return code;
}

/** The files that run everything, and those that run what every landing needs. */
function divided(part: number): Readonly<Record<'all' | 'verify', readonly string[]>> {
  const files = [...new Bun.Glob('test/**/*.test.ts').scanSync(ROOT)].toSorted();
  if (options.all) return { all: files.filter((file) => file !== ALWAYS), verify: [] };
  const shareOf = (file: string) => SHARE.exec(file)?.[1];
  const isWhole = (file: string) => shareOf(file) === undefined && file !== ALWAYS && isInPart(file, part);
  const isOnlyWhole = (file: string) => WHOLE_ONLY.test(readFileSync(join(ROOT, file), 'utf8'));
  const isOthers = (file: string) => shareOf(file) !== undefined && shareOf(file) !== String(part + 1);
  return {
    all: files.filter(isWhole),
    verify: files.filter((file) => !isWhole(file) && !isOthers(file) && !isOnlyWhole(file)),
  };
}

function printSlow(): void {
  const { files } = JSON.parse(readFileSync(timings, 'utf8')) as { files: Record<string, number> };
  const slowest = Object.entries(files).toSorted(([, one], [, two]) => two - one);
  for (const [file, ms] of slowest.slice(0, SLOW_FILES))
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
}

async function main(): Promise<number> {
  const part = options.part === undefined ? partOfCommit() : Number(options.part) % PARTS;
  const tools = join(ROOT, 'node_modules/.bin');
  const checks = await Promise.all([
    run([join(tools, 'biome'), 'check', '.']),
    run([join(tools, 'tsc'), '--noEmit']),
    run([bun, 'build.ts']),
  ]);
  if (checks.some(({ code }) => code !== 0)) return 1;
  const { all, verify } = divided(part);
  // All run, so that one run shows everything that fails.
  const codes = [await test('all', all, part), await test('verify', verify, part)];
  if (options.slow) printSlow();
  if (options['update-timings']) writeFileSync(RECORDED, readFileSync(timings));
  return Math.max(...codes);
}

const code = await main();
removeTemporaryDirectories();
console.log(`\n${counts.pass} passed, ${counts.fail} failed`);
process.exit(code);
