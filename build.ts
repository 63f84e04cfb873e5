import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from './package.json' with { type: 'json' };
import { iso } from './src/lib/clock.ts';
import { minisignKeyIn } from './src/lib/minisign.ts';
import { sourceAt } from './tools/release/source.ts';

// Compiles the source into one executable. Builds of the same commit are byte-identical on any host.

const HELP = `bun build.ts [--target bun-linux-x64|bun-linux-arm64|...] [--outfile dist/redoubt] [--executable PATH]
  [--release-key FILE.pub]... [--metafile FILE] [--sbom-sha256 HASH]

--target       another platform than this host's; needs that platform's runtime
--outfile      where the executable goes; its base name is part of its bytes
--executable   the runtime to build into, such as @oven/bun-linux-aarch64's bin/bun
--release-key  a minisign public key whose releases the executable accepts, instead of those in src/runtime/release-keys;
               repeatable
--metafile     where to write what is in the executable, as JSON
--sbom-sha256  the hash of the release's bill of materials, for "redoubt version --json"`;

const { values: options } = parseArgs({
  options: {
    target: { type: 'string' },
    outfile: { type: 'string', default: 'dist/redoubt' },
    executable: { type: 'string' },
    'release-key': { type: 'string', multiple: true },
    metafile: { type: 'string' },
    'sbom-sha256': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

/** Runtime options that are baked into the executable. */
const EXEC_ARGV: string[] = [];

const root = import.meta.dir;
const { commit, committedAt } = sourceAt(root);
const releaseKeys = options['release-key']?.map(releaseKeyAt);
const outfile = resolve(options.outfile);
const work = `${outfile}.build`;
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });

const built = await Bun.build({
  entrypoints: ['main.ts', 'storage-thread.ts', 'analysis-process.ts'].map((name) => join(root, 'src', name)),
  root: join(root, 'src'),
  minify: true,
  // Keeps dynamic imports in separate files, which cost nothing until they are loaded.
  splitting: true,
  bytecode: true,
  format: 'esm',
  target: 'bun',
  metafile: options.metafile !== undefined,
  // Optional dependencies: Elysia would use the first for uploaded files, which no route accepts; ioredis's debug would use the
  // second to color its output. They need not be installed, and the build is the same if they are.
  external: ['file-type', 'supports-color'],
  define: {
    'process.env.NODE_ENV': '"production"',
    // ioredis uses its path for stack traces, which would contain the path of this build.
    __dirname: '"redoubt"',
    REDOUBT_VERSION: JSON.stringify(packageJson.version),
    REDOUBT_COMMIT: JSON.stringify(commit),
    REDOUBT_BUILT_AT: JSON.stringify(committedAt === undefined ? null : iso(committedAt)),
    REDOUBT_SBOM_SHA256: JSON.stringify(options['sbom-sha256'] ?? null),
    ...(releaseKeys ? { REDOUBT_RELEASE_KEYS: JSON.stringify(releaseKeys) } : {}),
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
if (options.metafile) writeFileSync(options.metafile, JSON.stringify(built.metafile));
console.log(`${outfile} (redoubt ${packageJson.version}, ${commit})`);

function releaseKeyAt(path: string): string {
  const key = readFileSync(path, 'utf8');
  if (minisignKeyIn(key) !== undefined) return key;
  console.error(`${path} is not a minisign public key`);
  process.exit(1);
}
