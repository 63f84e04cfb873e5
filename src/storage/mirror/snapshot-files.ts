import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { flush } from '../../lib/lay-file.ts';
import { createPrivate } from '../engine/data-directory.ts';
import { DatabaseUnusable } from '../engine/database.ts';
import { wordsFor } from '../engine/trouble.ts';
import { SNAPSHOT_VERSION } from './snapshot-tables.ts';

/** The name of a snapshot: the first 16 digits of its SHA-256, in lower-case hexadecimal. */
export type SnapshotId = string;

const ID_DIGITS = 16;
const SNAPSHOT_FILE = /^vulnerabilities-([0-9a-f]{16})[.]sqlite$/;
const CHUNK_BYTES = 1024 * 1024;
const WHAT_TO_DO = 'Import the feeds again';

export const snapshotPath = (directory: string, id: SnapshotId): string =>
  join(directory, `vulnerabilities-${id}.sqlite`);

/** The address of a snapshot: it is immutable, so SQLite needs no locks and no journal. */
export const snapshotUri = (path: string): string => `${pathToFileURL(path)}?mode=ro&immutable=1`;

/** The path of an unfinished snapshot, which needs the lock {@link lockSnapshots}. */
const partialPath = (directory: string): string => join(directory, 'vulnerabilities.partial');

/** Creates an empty file with mode 0600; replaces one that a killed process left. */
export function beginSnapshot(directory: string): string {
  const partial = partialPath(directory);
  discardPartial(directory);
  createPrivate(partial);
  return partial;
}

/** Removes an unfinished snapshot, if there is one. */
export function discardPartial(directory: string): void {
  for (const suffix of ['', '-journal']) rmSync(partialPath(directory) + suffix, { force: true });
}

/**
 * Names the finished file after checking and flushing it. It is read only after the main database names it.
 *
 * @throws DatabaseUnusable when it is damaged
 */
export function keepSnapshot(directory: string): SnapshotId {
  const partial = partialPath(directory);
  checkSnapshot(partial);
  const id = snapshotIdOf(partial);
  flush(partial);
  renameSync(partial, snapshotPath(directory, id));
  flush(directory);
  return id;
}

/**
 * Checks that a snapshot exists and is unchanged.
 *
 * @throws DatabaseUnusable
 */
export function verifySnapshot(directory: string, id: SnapshotId): void {
  const path = snapshotPath(directory, id);
  let found: SnapshotId;
  try {
    found = snapshotIdOf(path);
  } catch (error) {
    throw unreadable(path, error);
  }
  if (found !== id) throw changed(path);
  checkSnapshot(path);
}

/**
 * Compares the bytes of a snapshot with its hash, a piece at a time, so that other work can run.
 *
 * @throws DatabaseUnusable
 */
export async function checkBytes(path: string, id: SnapshotId): Promise<void> {
  const found = await digestInPieces(path).catch((error) => {
    throw unreadable(path, error);
  });
  if (found !== id) throw changed(path);
}

/** Changes when a process writes to a snapshot; undefined = it is missing, but may be open. */
export function writtenAt(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ');
}

const changed = (path: string) =>
  new DatabaseUnusable(`the vulnerability data in ${path} was changed. ${WHAT_TO_DO}`);

/** Removes all snapshots but these. A server can still read one that it has open. */
export function pruneSnapshots(directory: string, kept: readonly SnapshotId[]): void {
  for (const file of readdirSync(directory)) {
    const id = SNAPSHOT_FILE.exec(file)?.[1];
    if (id !== undefined && !kept.includes(id)) rmSync(join(directory, file), { force: true });
  }
}

/** An error with the problem of a snapshot. */
export function unreadable(path: string, error: unknown): DatabaseUnusable {
  const isDamaged = /malformed|not a database/.test((error as Error).message);
  const problem = isDamaged ? 'is damaged' : `cannot be read: ${wordsFor(error)}`;
  return new DatabaseUnusable(
    `the vulnerability data in ${path} ${existsSync(path) ? problem : 'is missing'}. ${WHAT_TO_DO}`,
    { cause: error },
  );
}

/** @throws DatabaseUnusable when a snapshot has another version of the tables */
export function refuseOtherSnapshot(client: DatabaseSync, path: string): void {
  const { user_version: version } = client.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version === SNAPSHOT_VERSION) return;
  throw new DatabaseUnusable(
    `the vulnerability data in ${path} was created by another version of redoubt. ${WHAT_TO_DO}`,
  );
}

function checkSnapshot(path: string): void {
  const client = new DatabaseSync(path, { readOnly: true });
  try {
    refuseOtherSnapshot(client, path);
    const { quick_check: found } = client.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    if (found !== 'ok') throw unreadable(path, new Error(`malformed: ${found}`));
  } finally {
    client.close();
  }
}

function snapshotIdOf(path: string): SnapshotId {
  const hash = createHash('sha256');
  const chunk = new Uint8Array(CHUNK_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      hash.update(chunk.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex').slice(0, ID_DIGITS);
}

async function digestInPieces(path: string): Promise<SnapshotId> {
  const hash = createHash('sha256');
  const chunk = new Uint8Array(CHUNK_BYTES);
  const file = await open(path, 'r');
  try {
    const read = async () => (await file.read(chunk)).bytesRead;
    for (let bytes = await read(); bytes > 0; bytes = await read()) hash.update(chunk.subarray(0, bytes));
  } finally {
    await file.close();
  }
  return hash.digest('hex').slice(0, ID_DIGITS);
}
