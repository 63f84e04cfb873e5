import { closeSync, constants, existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { openPlainFile } from '../../../lib/read-file.ts';

/** Opens a database for a while and closes it again. */
export type UseClient = <Value>(path: string, work: (client: DatabaseSync) => Value) => Value;

/**
 * Opens a database to look at it alone. SQLite lays files beside one that it reads, unless it is told that nobody changes it; so it
 * is where no such file shows that somebody may.
 */
export const openToLook = (path: string): DatabaseSync => openReadOnly(path, !isInUse(path));

/** The same for a while. What was seen while somebody has begun to change it after all is looked at again, with their locks. */
export const lookAt: UseClient = (path, work) => {
  const before = stateOf(path);
  if (isInUse(path)) return closing(openReadOnly(path, false), work);
  try {
    const seen = closing(openReadOnly(path, true), work);
    if (stateOf(path) === before) return seen;
  } catch (error) {
    if (stateOf(path) === before) throw error;
  }
  return closing(openReadOnly(path, false), work);
};

export function closing<Value>(client: DatabaseSync, work: (client: DatabaseSync) => Value): Value {
  try {
    return work(client);
  } finally {
    client.close();
  }
}

function openReadOnly(path: string, isImmutable: boolean): DatabaseSync {
  // SQLite would wait for the writer of a pipe.
  closeSync(openPlainFile(path, constants.O_RDONLY));
  return new DatabaseSync(`${pathToFileURL(path)}?mode=ro${isImmutable ? '&immutable=1' : ''}`, {
    readOnly: true,
  });
}

const isInUse = (path: string): boolean => ['-wal', '-journal'].some((suffix) => existsSync(path + suffix));

/** Differs when anybody has written to a database meanwhile, or does. */
function stateOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return `${found?.ino} ${found?.size} ${found?.mtimeNs} ${found?.ctimeNs} ${isInUse(path)}`;
}
