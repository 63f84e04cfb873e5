import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { userName } from './user-name.ts';

/** The code for a path with something else than a file, found before reading. */
export const NO_FILE = 'no file';
/** The code of a file that is larger than any of its kind. */
export const TOO_LARGE = 'too large';
const DENIED = 'permission denied. Run this as root or as the owner';

/** By the system's code for it. */
const BY_CODE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space and try again',
  EDQUOT: "this user's disk quota is exhausted. Raise it or free some space",
  EROFS: 'the file system is read-only. Mount it for writing',
  EACCES: DENIED,
  EPERM: DENIED,
  EEXIST: 'the path already exists. Move it away',
  EISDIR: 'it is a directory. Move it away',
  ENXIO: 'it is a socket or a pipe. Move it away',
  ENOTDIR: 'part of its path is not a directory. Use another path',
  ELOOP: 'its path has a loop of links. Use another path',
  ENAMETOOLONG: 'its path is too long. Use a shorter one',
};

/** Codes that also tell of other things than files. */
const OF_FILES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory. Check its path',
  ENOTEMPTY: 'the directory is not empty. Move its contents away',
  EMFILE: 'this process has too many open files. Raise its limit',
  ENFILE: 'the system has too many open files. Raise its limit',
  EIO: 'the disk reported an error. Check the kernel log',
  EBUSY: 'another program is using it. Stop that program',
  ETXTBSY: 'it is running. Stop it first',
  EXDEV: 'it is on another file system. Use a path on the same one',
  [TOO_LARGE]: 'it is larger than 4 MiB. Use another file',
  [NO_FILE]: 'it is a directory, a pipe or a socket. Move it away, or use another path',
};

/**
 * What is the matter with a file, and what to do, in words for the operator.
 *
 * @returns undefined for an error of another kind
 */
export function fileTrouble(error: NodeJS.ErrnoException): string | undefined {
  const { code = '', path, syscall = '' } = error;
  const words = BY_CODE[code];
  return (words === DENIED && path !== undefined ? deniedWords(resolve(path), syscall) : undefined) ?? words;
}

/** The same of what is known to be an error of a file; never the runtime's own words for it. */
export function fileWords(error: NodeJS.ErrnoException): string {
  const { code = '' } = error;
  return fileTrouble(error) ?? OF_FILES[code] ?? `the system reports ${code}`;
}

/** Whether an error is the system's, with words of the runtime's own, or one of {@link readFile}. */
export function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  const code = error instanceof Error ? String((error as NodeJS.ErrnoException).code) : '';
  return /^E[A-Z\d]+$/.test(code) || code === NO_FILE || code === TOO_LARGE;
}

/** The message for the operator of a program that ends because of an error. */
export function unexpectedWords(error: unknown): string {
  if (!isOfSystem(error)) return (error as Error).message;
  const isOfFile = error.path !== undefined || BY_CODE[String(error.code)] !== undefined;
  if (!isOfFile) return error.message;
  return `cannot use ${error.path ?? 'a file'}: ${fileWords(error)}`;
}

/** Changes of a folder's entries, which take a right to the folder. */
const OF_FOLDERS = ['unlink', 'rm', 'rmdir', 'rename', 'link', 'symlink', 'mkdir'];

/** What keeps this user from a path, and the command that repairs it; undefined where that cannot be seen. */
function deniedWords(path: string, syscall: string): string | undefined {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  const seen = firstSeen(path);
  const at = seen === path && OF_FOLDERS.includes(syscall) ? dirname(path) : seen;
  const status = statusOf(at);
  if (status === undefined) return undefined;
  const [owner, self] = [nameOf(status.uid), nameOf(user)];
  const all = status.isDirectory() ? '-R ' : '';
  if (status.uid === user)
    return `the mode of ${at} denies access to its owner ${self}. Run chmod u+rwX ${at}`;
  // What is in a folder of this user's is to be this user's, such as all that is in the data directory.
  return statusOf(dirname(at))?.uid === user
    ? `${at} belongs to ${owner}, not to ${self}. Run chown ${all}${self}: ${at}`
    : `${at} belongs to ${owner}, and ${self} has no access. Run this as ${owner} or as root, or use another path`;
}

const nameOf = (uid: number): string => userName(uid) ?? String(uid);

/** A path, or what is above it, from where this user sees no further. */
const firstSeen = (path: string): string =>
  statusOf(path) !== undefined || dirname(path) === path ? path : firstSeen(dirname(path));

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
