import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** A directory or a link that decides where a path leads. */
export interface PathStep {
  readonly path: string;
  readonly status: Stats;
}

const ROOT = 0;
const STICKY = 0o1000;

/** The step of another user than root and this one, who can lead the path elsewhere. */
export const foreignStep = (steps: readonly PathStep[]): PathStep | undefined =>
  steps.find(({ status }) => status.uid !== ROOT && status.uid !== process.geteuid?.());

/**
 * Whether others can rename and remove what is in a directory.
 *
 * @param writers the permissions by which others may write: of the group, of all, or both
 */
export const isOpenStep = ({ status }: PathStep, writers: number): boolean =>
  // With the sticky bit, others can do neither with what is not theirs.
  status.isDirectory() && (status.mode & writers) !== 0 && (status.mode & STICKY) === 0;

/** As in the kernel. */
const LINKS_MAX = 40;

/**
 * Returns every directory and every link on the way to a path, from the root on, as the kernel goes it: also what a link of a link leads
 * through. The way ends where this process cannot follow it.
 */
export function stepsTo(path: string): PathStep[] {
  const steps: PathStep[] = [];
  let left = piecesOf(path.startsWith('/') ? path : `${process.cwd()}/${path}`);
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
      left = [...piecesOf(target), ...left];
    }
    const name = left.shift();
    next = name === undefined ? undefined : name === '..' ? dirname(at) : join(at, name);
  }
  return steps;
}

const piecesOf = (path: string): string[] => path.split('/').filter((piece) => piece !== '' && piece !== '.');

/** Undefined for what is missing, or is not to be seen by this user. */
function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
