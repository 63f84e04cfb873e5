import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { userName } from './user-name.ts';

/** The code for a path that is not a regular file, detected before reading. */
export const NO_FILE = 'no file';
/** The code for a file that exceeds the size limit. */
export const TOO_LARGE = 'too large';
const DENIED = 'permission denied. Run this as root or as the owner';

/** Messages by error code of the system. */
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

/** Messages for codes that are not specific to files. */
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
 * Describes an error of a file, and how to fix it, for the operator.
 *
 * @returns undefined for other errors
 */
export function fileTrouble(error: NodeJS.ErrnoException): string | undefined {
  const { code = '', path, syscall = '' } = error;
  const words = BY_CODE[code];
  return (words === DENIED && path !== undefined ? deniedWords(resolve(path), syscall) : undefined) ?? words;
}

/** Like {@link fileTrouble}, for errors known to come from a file. Never returns the runtime's message. */
export function fileWords(error: NodeJS.ErrnoException): string {
  const { code = '' } = error;
  return fileTrouble(error) ?? OF_FILES[code] ?? `the system reports ${code}`;
}

/** Whether an error comes from the system, with a message of the runtime, or from {@link readFile}. */
export function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  const code = error instanceof Error ? String((error as NodeJS.ErrnoException).code) : '';
  return /^E[A-Z\d]+$/.test(code) || code === NO_FILE || code === TOO_LARGE;
}

/** The message for the operator when an error ends the program. */
export function unexpectedWords(error: unknown): string {
  if (!isOfSystem(error)) return (error as Error).message;
  const isOfFile = error.path !== undefined || BY_CODE[String(error.code)] !== undefined;
  if (!isOfFile) return error.message;
  return `cannot use ${error.path ?? 'a file'}: ${fileWords(error)}`;
}

/** System calls that change the entries of a folder and need write access to it. */
const OF_FOLDERS = ['unlink', 'rm', 'rmdir', 'rename', 'link', 'symlink', 'mkdir'];

/** Why this user has no access to a path, and the command that fixes it; undefined if that cannot be determined. */
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
  // Everything in a folder of this user, such as the data directory, should belong to this user.
  return statusOf(dirname(at))?.uid === user
    ? `${at} belongs to ${owner}, not to ${self}. Run chown ${all}${self}: ${at}`
    : `${at} belongs to ${owner}, and ${self} has no access. Run this as ${owner} or as root, or use another path`;
}

const nameOf = (uid: number): string => userName(uid) ?? String(uid);

/** A path, or its nearest ancestor that this user can see. */
const firstSeen = (path: string): string =>
  statusOf(path) !== undefined || dirname(path) === path ? path : firstSeen(dirname(path));

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
