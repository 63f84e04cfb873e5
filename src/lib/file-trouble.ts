import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { userName } from './user-name.ts';

/** The code for a path with something else than a file, found before reading. */
export const NO_FILE = 'no file';
/** The code of a file that is larger than any of its kind. */
export const TOO_LARGE = 'too large';
const DENIED = 'this user may not: run this as root or as the owner';

/** By the system's code for it. */
const BY_CODE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some room and try again',
  EDQUOT: "this user's quota on the disk is used up: raise it or free some room",
  EROFS: 'its file system is read-only: mount it for writing',
  EACCES: DENIED,
  EPERM: DENIED,
  EEXIST: 'something is there already: move it away',
  EISDIR: 'a directory is there: move it away',
  ENXIO: 'a socket or a pipe is there: move it away',
  ENOTDIR: 'a part of its path is no directory: name another',
  ELOOP: 'links in its path lead in a circle: name another',
  ENAMETOOLONG: 'its path is too long: name another',
};

/** Codes that also tell of other things than files. */
const OF_FILES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder: check its path',
  ENOTEMPTY: 'there is something in it: move it away',
  EMFILE: 'this process has too many files open: raise its limit',
  ENFILE: 'the system has too many files open: raise its limit',
  EIO: 'the disk fails: look at the messages of the kernel',
  EBUSY: 'another program uses it: end that',
  ETXTBSY: 'it runs: stop it first',
  EXDEV: 'it is on another file system: name a place on the same one',
  [TOO_LARGE]: 'it has more than 4 MiB: name another',
  [NO_FILE]: 'it is a directory, a pipe or a socket: move it away, or name another',
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
  return `${error.path ?? 'a file'} cannot be used, because ${fileWords(error)}`;
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
  if (status.uid === user) return `the mode of ${at} keeps its owner ${self} from it: chmod u+rwX ${at}`;
  // What is in a folder of this user's is to be this user's, such as all that is in the data directory.
  return statusOf(dirname(at))?.uid === user
    ? `${at} belongs to ${owner}, not to ${self}: chown ${all}${self}: ${at}`
    : `${at} belongs to ${owner}, and ${self} may not use it: run this as ${owner} or as root, or name another place`;
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
