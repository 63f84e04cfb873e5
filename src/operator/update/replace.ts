import { spawnSync } from 'node:child_process';
import { renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../../lib/fault.ts';
import { flush, linkOrCopy } from '../../lib/lay-file.ts';
import { wordsFor } from '../../storage/engine/trouble.ts';
import type { Installed } from './installed.ts';
import type { StagedRelease } from './lay-release.ts';

/**
 * Replaces the installed executable by a release, and keeps it under another name. The path has one or the other at any moment, also
 * after a loss of power; running processes continue.
 *
 * @throws Fault when it cannot be done; then the installed one is still there
 */
export function replaceBy(staged: StagedRelease, installed: Installed): void {
  orUndone(
    installed.path,
    () => keepPrevious(installed),
    () => rmSync(partialOf(installed), { recursive: true, force: true }),
  );
  orUndone(
    installed.path,
    () => {
      if (staged.package !== undefined) installPackage(staged.package);
      else renameSync(staged.executable, installed.path);
      flush(dirname(installed.path));
    },
    () => undo(installed),
  );
}

/** Reports the first failure, whether or not undoing it succeeds. */
function orUndone(path: string, work: () => void, undo: () => void): void {
  try {
    work();
  } catch (error) {
    try {
      undo();
    } catch {
      // What was in the way of the one is in the way of the other.
    }
    throw error instanceof Fault ? error : new Fault(`cannot replace ${path}: ${wordsFor(error)}`);
  }
}

/** Puts the one before in its place again. */
export function putPreviousBack({ path, previous }: Installed): void {
  renameSync(previous, path);
  flush(dirname(path));
}

/** A package may have replaced it all the same. */
function undo(installed: Installed): void {
  const { path, previous } = installed;
  if (statSync(path).ino === statSync(previous).ino) rmSync(previous);
  else putPreviousBack(installed);
}

const partialOf = ({ previous }: Installed): string => `${previous}.partial`;

function keepPrevious(installed: Installed): void {
  const { path, previous } = installed;
  const partial = partialOf(installed);
  rmSync(partial, { force: true });
  linkOrCopy(path, partial);
  renameSync(partial, previous);
  // Of two names of one file, as a killed process may have left them, both stay (rename(2)).
  rmSync(partial, { force: true });
  flush(dirname(path));
}

/** What runs is not restarted by it. */
function installPackage(path: string): void {
  const { status, stderr, error } = spawnSync('dpkg', ['-i', path], {
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status === 0) return;
  const why = error ? error.message : (stderr.trim().split('\n')[0] ?? `it exited with ${status}`);
  throw new Fault(`dpkg cannot install it: ${why}`);
}
