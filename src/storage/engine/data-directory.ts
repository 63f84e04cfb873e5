import { closeSync, existsSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openingWords, wordsFor } from './trouble.ts';

/** The data directory cannot be used; the message is for the operator. */
export class DataDirectoryUnusable extends Error {}

/** Where things stand in the data directory. */
export const databasePath = (directory: string): string => join(directory, 'redoubt.sqlite');
/** Where backups are made when no other place is named. */
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

/** The name of a file system that cannot hold the database, or undefined when it can. */
export const unsafeFileSystem = (statfsType: number): string | undefined =>
  UNSAFE_FILE_SYSTEMS.get(statfsType >>> 0);

/**
 * Makes a directory that can hold a database, closed to others; one that is there stays as it is.
 *
 * @returns whether it was made
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
 * Whether there is a directory that can hold a database.
 *
 * @throws DataDirectoryUnusable when what is there can hold none
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

/** Makes an empty file that is its owner's alone, where there is none; SQLite would let others read it. */
export function createPrivate(path: string): void {
  orUnusable(`cannot create ${path}`, () => {
    try {
      closeSync(openSync(path, 'wx', 0o600));
    } catch (error) {
      // A link that leads nowhere is there for `openSync` alone.
      if (!existsSync(path)) throw error;
    }
  });
}

/** @throws DataDirectoryUnusable for whatever the file system refuses, saying what cannot be done and why */
export function orUnusable<Value>(problem: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw new DataDirectoryUnusable(`${problem}: ${wordsFor(error)}`, { cause: error });
  }
}

/** Commands that are under way may end meanwhile. */
const CLAIM_MS_MAX = 2_000;

/** A lock that nothing refers to any more would be collected, and with it the lock. */
const heldLocks = new Set<DatabaseSync>();

/** Held by a server, shared by commands, and taken from both by a restore. */
const useLockPath = (directory: string): string => join(directory, 'redoubt.lock');

/**
 * Takes the directory for a server, or what no server may be beside, until this process ends, however it ends. Commands go on.
 *
 * @returns a function that gives the directory back
 */
export const lockDataDirectory = (directory: string): (() => void) =>
  takeLock(
    useLockPath(directory),
    `another redoubt is using the data directory ${directory}. Stop it first`,
    'BEGIN IMMEDIATE',
  );

/**
 * Keeps restores and copies away from the directory while this process uses its database.
 *
 * @returns a function that lets them
 */
export const shareDataDirectory = (directory: string): (() => void) =>
  takeLock(
    useLockPath(directory),
    `a restore or store copy is running in ${directory}. Wait until it is done`,
    'BEGIN; SELECT count(*) FROM sqlite_master',
  );

/**
 * Takes the directory from servers and commands alike: its files are about to be replaced.
 *
 * @returns a function that gives it back
 */
export function claimDataDirectory(directory: string): () => void {
  // Says so of a server, which does not end by itself.
  lockDataDirectory(directory)();
  return takeLock(
    useLockPath(directory),
    `commands are using the data directory ${directory}. Wait until they are done`,
    `PRAGMA busy_timeout = ${CLAIM_MS_MAX}; BEGIN EXCLUSIVE`,
  );
}

/**
 * Lets this process alone make and remove the directory's snapshots of vulnerabilities until it ends.
 *
 * @returns a function that lets others
 */
export const lockSnapshots = (directory: string): (() => void) =>
  takeLock(
    join(directory, 'vulnerabilities.lock'),
    'another command is changing the vulnerability data. Wait until it is done',
    'BEGIN IMMEDIATE',
  );

/**
 * Lets this process alone make a backup of the directory until it ends.
 *
 * @returns a function that lets others
 */
export const lockBackups = (directory: string): (() => void) =>
  takeLock(
    join(directory, 'redoubt.backup-lock'),
    'another backup is running. Wait until it is done',
    'BEGIN IMMEDIATE',
  );

/**
 * Lets this process alone replace an executable until it ends.
 *
 * @returns a function that lets others
 */
export const lockUpdates = (executable: string): (() => void) =>
  takeLock(
    `${executable}.update-lock`,
    'another update is running. Wait until it is done',
    'BEGIN IMMEDIATE',
  );

/** The lock is the kernel's, on a database that holds nothing. */
function takeLock(path: string, taken: string, begin: string): () => void {
  createPrivate(path);
  const lock = openLock(path);
  try {
    // Nothing is written, not even a journal.
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
