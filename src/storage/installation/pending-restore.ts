import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { flush } from '../../lib/lay-file.ts';
import { claimDataDirectory, DataDirectoryUnusable, orUnusable } from '../engine/data-directory.ts';

// A restore is prepared in a separate directory next to the files that it replaces. Renaming that directory commits it: before,
// nothing has changed; afterwards, the next process that opens the data directory completes the restore, however the process
// that began it ended.

/** A plan of moves, in the directory of the restored files. */
export interface PendingRestore {
  /** The directory, in the data directory, for replaced files. */
  readonly before: string;
  /** Current files to move away, in order; paths in the data directory. */
  readonly replaced: readonly string[];
  /** Restored files to move in, in order; paths in both directories. */
  readonly laid: readonly string[];
}

export const PLAN_FILE = 'restore.json';
/** Where a restore is prepared. */
export const preparedPath = (dataDir: string): string => join(dataDir, 'restore.partial');
const decidedPath = (dataDir: string): string => join(dataDir, 'restore.ready');

/** Removes a prepared, uncommitted restore. */
export const discardPrepared = (dataDir: string): void =>
  rmSync(preparedPath(dataDir), { recursive: true, force: true });

export const isRestorePending = (dataDir: string): boolean => existsSync(decidedPath(dataDir));

/** Commits a prepared restore, which is on disk, and completes it. The data directory is locked. */
export function decideRestore(dataDir: string): void {
  renameSync(preparedPath(dataDir), decidedPath(dataDir));
  flush(dataDir);
  finishRestore(dataDir);
}

/**
 * Completes a committed restore from where it stopped. Moves each file at most once: a file that was moved away stays away. The
 * data directory is locked.
 *
 * @throws DataDirectoryUnusable
 */
export function finishRestore(dataDir: string): void {
  if (!isRestorePending(dataDir)) return;
  orUnusable(`cannot finish the restore in ${decidedPath(dataDir)}`, () => carryOut(dataDir));
}

/**
 * Locks a data directory after completing a committed restore that a crash of the process or host interrupted.
 *
 * @param directory of the restore; with PostgreSQL that of the keys
 * @returns a function that releases the lock
 */
export function enter(directory: string, take: () => () => void): () => void {
  for (;;) {
    finishAlone(directory);
    const leave = take();
    // Another restore may have been committed, and interrupted, before this lock.
    if (!isRestorePending(directory)) return leave;
    leave();
  }
}

/** Completes such a restore while the directory is locked. */
export function finishAlone(directory: string): void {
  if (!isRestorePending(directory)) return;
  const release = claimDataDirectory(directory);
  try {
    finishRestore(directory);
  } finally {
    release();
  }
}

function carryOut(dataDir: string): void {
  const decided = decidedPath(dataDir);
  const plan = planIn(join(decided, PLAN_FILE));
  if (plan !== undefined) {
    const before = join(dataDir, plan.before);
    for (const name of plan.replaced) {
      if (!existsSync(join(before, name))) move(join(dataDir, name), join(before, name));
    }
    for (const name of plan.laid) move(join(decided, name), join(dataDir, name));
  }
  flush(dataDir);
  rmSync(decided, { recursive: true });
  flush(dataDir);
}

/** Moves an existing file; a missing one was moved before. */
function move(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  try {
    renameSync(from, to);
  } catch (error) {
    if (!ANOTHER_DISK.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    copyOver(from, to);
  }
  flush(dirname(to));
}

/** The system's errors when one of two paths is a separate mount. */
const ANOTHER_DISK: ReadonlySet<string> = new Set(['EXDEV', 'EBUSY']);

/** Complete before it gets its name; but a file that is itself a mount can only be overwritten, again after an interruption. */
function copyOver(from: string, to: string): void {
  const partial = `${to}.partial`;
  copyFileSync(from, partial);
  chmodSync(partial, 0o600);
  flush(partial);
  try {
    renameSync(partial, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
    copyFileSync(partial, to);
    flush(to);
    rmSync(partial);
  }
  try {
    rmSync(from);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
  }
}

/** Undefined when the plan is gone: it is removed after all moves, so everything was done. */
function planIn(path: string): PendingRestore | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as PendingRestore;
  } catch {
    throw new DataDirectoryUnusable(`cannot read ${path}. Move its directory away, and restore again`);
  }
}
