import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { iso } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { COMMIT, VERSION } from '../../lib/version.ts';
import {
  DataDirectoryUnusable,
  databasePath,
  installationKeyPath,
  orUnusable,
} from '../engine/data-directory.ts';
import { disconnect } from '../engine/database.ts';
import { lackOfRoom } from '../engine/room.ts';
import { connect, withClient } from '../engine/sqlite/database.ts';
import { compactBytes } from '../engine/sqlite/migration-copy.ts';
import { wordsFor } from '../engine/trouble.ts';
import { readMirrorState } from '../mirror-state.ts';
import { signingDirectory } from '../signing-directory.ts';
import { BackupRefused } from './backup-refused.ts';
import { type DatabaseContents, lookThrough } from './database-contents.ts';
import {
  DATABASE_MEMBER,
  isMemberName,
  KEY_MEMBER,
  type NewManifest,
  SETTINGS_MEMBER,
  SIGNING_FOLDER,
} from './manifest.ts';

/** What must stay free on the disk of the data directory, beside the copy. */
const SPARE_BYTES = 64 * 1024 * 1024;
const SIGNING_BYTES_MAX = 256 * 1024 * 1024;
const EVIDENCE_HEAD = 'evidence.head';

export interface StagedMember {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Its bytes, in pieces that are valid until the next. */
  chunks(): Iterable<Uint8Array>;
}

/** One state of an installation, to be written into a backup. */
export interface StagedBackup {
  readonly manifest: NewManifest;
  readonly members: readonly StagedMember[];
  /** The paths of files beside the keys that are none. */
  readonly leftOut: readonly string[];
  close(): void;
}

export interface StageOptions {
  readonly dataDir: string;
  /** Of the settings, without secrets. */
  readonly settings: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Is told what begins, and how many bytes it is about. */
  readonly onPhase?: ((phase: 'copying' | 'checking', bytes: number) => void) | undefined;
}

/**
 * Takes a copy of the database, beside a running server, and what belongs to it. Whoever stages holds the lock of backups. The copy has
 * no name once it is open, so nothing of it stays however this process ends.
 *
 * @throws BackupRefused, Fault
 */
export async function stageBackup({ dataDir, settings, now, onPhase }: StageOptions): Promise<StagedBackup> {
  const directory = join(dataDir, 'backup.partial');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  const copy = join(directory, DATABASE_MEMBER);
  try {
    // What was signed of the logs is read before the logs: signed of what the copy lacks, it would end them.
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
    throw new BackupRefused(`the database cannot be copied, because ${wordsFor(error)}`);
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
    const { current, kept } = await readMirrorState(db)();
    return {
      created_at: iso(now),
      version: VERSION,
      commit: COMMIT,
      schema_version: version,
      counts,
      mirror: { current, kept: kept.map(({ id, importedAt }) => ({ id, imported_at: iso(importedAt) })) },
    };
  } finally {
    await disconnect(db);
  }
}

/** The files of keys that sign, and the marks beside them, by their names in a backup. */
function signingFiles(dataDir: string, isWanted: (name: string) => boolean): StagedMember[] {
  const directory = signingDirectory(dataDir);
  return namesIn(directory).flatMap((name) => {
    if (!isMemberName(SIGNING_FOLDER + name) || !isWanted(name)) return [];
    const path = join(directory, name);
    try {
      const { size } = statSync(path);
      if (size > SIGNING_BYTES_MAX)
        throw new BackupRefused(`${path} is no key, for it is too large: move it away`);
      return [ofBytes(SIGNING_FOLDER + name, readFileSync(path))];
    } catch (error) {
      // The server has removed it meanwhile.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      if (error instanceof BackupRefused) throw error;
      throw new BackupRefused(`${path} cannot be read, because ${wordsFor(error)}`);
    }
  });
}

/** What lies there and could not be put back, such as an editor's copy. */
const leftOutOf = (dataDir: string): string[] =>
  namesIn(signingDirectory(dataDir))
    .filter((name) => !isMemberName(SIGNING_FOLDER + name))
    .map((name) => join(signingDirectory(dataDir), name));

/** The names of files, or links to such; those that are being made are none yet. */
function namesIn(directory: string): string[] {
  const isFile = (name: string) => statSync(join(directory, name), { throwIfNoEntry: false })?.isFile();
  if (!existsSync(directory)) return [];
  return orUnusable(`${directory} cannot be read`, () => readdirSync(directory)).filter(
    (name) => !name.endsWith('.partial') && isFile(name),
  );
}

function ofBytes(name: string, bytes: Uint8Array): StagedMember {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, bytes: bytes.length, sha256, chunks: () => [bytes] };
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
    if (read === 0) throw new BackupRefused('the copy of the database was cut off: try again');
    at += read;
    yield buffer.subarray(0, read);
  }
}

/** @returns how many bytes the copy will have */
function refuseWithoutRoom(dataDir: string): number {
  const bytes = withClient(databasePath(dataDir), 'read', compactBytes);
  const lack = lackOfRoom(dataDir, bytes + SPARE_BYTES);
  if (lack === undefined) return bytes;
  throw new BackupRefused(`the database cannot be copied, for ${lack}: free some room`);
}
