import { execFile, execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { BUN } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const ROOT = join(import.meta.dir, '../..');
const INSTALL_MS_MAX = 300_000;
const BUILD_MS_MAX = 120_000;
/** The files that determine a commit's packages. */
const DEPENDENCIES = ['package.json', 'bun.lock'];

const git = (...words: string[]): string =>
  execFileSync('git', ['-C', ROOT, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();

/** The commit in `--against COMMIT`; undefined without the option. */
export function againstCommit(): string | undefined {
  const { values } = parseArgs({ options: { against: { type: 'string' } } });
  return values.against && git('rev-parse', '--verify', '--short=12', `${values.against}^{commit}`);
}

/**
 * Builds another commit in a temporary directory, which is deleted when the process ends. Packages are shared
 * with this tree where both lock the same ones, otherwise installed.
 *
 * @returns the path of the executable
 */
export async function buildCommit(commit: string): Promise<string> {
  const cwd = temporaryDirectory();
  // An archive, unlike a worktree, leaves nothing in the repository when this process is killed.
  execFileSync('sh', ['-c', 'git -C "$0" archive "$1" | tar -x', ROOT, commit], { cwd });
  const bun = (timeout: number, ...words: string[]) => promisify(execFile)(BUN, words, { cwd, timeout });
  const isShared = git('diff', '--name-only', commit, '--', ...DEPENDENCIES) === '';
  if (isShared) symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'));
  else
    await bun(
      INSTALL_MS_MAX,
      'install',
      '--frozen-lockfile',
      '--ignore-scripts',
      '--production',
      '--omit=peer',
    );
  const outfile = join(cwd, 'dist/redoubt');
  await bun(BUILD_MS_MAX, 'build.ts', '--outfile', outfile);
  return outfile;
}
