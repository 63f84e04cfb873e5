import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** How a database is opened for a moment. */
export type OpenClient = (path: string) => DatabaseSync;

/**
 * Opens a database to look at it alone. SQLite lays files beside one that it reads, unless it is told that nobody changes it; so it
 * is where no such file shows that somebody may.
 */
export const openToLook: OpenClient = (path) => {
  const isInUse = ['-wal', '-journal'].some((suffix) => existsSync(path + suffix));
  return new DatabaseSync(`${pathToFileURL(path)}?mode=ro${isInUse ? '' : '&immutable=1'}`, {
    readOnly: true,
  });
};
