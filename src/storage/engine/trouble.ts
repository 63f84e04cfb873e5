import { closeSync } from 'node:fs';
import { fileTrouble, fileWords, isOfSystem } from '../../lib/file-trouble.ts';
import { openPlainFile } from '../../lib/read-file.ts';

/** By the beginning of SQLite's message, because only one of the runtimes always reports its code. */
const BY_MESSAGE: Readonly<Record<string, string>> = {
  'database or disk is full': 'the disk is full. Free some space and try again',
  'disk I/O error': 'the disk is full or failing. Free some space, and check the kernel log',
  'database is locked': 'another process is writing to it. Try again later',
  'attempt to write a readonly database': 'it is read-only for this user. Run this as its owner',
  'unable to open database file': 'this user cannot open files there. Check its owner and its directory',
  'database disk image is malformed': "it is damaged. Restore a backup, or run sqlite3's .recover",
  'file is not a database': 'it is not a database. Restore a backup',
};

/**
 * Describes a problem with a disk or a database, and its solution, for the operator.
 *
 * @returns undefined for an error of another kind
 */
export function troubleOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  const begins = Object.keys(BY_MESSAGE).find((beginning) => message.startsWith(beginning));
  return fileTrouble(error) ?? BY_MESSAGE[begins ?? ''] ?? troubleOf(error.cause);
}

/** The same, or the error's message without the runtime's additions to the system's text. */
export const wordsFor = (error: unknown): string =>
  troubleOf(error) ?? (isOfSystem(error) ? fileWords(error) : (error as Error).message);

/** SQLite's messages for a file that the system does not let it open. */
const UNOPENED = ['unable to open database file', 'disk I/O error'];

/** The same for a file that SQLite could not open, with the system's reason. */
export function openingWords(path: string, error: unknown): string {
  if (!UNOPENED.some((beginning) => (error as Error).message.startsWith(beginning))) return wordsFor(error);
  try {
    closeSync(openPlainFile(path));
    return wordsFor(error);
  } catch (refused) {
    return wordsFor(refused);
  }
}

/** Of PostgreSQL. */
const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because a unique row exists already. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as NodeJS.ErrnoException).code === UNIQUE_VIOLATION ||
    /^(?:UNIQUE|PRIMARY KEY) constraint failed/.test(error.message) ||
    isTaken(error.cause));
