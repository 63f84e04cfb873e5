import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** Reads the text of a file that a setting names; throws the file system's error. */
export type ReadFile = (path: string) => string;

/** Contents by the names that a unit's LoadCredential= gives them. */
export type Credentials = Readonly<Record<string, string>>;

export const readFile: ReadFile = (path) => readFileSync(path, 'utf8');

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
