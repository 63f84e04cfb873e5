import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nextVersion } from './support/service.ts';
import { PARTS, type Suite } from './support/suite.ts';
import { removeTemporaryDirectories, temporaryDirectory } from './support/temporary.ts';
import { dividedIntoParts, RECORDED, timingsIn } from './support/timings.ts';
import { onWorkers, temporaryFolder, WORKERS, WORKERS_BESIDE } from './support/workers.ts';

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
const SLOW_FILES = 20;
/** What only the whole matrix runs begins with such a line, which says why. */
const WHOLE_ONLY = /^\/\/ Runs with the whole matrix/m;
/** The part of the contract that always runs on PostgreSQL; its eight shares are the rest. */
const ALWAYS = 'test/postgres/contract/always.test.ts';
const SHARE = /^test\/postgres\/contract\/share-(\d+)\./;

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a program of node_modules; what it prints is returned, and shown at once or, beside another program, when it ends. */
function run(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { isBeside = false } = {},
): Promise<Ended> {
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
      if (!isBeside) shown.write(bytes);
      output += bytes;
    });
  return new Promise((resolve) =>
    child.once('close', (code) => {
      if (isBeside) process.stdout.write(output);
      resolve({ code: code ?? 1, output });
    }),
  );
}

/** By the number of commits, unless it is given, so that eight in a row add all eight parts; the first without git. */
function chosenPart(): number {
  if (options.part !== undefined) return Number(options.part) % PARTS;
  if (Bun.which('git') === null) return 0;
  const counted = Bun.spawnSync(['git', 'rev-list', '--count', 'HEAD'], { cwd: ROOT });
  return (Number(counted.stdout.toString()) || 0) % PARTS;
}

const bun = process.execPath;
const counts = { pass: 0, fail: 0 };
const directory = temporaryDirectory();
const timingsOf = (suite: Suite) => join(directory, `${suite}.json`);

async function test(
  suite: Suite,
  files: readonly string[],
  env: Readonly<Record<string, string>>,
  part?: number,
): Promise<number> {
  if (files.length === 0) return 0;
  const isBeside = suite === 'all' && part !== undefined;
  const timings = timingsOf(suite);
  writeFileSync(timings, JSON.stringify({ version: 1, files: {} }));
  console.log(`\n${files.length} files: ${suite === 'all' ? 'the whole matrix' : 'verify'}`);
  const { code, output } = await run(
    [
      ...[bun, 'test', ...onWorkers(isBeside ? WORKERS_BESIDE : WORKERS)],
      ...[`--timings=${timings}`, `--timings=${RECORDED}`, '--update-timings'],
      ...files.map((file) => `./${file}`),
    ],
    {
      ...env,
      REDOUBT_SUITE: suite,
      REDOUBT_EXECUTABLE: EXECUTABLE,
      TMPDIR: temporaryFolder(),
      ...(part === undefined ? {} : { REDOUBT_PART: String(part) }),
    },
    { isBeside },
  );
  for (const name of ['pass', 'fail'] as const)
    counts[name] += Number(new RegExp(`^ *(\\d+) ${name}$`, 'm').exec(output)?.[1] ?? 0);
  return code;
}

/** The files that run everything, and those that run what every landing needs. */
function divided(part?: number): Readonly<Record<'all' | 'verify', readonly string[]>> {
  const files = [...new Bun.Glob('test/**/*.test.ts').scanSync(ROOT)].toSorted();
  if (part === undefined) return { all: files, verify: [] };
  const shareOf = (file: string) => SHARE.exec(file)?.[1];
  const whole = dividedIntoParts(files.filter((file) => shareOf(file) === undefined && file !== ALWAYS))[
    part
  ];
  const isWhole = (file: string) => whole?.includes(file) === true;
  const isOnlyWhole = (file: string) => WHOLE_ONLY.test(readFileSync(join(ROOT, file), 'utf8'));
  const isOthers = (file: string) => shareOf(file) !== undefined && shareOf(file) !== String(part + 1);
  return {
    all: files.filter(isWhole),
    verify: files.filter((file) => !isWhole(file) && !isOthers(file) && !isOnlyWhole(file)),
  };
}

/** How long each file of a run took, in milliseconds; Bun adds what was recorded of others. */
const measured = (suite: Suite, files: readonly string[]) =>
  files.length === 0
    ? []
    : Object.entries(timingsIn(timingsOf(suite))).filter(([file]) => files.includes(file));

function printSlow(timings: readonly (readonly [file: string, ms: number])[]): void {
  const slowest = timings.toSorted(([, one], [, two]) => two - one);
  for (const [file, ms] of slowest.slice(0, SLOW_FILES))
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
}

async function main(): Promise<number> {
  const tools = join(ROOT, 'node_modules/.bin');
  const next = nextVersion();
  // Next to the first tests, which wait for other processes.
  const checks = [
    [join(tools, 'biome'), 'check', '.'],
    [join(tools, 'tsc'), '--noEmit'],
  ].map((command) => run(command, {}, { isBeside: true }));
  if ((await run([bun, 'build.ts'])).code !== 0) return 1;
  const part = options.all ? undefined : chosenPart();
  const { all, verify } = divided(part);
  // Both at once, because either waits now and then for what takes its time.
  const env = { REDOUBT_NEXT_EXECUTABLE: await next };
  const codes = await Promise.all([test('all', all, env, part), test('verify', verify, env, part)]);
  const timings = [...measured('all', all), ...measured('verify', verify)];
  if (options.slow) printSlow(timings);
  if (options['update-timings']) {
    const files = { ...timingsIn(RECORDED), ...Object.fromEntries(timings) };
    writeFileSync(RECORDED, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
  }
  const isClean = (await Promise.all(checks)).every(({ code }) => code === 0);
  if (!isClean) console.log('\nLint or types failed: see above.');
  return Math.max(...codes, isClean ? 0 : 1);
}

const code = await main();
removeTemporaryDirectories();
console.log(`\n${counts.pass} passed, ${counts.fail} failed`);
process.exit(code);
