import { closeSync, constants, existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { openPlainFile } from '../../../lib/read-file.ts';

/** Opens a database for a while and closes it again. */
export type UseClient = <Value>(path: string, work: (client: DatabaseSync) => Value) => Value;

/**
 * Opens a database read-only. SQLite creates files next to a database that it reads, unless it is declared immutable; so it is,
 * unless such files show that it may be in use.
 */
export const openToLook = (path: string): DatabaseSync => openReadOnly(path, !isInUse(path));

/** The same for some work. If the database was changed during the work, the work is repeated with locks. */
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

/** Changes when a process writes to the database. */
function stateOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return `${found?.ino} ${found?.size} ${found?.mtimeNs} ${found?.ctimeNs} ${isInUse(path)}`;
}
