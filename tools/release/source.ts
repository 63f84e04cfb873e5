import { execFileSync } from 'node:child_process';
import { SECOND_MS } from '../../src/lib/clock.ts';

/** What is known of the source that is built. */
export interface Source {
  /** The commit, followed by "-modified" when the tree differs from it; "unknown" without git. */
  readonly commit: string;
  /** Its whole hash, whether or not the tree differs; empty without git. */
  readonly commitHash: string;
  /** When the commit was made, in milliseconds since the Unix epoch; undefined without git. */
  readonly committedAt: number | undefined;
}

/** Asks git about a folder of the source. A folder within the repository of something else, as from a tar, has no commit. */
export function sourceAt(root: string): Source {
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', root, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const isWithin = git('rev-parse', '--show-prefix') !== '';
    if (isWithin) return WITHOUT_GIT;
    const modified = git('status', '--porcelain') === '' ? '' : '-modified';
    const commitHash = git('rev-parse', 'HEAD');
    return {
      commit: commitHash.slice(0, 12) + modified,
      commitHash,
      committedAt: Number(git('show', '--no-patch', '--format=%ct', 'HEAD')) * SECOND_MS,
    };
  } catch {
    return WITHOUT_GIT;
  }
}

const WITHOUT_GIT: Source = { commit: 'unknown', commitHash: '', committedAt: undefined };
