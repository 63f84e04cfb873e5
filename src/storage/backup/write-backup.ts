import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backupNameIn } from '../../domain/backup/backup-name.ts';
import { type Keeping, keptBackups } from '../../domain/backup/kept-backups.ts';
import type { Chunks } from '../../lib/age-file.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { flush } from '../../lib/lay-file.ts';
import { END, paddingAfter, tarHeader } from '../../lib/tar.ts';
import { writeBytes } from '../../lib/write-all.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { lackOfRoom } from '../engine/room.ts';
import { wordsFor } from '../engine/trouble.ts';
import { BackupRefused } from './backup-refused.ts';
import { MANIFEST_FILE, manifestBytes, manifestIn } from './manifest.ts';
import type { StagedBackup } from './stage-backup.ts';

const SPARE_BYTES = 16 * 1024 * 1024;

export interface WriteOptions {
  /** Undefined = it is not encrypted. */
  readonly encrypt?: ((chunks: Chunks) => Chunks) | undefined;
  /** Receives the bytes written so far, and the total. */
  readonly onBytes?: ((done: number, all: number) => void) | undefined;
}

/**
 * Writes a backup into a new file with mode 0600. Until it is complete and on disk, its name ends in `.partial`.
 *
 * @returns its bytes
 * @throws BackupRefused, Fault; then no file is left
 */
export async function writeBackup(
  path: string,
  staged: StagedBackup,
  { encrypt, onBytes }: WriteOptions,
): Promise<number> {
  const partial = `${path}.partial`;
  let isNamed = false;
  try {
    refuseTaken(path);
    const all = staged.members.reduce((sum, { bytes }) => sum + bytes, 0);
    refuseWithoutRoom(dirname(path), all);
    rmSync(partial, { force: true });
    const to = openSync(partial, 'wx', 0o600);
    try {
      const plain = tarOf(staged, (done) => onBytes?.(done, all));
      for await (const chunk of encrypt?.(plain) ?? plain) writeBytes(to, chunk);
      fsyncSync(to);
    } finally {
      closeSync(to);
    }
    refuseTaken(path);
    renameSync(partial, path);
    isNamed = true;
    flush(dirname(path));
    return statSync(path).size;
  } catch (error) {
    discard(partial);
    if (isNamed) discard(path);
    if (error instanceof Fault) throw error;
    throw new BackupRefused(`cannot write ${path}: ${wordsFor(error)}`);
  }
}

/**
 * Removes the backups of an installation in a folder that need not be retained. Touches only files whose name
 * {@link backupNameIn} can read.
 *
 * @param now when the newest was created, in milliseconds since the Unix epoch
 * @returns the paths of those removed
 * @throws BackupRefused
 */
export function pruneBackups(folder: string, installation: string, now: number, keeping: Keeping): string[] {
  const ours = namesIn(folder).flatMap((name) => {
    const found = backupNameIn(name);
    return found?.installation === installation ? [{ path: join(folder, name), at: found.at }] : [];
  });
  const kept = keptBackups(
    ours.map(({ at }) => at),
    Math.floor(now / SECOND_MS) * SECOND_MS,
    keeping,
  );
  const expired = ours.filter(({ at }) => !kept.has(at)).map(({ path }) => path);
  for (const path of expired) remove(path);
  return expired;
}

/** Removes the unfinished backups of an installation that killed processes left. */
export function removePartials(folder: string, installation: string): void {
  for (const name of namesIn(folder)) {
    const isOurs = backupNameIn(basename(name, '.partial'))?.installation === installation;
    if (isOurs && name.endsWith('.partial')) remove(join(folder, name));
  }
}

function namesIn(folder: string): string[] {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    return files.map(({ name }) => name);
  } catch (error) {
    throw new BackupRefused(`cannot read ${folder}: ${wordsFor(error)}`);
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw new BackupRefused(`cannot remove ${path}: ${wordsFor(error)}`);
  }
}

/** Removes an unfinished backup as far as possible. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // If nothing can be removed, nothing was created.
  }
}

async function* tarOf({ manifest, members }: StagedBackup, onBytes: (done: number) => void): Chunks {
  const modifiedAtSeconds = Math.floor(Date.parse(manifest.created_at) / SECOND_MS);
  const listed = members.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  const head = manifestBytes(manifest, listed);
  // A backup that a restore would reject must not be created.
  manifestIn(head, MIGRATIONS.length);
  yield tarHeader({ name: MANIFEST_FILE, bytes: head.length, modifiedAtSeconds, isPrivate: true });
  yield head;
  yield paddingAfter(head.length);
  let done = 0;
  for (const { name, bytes, chunks } of members) {
    yield tarHeader({ name, bytes, modifiedAtSeconds, isPrivate: true });
    for (const chunk of chunks()) {
      yield chunk;
      done += chunk.length;
      onBytes(done);
    }
    yield paddingAfter(bytes);
  }
  yield END;
}

function refuseTaken(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new BackupRefused(`${path} already exists. Use another name`);
}

function refuseWithoutRoom(folder: string, bytes: number): void {
  const lack = lackOfRoom(folder, bytes + SPARE_BYTES);
  if (lack !== undefined)
    throw new BackupRefused(`${lack}. Free some space, or use another directory with --to`);
}
