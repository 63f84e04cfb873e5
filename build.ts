import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from './package.json' with { type: 'json' };

// Turns the source into one executable. Two builds of one commit are byte-identical, wherever they run.

const HELP = `bun build.ts [--target bun-linux-x64|bun-linux-arm64|...] [--outfile dist/redoubt] [--executable PATH]

--target      another platform than this host's; needs that platform's runtime
--outfile     where the executable goes; its base name is part of its bytes
--executable  the runtime to build into, such as @oven/bun-linux-aarch64's bin/bun`;

const { values: options } = parseArgs({
  options: {
    target: { type: 'string' },
    outfile: { type: 'string', default: 'dist/redoubt' },
    executable: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

/** Options of the runtime that the executable always runs with. */
const EXEC_ARGV: string[] = [];

const root = import.meta.dir;
const outfile = resolve(options.outfile);
const work = `${outfile}.build`;
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });

const built = await Bun.build({
  entrypoints: ['main.ts', 'storage-thread.ts', 'analysis-thread.ts'].map((name) => join(root, 'src', name)),
  root: join(root, 'src'),
  minify: true,
  bytecode: true,
  format: 'esm',
  target: 'bun',
  // Elysia would look into uploaded files with the first, no route takes any; debug, of ioredis, would colour what nobody reads with
  // the second. So peers need not be installed to build, and change nothing where they are.
  external: ['file-type', 'supports-color'],
  define: {
    'process.env.NODE_ENV': '"production"',
    // A module that asks where it stands, as ioredis does for its stacks, would be told the path of this build.
    __dirname: '"redoubt"',
    REDOUBT_VERSION: JSON.stringify(packageJson.version),
    REDOUBT_COMMIT: JSON.stringify(commit()),
    REDOUBT_EXEC_ARGV: JSON.stringify(EXEC_ARGV),
  },
  compile: {
    outfile: join(work, 'redoubt'),
    execArgv: EXEC_ARGV,
    autoloadDotenv: false,
    autoloadBunfig: false,
    ...(options.target ? { target: options.target as Bun.Build.CompileTarget } : {}),
    ...(options.executable ? { executablePath: resolve(options.executable) } : {}),
  },
});
for (const message of built.logs) console.warn(message);
if (!built.success) process.exit(1);

mkdirSync(dirname(outfile), { recursive: true });
renameSync(join(work, 'redoubt'), outfile);
rmSync(work, { recursive: true, force: true });
console.log(`${outfile} (redoubt ${packageJson.version}, ${commit()})`);

/** The commit that is built, marked when the tree differs from it; a tree without git has none. */
function commit(): string {
  try {
    const git = (...words: string[]) =>
      execFileSync('git', ['-C', root, ...words], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    return git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '-modified');
  } catch {
    return 'unknown';
  }
}
