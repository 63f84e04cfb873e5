import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { NO_FILE, TOO_LARGE } from './file-trouble.ts';

/** Reads the text of a file named by a setting; throws errors of the file system. */
export type ReadFile = (path: string) => string;

/** Contents by name in a unit's LoadCredential=. */
export type Credentials = Readonly<Record<string, string>>;

/** Far more than certificates, catalogs and keys need. */
const FILE_BYTES_MAX = 4 * 2 ** 20;
const CHUNK_BYTES = 256 * 1_024;

/**
 * Reads a descriptor to its end. Ignores the size of the file, because devices and pipes report none.
 *
 * @returns undefined if there are more bytes than allowed
 */
export function readAtMost(file: number, bytesMax: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let bytes = 0; bytes <= bytesMax; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytesMax + 1 - bytes));
    const read = readSync(file, chunk);
    if (read === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, read));
    bytes += read;
  }
  return undefined;
}

/** Reads a file; undefined if it has more bytes than allowed. Throws errors of the file system. */
export function readFileAtMost(path: string, bytesMax: number): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    return readAtMost(file, bytesMax);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads files of up to 4 MiB, and devices such as /dev/null. Pipes are refused, because one without a writer would block.
 *
 * @throws errors of the file system, or one with the code {@link NO_FILE} or {@link TOO_LARGE}
 */
export const readFile: ReadFile = (path) => {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile() && !found.isCharacterDevice()) throw unreadable(NO_FILE);
    const bytes = readAtMost(file, FILE_BYTES_MAX);
    if (bytes === undefined) throw unreadable(TOO_LARGE);
    return bytes.toString('utf8');
  } finally {
    closeSync(file);
  }
};

/**
 * Opens a regular file, by default for reading and writing. Pipes are refused, because reading them could block.
 *
 * @returns its descriptor
 * @throws errors of the file system, or one with the code {@link NO_FILE}
 */
export function openPlainFile(path: string, flags: number = constants.O_RDWR): number {
  const file = openSync(path, flags | constants.O_NONBLOCK);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw unreadable(NO_FILE);
}

const unreadable = (code: string) => Object.assign(new Error(code), { code });

/**
 * Prefers the credentials that were last handed over to systemd's copies, which do not change after the unit's start.
 *
 * @param directory of systemd's copies (`CREDENTIALS_DIRECTORY`)
 */
export const readHanded =
  (directory: string | undefined, handed: Credentials): ReadFile =>
  (path) => {
    const isCredential = directory !== undefined && dirname(resolve(path)) === resolve(directory);
    return (isCredential ? handed[basename(path)] : undefined) ?? readFile(path);
  };
