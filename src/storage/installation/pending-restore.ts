import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { flush } from '../../lib/lay-file.ts';
import { claimDataDirectory, DataDirectoryUnusable, orUnusable } from '../engine/data-directory.ts';

// A restore is laid into a directory of its own beside what it replaces. Renaming that directory decides: before, all is as it was;
// afterwards, whoever opens the data directory next carries the restore out, whatever became of the process that began it.

/** What is to be done, in a directory that holds what is to be laid. */
export interface PendingRestore {
  /** The directory, in the data directory, for what is replaced. */
  readonly before: string;
  /** What is there and goes away, in this order; paths in the data directory. */
  readonly replaced: readonly string[];
  /** What comes, in this order; paths in both directories. */
  readonly laid: readonly string[];
}

export const PLAN_FILE = 'restore.json';
/** Where it is made ready. */
export const preparedPath = (dataDir: string): string => join(dataDir, 'restore.partial');
const decidedPath = (dataDir: string): string => join(dataDir, 'restore.ready');

/** Removes what was made ready and not decided for. */
export const discardPrepared = (dataDir: string): void =>
  rmSync(preparedPath(dataDir), { recursive: true, force: true });

export const isRestorePending = (dataDir: string): boolean => existsSync(decidedPath(dataDir));

/** Decides for what was made ready, which is on disk, and carries it out. The data directory is locked. */
export function decideRestore(dataDir: string): void {
  renameSync(preparedPath(dataDir), decidedPath(dataDir));
  flush(dataDir);
  finishRestore(dataDir);
}

/**
 * Carries a decided restore out, from wherever it stopped. Each file is moved at most once: what is away already stays away. The data
 * directory is locked.
 *
 * @throws DataDirectoryUnusable
 */
export function finishRestore(dataDir: string): void {
  if (!isRestorePending(dataDir)) return;
  orUnusable(`cannot finish the restore in ${decidedPath(dataDir)}`, () => carryOut(dataDir));
}

/**
 * Takes a data directory, in one way or another, once a restore that was decided and not carried out to its end, because the process or
 * the host went down, is: it comes before all else.
 *
 * @param directory in which the restore is; with PostgreSQL that of the keys
 * @returns a function that gives the data directory back
 */
export function enter(directory: string, take: () => () => void): () => void {
  for (;;) {
    finishAlone(directory);
    const leave = take();
    // Another one may have been decided, and left, before this took it.
    if (!isRestorePending(directory)) return leave;
    leave();
  }
}

/** Carries such a restore out, while nobody else uses the directory. */
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

/** Moves what is there; what is not was moved before. */
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

/** Of the system, where one of two paths is a mount of its own. */
const ANOTHER_DISK: ReadonlySet<string> = new Set(['EXDEV', 'EBUSY']);

/** Whole before it has its name; but a file that is a mount by itself can only be written to, again if that was cut off. */
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

/** Undefined where the plan is gone: it goes last but for its directory, so everything was done. */
function planIn(path: string): PendingRestore | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as PendingRestore;
  } catch {
    throw new DataDirectoryUnusable(`cannot read ${path}. Move its directory away, and restore again`);
  }
}
