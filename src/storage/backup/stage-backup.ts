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
  statfsSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { iso } from '../../lib/clock.ts';
import { COMMIT, VERSION } from '../../lib/version.ts';
import { databasePath, installationKeyPath } from '../engine/data-directory.ts';
import { connect, disconnect, withClient } from '../engine/database.ts';
import { wordsFor } from '../engine/trouble.ts';
import { readMirrorState } from '../mirror-state.ts';
import { signingDirectory } from '../signing-directory.ts';
import { BackupRefused } from './backup-refused.ts';
import { type DatabaseContents, lookThrough } from './database-contents.ts';
import {
  DATABASE_MEMBER,
  KEY_MEMBER,
  type NewManifest,
  SETTINGS_MEMBER,
  SIGNING_FOLDER,
} from './manifest.ts';

/** What must stay free on the disk of the data directory, beside the copy. */
const SPARE_BYTES = 64 * 1024 * 1024;
const MB = 1_000_000;
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
    const head = signingFiles(dataDir).filter(({ name }) => name === SIGNING_FOLDER + EVIDENCE_HEAD);
    onPhase?.('copying', refuseWithoutRoom(dataDir));
    withClient(databasePath(dataDir), 'read', (client) => client.prepare('VACUUM INTO ?').run(copy));
    onPhase?.('checking', statSync(copy).size);
    const manifest = await manifestOf(dataDir, lookThrough(copy), now);
    const keys = signingFiles(dataDir).filter(({ name }) => name !== SIGNING_FOLDER + EVIDENCE_HEAD);
    const key = installationKeyPath(dataDir);
    const fd = openSync(copy, 'r');
    const members = [
      ofFile(DATABASE_MEMBER, fd, statSync(copy).size),
      ...(existsSync(key) ? [ofBytes(KEY_MEMBER, readFileSync(key))] : []),
      ofBytes(SETTINGS_MEMBER, Buffer.from(settings)),
      ...keys,
      ...head,
    ];
    return { manifest, members, close: () => closeSync(fd) };
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
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
    disconnect(db);
  }
}

/** The files of keys that sign, and the marks beside them. */
function signingFiles(dataDir: string): StagedMember[] {
  const directory = signingDirectory(dataDir);
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.partial'))
    .map(({ name }) => name);
  return names.flatMap((name) => {
    const path = join(directory, name);
    const { size } = statSync(path, { throwIfNoEntry: false }) ?? {};
    // The server has removed it meanwhile.
    if (size === undefined) return [];
    if (size > SIGNING_BYTES_MAX)
      throw new BackupRefused(`${path} is no key, for it is too large: move it away`);
    return [ofBytes(SIGNING_FOLDER + name, readFileSync(path))];
  });
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
  const ask = (pragma: string) =>
    withClient(databasePath(dataDir), 'read', (client) =>
      Number(Object.values(client.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]),
    );
  const bytes = (ask('page_count') - ask('freelist_count')) * ask('page_size');
  const { bavail, bsize } = statfsSync(dataDir);
  const [needed, free] = [bytes + SPARE_BYTES, bavail * bsize];
  if (free >= needed) return bytes;
  throw new BackupRefused(
    `${Math.ceil(needed / MB)} MB must be free on the disk of ${dataDir} for a copy of the database, and ${Math.floor(free / MB)} MB are: free some room`,
  );
}
