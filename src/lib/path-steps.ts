import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** A directory or link on the way to a path. */
export interface PathStep {
  readonly path: string;
  readonly status: Stats;
}

const ROOT = 0;
const STICKY = 0o1000;

/** The first step that belongs to another user (except root), who could redirect the path. */
export const foreignStep = (steps: readonly PathStep[]): PathStep | undefined =>
  steps.find(({ status }) => status.uid !== ROOT && status.uid !== process.geteuid?.());

/**
 * Whether other users can rename and remove the entries of a directory.
 *
 * @param writers permission bits to check: those of the group, of others, or both
 */
export const isOpenStep = ({ status }: PathStep, writers: number): boolean =>
  // With the sticky bit, they can do this only to their own entries.
  status.isDirectory() && (status.mode & writers) !== 0 && (status.mode & STICKY) === 0;

/** Like the kernel. */
const LINKS_MAX = 40;

/**
 * Returns all directories and links on the way to a path, from the root on, in the order in which the kernel resolves them,
 * including those of nested links. Stops where this process cannot follow.
 */
export function stepsTo(path: string): PathStep[] {
  const steps: PathStep[] = [];
  let remaining = piecesOf(path.startsWith('/') ? path : `${process.cwd()}/${path}`);
  let [at, links] = ['/', 0];
  for (let next: string | undefined = at; next !== undefined; ) {
    const status = statusOf(next);
    if (status === undefined) break;
    steps.push({ path: next, status });
    if (!status.isSymbolicLink()) at = next;
    else {
      links += 1;
      if (links > LINKS_MAX) break;
      const target = readlinkSync(next);
      if (target.startsWith('/')) at = '/';
      remaining = [...piecesOf(target), ...remaining];
    }
    const name = remaining.shift();
    next = name === undefined ? undefined : name === '..' ? dirname(at) : join(at, name);
  }
  return steps;
}

const piecesOf = (path: string): string[] => path.split('/').filter((piece) => piece !== '' && piece !== '.');

/** Undefined if the path is missing or this user cannot see it. */
function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
