import { closeSync, existsSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openingWords, wordsFor } from './trouble.ts';

/** The data directory cannot be used; the message is for the operator. */
export class DataDirectoryUnusable extends Error {}

/** Paths in the data directory. */
export const databasePath = (directory: string): string => join(directory, 'redoubt.sqlite');
/** The default directory of backups. */
export const backupDirectory = (directory: string): string => join(directory, 'backups');
export const installationKeyPath = (directory: string): string => join(directory, 'installation.key');

/** Magic numbers of statfs(2) for file systems whose locks and flushes SQLite cannot rely on. */
const UNSAFE_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB (CIFS)'],
  [0xfe534d42, 'SMB2'],
  [0x65735546, 'FUSE'],
]);

/** The name of a file system that cannot contain the database; undefined when it can. */
export const unsafeFileSystem = (statfsType: number): string | undefined =>
  UNSAFE_FILE_SYSTEMS.get(statfsType >>> 0);

/**
 * Creates a private directory for a database; an existing one stays unchanged.
 *
 * @returns whether it was created
 * @throws DataDirectoryUnusable
 */
export function makeDataDirectory(directory: string): boolean {
  if (findDataDirectory(directory)) return false;
  orUnusable(`cannot create the data directory ${directory}`, () =>
    mkdirSync(directory, { recursive: true, mode: 0o700 }),
  );
  refuseUnsafe(directory);
  return true;
}

/**
 * Whether a directory for a database exists.
 *
 * @throws DataDirectoryUnusable when the path cannot be one
 */
export function findDataDirectory(directory: string): boolean {
  const found = orUnusable(`cannot find the data directory ${directory}`, () =>
    statSync(directory, { throwIfNoEntry: false }),
  );
  if (found === undefined) return false;
  if (!found.isDirectory()) {
    throw new DataDirectoryUnusable(`${directory} is a file. Set SERVICE_DATA_DIR to a directory`);
  }
  refuseUnsafe(directory);
  return true;
}

function refuseUnsafe(directory: string): void {
  const unsafe = unsafeFileSystem(statfsSync(directory).type);
  if (unsafe === undefined) return;
  throw new DataDirectoryUnusable(
    `the data directory ${directory} is on ${unsafe}, which can lose acknowledged data. Use a local disk`,
  );
}

/** Creates an empty file with mode 0600 if there is none; SQLite would let others read it. */
export function createPrivate(path: string): void {
  orUnusable(`cannot create ${path}`, () => {
    try {
      closeSync(openSync(path, 'wx', 0o600));
    } catch (error) {
      // A dangling link exists only for `openSync`.
      if (!existsSync(path)) throw error;
    }
  });
}

/** @throws DataDirectoryUnusable for errors of the file system, with the failed operation and the reason */
export function orUnusable<Value>(problem: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw new DataDirectoryUnusable(`${problem}: ${wordsFor(error)}`, { cause: error });
  }
}

/** Running commands may end in the meantime. */
const CLAIM_MS_MAX = 2_000;

/** Prevents garbage collection, which would release the locks. */
const heldLocks = new Set<DatabaseSync>();

/** Held by a server, shared by commands, and taken from both by a restore. */
const useLockPath = (directory: string): string => join(directory, 'redoubt.lock');

/**
 * Locks the directory for a server, or for work that excludes one, until this process ends in any way. Commands continue.
 *
 * @returns a function that releases the lock
 */
export const lockDataDirectory = (directory: string): (() => void) =>
  takeLock(
    useLockPath(directory),
    `another redoubt is using the data directory ${directory}. Stop it first`,
    'BEGIN IMMEDIATE',
  );

/**
 * Excludes restores and copies while this process uses the database of the directory.
 *
 * @returns a function that releases the lock
 */
export const shareDataDirectory = (directory: string): (() => void) =>
  takeLock(
    useLockPath(directory),
    `a restore or store copy is running in ${directory}. Wait until it is done`,
    'BEGIN; SELECT count(*) FROM sqlite_master',
  );

/**
 * Locks the directory against servers and commands: its files will be replaced.
 *
 * @returns a function that releases the lock
 */
export function claimDataDirectory(directory: string): () => void {
  // Reports a server, which does not end soon.
  lockDataDirectory(directory)();
  return takeLock(
    useLockPath(directory),
    `commands are using the data directory ${directory}. Wait until they are done`,
    `PRAGMA busy_timeout = ${CLAIM_MS_MAX}; BEGIN EXCLUSIVE`,
  );
}

/**
 * Locks the snapshots of vulnerabilities of the directory until this process ends.
 *
 * @returns a function that releases the lock
 */
export const lockSnapshots = (directory: string): (() => void) =>
  takeLock(
    join(directory, 'vulnerabilities.lock'),
    'another command is changing the vulnerability data. Wait until it is done',
    'BEGIN IMMEDIATE',
  );

/**
 * Locks the backups of the directory until this process ends.
 *
 * @returns a function that releases the lock
 */
export const lockBackups = (directory: string): (() => void) =>
  takeLock(
    join(directory, 'redoubt.backup-lock'),
    'another backup is running. Wait until it is done',
    'BEGIN IMMEDIATE',
  );

/**
 * Locks an executable for its replacement until this process ends.
 *
 * @returns a function that releases the lock
 */
export const lockUpdates = (executable: string): (() => void) =>
  takeLock(
    `${executable}.update-lock`,
    'another update is running. Wait until it is done',
    'BEGIN IMMEDIATE',
  );

/** The lock is the kernel's, on an empty database. */
function takeLock(path: string, taken: string, begin: string): () => void {
  createPrivate(path);
  const lock = openLock(path);
  try {
    // Writes nothing, not even a journal.
    lock.exec('PRAGMA journal_mode = MEMORY');
    lock.exec(begin);
  } catch (error) {
    lock.close();
    const { message } = error as Error;
    throw new DataDirectoryUnusable(
      message === 'database is locked' ? taken : `cannot lock ${path}: ${openingWords(path, error)}`,
    );
  }
  heldLocks.add(lock);
  return () => {
    heldLocks.delete(lock);
    lock.close();
  };
}

function openLock(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path);
  } catch (error) {
    throw new DataDirectoryUnusable(`cannot open ${path}: ${openingWords(path, error)}`, {
      cause: error,
    });
  }
}
