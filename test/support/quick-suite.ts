import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needOf } from './needs.ts';
import { binary } from './service.ts';
import { suite } from './suite.ts';
import { removeTemporaryDirectories } from './temporary.ts';
import { onWorkers, temporaryFolder, WORKERS } from './workers.ts';

// `bun test` without a file builds the executable once, and runs on all processors the files that need no
// other program; each other file is one skipped test with the reason. Bun has no setting for that.

/** A start takes seconds on a busy machine; Bun's default is less, and no setting of its configuration changes it. */
const PATIENCE = "import { setDefaultTimeout as __allow } from 'bun:test'; __allow(60_000);";

const skipped = (need: string) =>
  `import { test } from 'bun:test'; test.skip(${JSON.stringify(`needs ${need}: bun run verify runs it`)}, () => {});`;

/** Linux has the command; the arguments that the runtime reports to this process differ. */
const COMMAND = '/proc/self/cmdline';
const TIMINGS = join(import.meta.dir, '../timings.json');

/** The words after `bun test`. */
const wordsOfCommand = () =>
  existsSync(COMMAND) ? readFileSync(COMMAND, 'utf8').split('\0').slice(2, -1) : [];

/** Whether a command names files or tests, which run with all they need, or continues. */
const choosesTests = (words: readonly string[]) =>
  words.some((word) => !word.startsWith('-') || word === '--watch');

async function runAll(words: readonly string[]): Promise<number> {
  const env = {
    ...process.env,
    REDOUBT_SUITE: suite,
    REDOUBT_EXECUTABLE: await binary(),
    TMPDIR: temporaryFolder(),
  };
  const args = ['test', ...onWorkers(WORKERS), `--timings=${TIMINGS}`, ...words];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
  removeTemporaryDirectories();
  return status ?? 1;
}

if (process.env.BUN_TEST_WORKER_ID === undefined && process.env.REDOUBT_SUITE === undefined) {
  const words = wordsOfCommand();
  if (!choosesTests(words)) process.exit(await runAll(words));
}

if (process.env.REDOUBT_SUITE === undefined || process.env.REDOUBT_SUITE === 'quick')
  Bun.plugin({
    name: 'quick-suite',
    setup(build) {
      build.onLoad({ filter: /\.test\.tsx?$/ }, ({ path }) => {
        const need = process.env.REDOUBT_SUITE === 'quick' ? needOf(path) : undefined;
        const contents = need === undefined ? PATIENCE + readFileSync(path, 'utf8') : skipped(need);
        return { loader: path.endsWith('x') ? 'tsx' : 'ts', contents };
      });
    },
  });
