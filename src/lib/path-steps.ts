import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** A directory or a link that decides where a path leads. */
export interface PathStep {
  readonly path: string;
  readonly status: Stats;
}

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
