import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Lays a copy of an open database at a path, in place of an earlier one: nobody can tell whether that one is whole, or of
 * which state. It has its name only when it was found sound and is on disk.
 *
 * @throws when it cannot be made or is not sound; then nothing of it is left
 */
export function layCopy(client: DatabaseSync, copy: string): void {
  const partial = `${copy}.partial`;
  // Removes what a killed process left, or a link, but never what that leads to.
  rmSync(partial, { force: true });
  try {
    closeSync(openSync(partial, 'wx', 0o600));
    client.prepare('VACUUM INTO ?').run(partial);
    checkCopy(client, partial);
    flush(partial);
    renameSync(partial, copy);
    flush(dirname(copy));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Whether a copy is sound and of the version of what was copied. An empty file is sound, but of no version. */
function checkCopy(client: DatabaseSync, path: string): void {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    const ask = (database: DatabaseSync, pragma: string) =>
      Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
    const sound = ask(copy, 'quick_check(1)') === 'ok';
    if (!sound || ask(copy, 'user_version') !== ask(client, 'user_version')) {
      throw new Error(`the copy ${path} is not sound`);
    }
  } finally {
    copy.close();
  }
}

/** Brings a file, or a directory's entries, to disk. */
function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
