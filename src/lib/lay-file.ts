import { closeSync, copyFileSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Lays a file at a path, in place of what is there, for its owner alone: whole and on disk, or not at all. It is made
 * exclusively under a temporary name.
 *
 * @param fill fills the empty file at the path that it is given
 * @throws what `fill` and the file system throw; then what was at the path is still there
 */
export function layFile(path: string, fill: (partial: string) => void): void {
  const partial = `${path}.partial`;
  // Removes what a killed process left, or a link, but never what that leads to.
  rmSync(partial, { force: true });
  try {
    closeSync(openSync(partial, 'wx', 0o600));
    fill(partial);
    flush(partial);
    renameSync(partial, path);
    flush(dirname(path));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Brings a file, or a directory's entries, to disk. */
export function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Gives a file a second name, or, on a file system without links, lays a copy there, which is on disk when this returns. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
    flush(to);
  }
}
