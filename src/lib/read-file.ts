import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** Reads the text of a file that a setting names; throws the file system's error. */
export type ReadFile = (path: string) => string;

/** Contents by the names that a unit's LoadCredential= gives them. */
export type Credentials = Readonly<Record<string, string>>;

/** Nothing but files and devices such as /dev/null: a pipe that nobody writes into would keep us waiting. */
export const readFile: ReadFile = (path) => {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile() && !found.isCharacterDevice()) throw Object.assign(new Error(), { code: 'no file' });
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
};

/**
 * Reads credentials as they were handed over last: systemd's own copies stay as they were at the unit's start.
 *
 * @param directory of systemd's copies (`CREDENTIALS_DIRECTORY`)
 */
export const readHanded =
  (directory: string | undefined, handed: Credentials): ReadFile =>
  (path) => {
    const isCredential = directory !== undefined && dirname(resolve(path)) === resolve(directory);
    return (isCredential ? handed[basename(path)] : undefined) ?? readFile(path);
  };
