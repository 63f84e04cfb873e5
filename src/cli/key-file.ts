import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { flush } from '../lib/lay-file.ts';
import { wordsFor } from '../storage/engine/trouble.ts';
import { CommandRefused, tell } from './output.ts';

/**
 * Brings keys to disk as CSV, before they are used.
 *
 * @param rows cells that need no quotes; the first row names the columns
 * @throws CommandRefused
 */
export type KeepKeys = (rows: readonly (readonly (string | number)[])[]) => void;

/**
 * Makes a file for keys that are shown nowhere else, for its owner alone. It is made before the database is opened, because root's
 * commands become the owner of the data directory then. It is gone again when no keys were kept, or their use failed.
 *
 * @param path where nothing may be
 * @throws CommandRefused when it cannot be made, and what `use` throws
 */
export async function withKeyFile<Value>(
  path: string,
  use: (keep: KeepKeys) => Promise<Value>,
): Promise<Value> {
  const file = create(path);
  let isUsed = false;
  try {
    let isKept = false;
    const value = await use((rows) => {
      orRefused(path, () => {
        writeFileSync(file, rows.map((row) => `${row.join(',')}\n`).join(''));
        fsyncSync(file);
      });
      isKept = true;
    });
    isUsed = isKept;
    return value;
  } finally {
    if (!isUsed) discard(path, file);
    closeSync(file);
  }
}

function create(path: string): number {
  return orRefused(path, () => {
    const file = openSync(path, 'wx', 0o600);
    flush(dirname(path));
    return file;
  });
}

function orRefused<Value>(path: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    throw new CommandRefused(`no keys can be written to ${path}, because ${wordsFor(error)}`);
  }
}

/** Whoever root has become may not remove a file from root's folders. */
function discard(path: string, file: number): void {
  try {
    ftruncateSync(file);
    rmSync(path);
  } catch {
    tell(`${path} holds no key that is in use: remove it`);
  }
}
