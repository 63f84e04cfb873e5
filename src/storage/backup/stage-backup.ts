import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../lib/fault.ts';
import { DataDirectoryUnusable, databasePath, installationKeyPath } from '../engine/data-directory.ts';
import { disconnect } from '../engine/database.ts';
import { lackOfRoom } from '../engine/room.ts';
import { connect, withClient } from '../engine/sqlite/database.ts';
import { compactBytes } from '../engine/sqlite/migration-copy.ts';
import { wordsFor } from '../engine/trouble.ts';
import { BackupRefused } from './backup-refused.ts';
import { type DatabaseContents, lookThrough } from './database-contents.ts';
import { DATABASE_MEMBER, KEY_MEMBER, type NewManifest, SETTINGS_MEMBER } from './manifest.ts';
import {
  EVIDENCE_HEAD,
  leftOutOf,
  madeNow,
  ofBytes,
  type StagedMember,
  signingFiles,
} from './staged-members.ts';

/** What must stay free on the disk of the data directory, in addition to the copy. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** One state of an installation, ready to be written into a backup. */
export interface StagedBackup {
  readonly manifest: NewManifest;
  readonly members: readonly StagedMember[];
  /** The paths of files next to the keys that are not keys. */
  readonly leftOut: readonly string[];
  close(): void;
}

export interface StageOptions {
  readonly dataDir: string;
  /** Of the settings, without secrets. */
  readonly settings: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Receives the phase that begins, and its size in bytes. */
  readonly onPhase?: ((phase: 'copying' | 'checking', bytes: number) => void) | undefined;
}

/**
 * Copies the database, next to a running server, and collects its other files. The caller has the lock of backups. The open
 * copy has no name, so nothing of it stays however this process ends.
 *
 * @throws BackupRefused, Fault
 */
export async function stageBackup({ dataDir, settings, now, onPhase }: StageOptions): Promise<StagedBackup> {
  const directory = join(dataDir, 'backup.partial');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  const copy = join(directory, DATABASE_MEMBER);
  try {
    // The signed head is read before the logs: a head that signs more than the copy contains would end the logs.
    const head = signingFiles(dataDir, (name) => name === EVIDENCE_HEAD);
    onPhase?.('copying', refuseWithoutRoom(dataDir));
    withClient(databasePath(dataDir), 'read', (client) => client.prepare('VACUUM INTO ?').run(copy));
    onPhase?.('checking', statSync(copy).size);
    const manifest = await manifestOf(dataDir, lookThrough(copy), now);
    const keys = signingFiles(dataDir, (name) => name !== EVIDENCE_HEAD);
    const key = installationKeyPath(dataDir);
    const fd = openSync(copy, 'r');
    const members = [
      ofFile(DATABASE_MEMBER, fd, statSync(copy).size),
      ...(existsSync(key) ? [ofBytes(KEY_MEMBER, readFileSync(key))] : []),
      ofBytes(SETTINGS_MEMBER, Buffer.from(settings)),
      ...keys,
      ...head,
    ];
    return { manifest, members, leftOut: leftOutOf(dataDir), close: () => closeSync(fd) };
  } catch (error) {
    if (error instanceof Fault || error instanceof DataDirectoryUnusable) throw error;
    throw new BackupRefused(`cannot copy the database: ${wordsFor(error)}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function manifestOf(
  dataDir: string,
  { version, counts }: DatabaseContents,
  now: number,
): Promise<NewManifest> {
  const db = connect(databasePath(dataDir));
  try {
    return { ...(await madeNow(db, now)), schema_version: version, counts };
  } finally {
    await disconnect(db);
  }
}

function ofFile(name: string, fd: number, bytes: number): StagedMember {
  const chunks = () => chunksOf(fd, bytes);
  const hash = createHash('sha256');
  for (const chunk of chunks()) hash.update(chunk);
  return { name, bytes, sha256: hash.digest('hex'), chunks };
}

const CHUNK_BYTES = 1024 * 1024;

function* chunksOf(fd: number, bytes: number): Generator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let at = 0; at < bytes; ) {
    const read = readSync(fd, buffer, 0, buffer.length, at);
    if (read === 0) throw new BackupRefused('the copy of the database was interrupted. Try again');
    at += read;
    yield buffer.subarray(0, read);
  }
}

/** @returns how many bytes the copy will have */
function refuseWithoutRoom(dataDir: string): number {
  const bytes = withClient(databasePath(dataDir), 'read', compactBytes);
  const lack = lackOfRoom(dataDir, bytes + SPARE_BYTES);
  if (lack === undefined) return bytes;
  throw new BackupRefused(`cannot copy the database: ${lack}. Free some space`);
}
