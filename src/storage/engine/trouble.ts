const FULL = 'the disk is full: free some room and try again';

/** By the system's code for it. */
const BY_CODE: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: "this user's quota on the disk is used up: raise it or free some room",
  EROFS: 'its file system is read-only: mount it for writing',
  EACCES: 'this user may not: run this as root or as the owner',
  EPERM: 'this user may not: run this as root or as the owner',
  EEXIST: 'something is there already: move it away',
  EISDIR: 'a directory is there: move it away',
  ENOTDIR: 'a part of its path is no directory: name another',
  ELOOP: 'links in its path lead in a circle: name another',
  ENAMETOOLONG: 'its path is too long: name another',
};

/** By how SQLite's message begins, because only one of the runtimes always tells its code. */
const BY_MESSAGE: Readonly<Record<string, string>> = {
  'database or disk is full': FULL,
  'disk I/O error': 'the disk is full or fails: free some room, and look at the messages of the kernel',
  'database is locked': 'another process is writing to it: try again later',
  'attempt to write a readonly database': 'it is read-only for this user: run this as its owner',
  'unable to open database file': 'this user cannot open a file there: look at its owner and its folder',
  'database disk image is malformed': "it is damaged: restore a backup, or run sqlite3's .recover",
  'file is not a database': 'it is no database: restore a backup',
};

/**
 * What is the matter with a disk or a database, and what to do, in words for the operator.
 *
 * @returns undefined when an error tells of something else
 */
export function troubleOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const begins = Object.keys(BY_MESSAGE).find((beginning) => message.startsWith(beginning));
  return BY_CODE[code] ?? BY_MESSAGE[begins ?? ''] ?? troubleOf(error.cause);
}

/** The same, or what the error itself says. */
export const wordsFor = (error: unknown): string => troubleOf(error) ?? (error as Error).message;

/** Of PostgreSQL. */
const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because there is already what is to be there once. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as NodeJS.ErrnoException).code === UNIQUE_VIOLATION ||
    /^(?:UNIQUE|PRIMARY KEY) constraint failed/.test(error.message) ||
    isTaken(error.cause));
