import { closeSync, copyFileSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Atomically writes and fsyncs a file with mode 0600, replacing an existing one. It is created exclusively under a temporary
 * name.
 *
 * @param fill writes the content to the empty file at the given path
 * @throws errors of `fill` and of the file system; the existing file is then unchanged
 */
export function layFile(path: string, fill: (partial: string) => void): void {
  const partial = `${path}.partial`;
  // Removes the leftover of a killed process. If it is a link, its target is not affected.
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

/** Fsyncs a file or a directory. */
export function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Creates a hard link, or a fsynced copy on file systems without links. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
    flush(to);
  }
}
