import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { flush } from '../../lib/lay-file.ts';
import { BLOCK_BYTES, END, paddingAfter, type TarHeader, tarHeaderIn } from '../../lib/tar.ts';
import { writeBytes } from '../../lib/write-all.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { lackOfRoom } from '../engine/room.ts';
import type { BackupFile } from './backup-file.ts';
import { BackupRefused, NoPlaceForCopy } from './backup-refused.ts';
import { ByteReader } from './byte-reader.ts';
import { MANIFEST_BYTES_MAX, MANIFEST_FILE, type Manifest, manifestIn, notOurs } from './manifest.ts';

/** What must stay free in addition to the unpacked files. */
const SPARE_BYTES = 32 * 1024 * 1024;

export interface UnpackOptions {
  /** Receives the bytes written so far, and the total. */
  readonly onBytes?: ((done: number, all: number) => void) | undefined;
  /** Rejects a backup by its manifest, before any file is written. */
  readonly refuse?: (manifest: Manifest) => void;
}

/**
 * Unpacks a backup into an empty directory, each file with mode 0600 and on disk, if it is complete and undamaged. The caller
 * removes the directory, also after an error.
 *
 * @throws BackupRefused
 */
export async function unpackBackup(
  file: BackupFile,
  directory: string,
  { onBytes, refuse }: UnpackOptions = {},
): Promise<Manifest> {
  const reader = new ByteReader(await file.contents());
  try {
    const manifest = await readManifest(file, reader);
    refuse?.(manifest);
    const all = manifest.members.reduce((sum, { bytes }) => sum + bytes, 0);
    // An encrypted file, too, is longer than its content.
    if (all > file.bytes) throw truncated();
    refuseWithoutRoom(directory, all);
    let done = 0;
    for (const member of manifest.members) {
      await writeMember(reader, member, join(directory, member.name), (bytes) => {
        done += bytes;
        onBytes?.(done, all);
      });
    }
    await expectBytes(reader, END);
    if (await reader.hasMore()) throw unlisted();
    return manifest;
  } finally {
    await reader.close();
  }
}

async function readManifest(file: BackupFile, reader: ByteReader): Promise<Manifest> {
  if (file.bytes < BLOCK_BYTES) throw notOurs();
  const header = tarHeaderIn((await reader.take(BLOCK_BYTES)) ?? new Uint8Array(BLOCK_BYTES));
  if (header?.name !== MANIFEST_FILE || header.bytes > MANIFEST_BYTES_MAX) throw notOurs();
  const bytes = await reader.take(header.bytes);
  if (bytes === undefined) throw truncated();
  const manifest = manifestIn(bytes, MIGRATIONS.length);
  await expectBytes(reader, paddingAfter(header.bytes));
  return manifest;
}

async function writeMember(
  reader: ByteReader,
  { name, bytes, sha256 }: Manifest['members'][number],
  path: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const header = await headerOf(reader);
  if (header.name !== name || header.bytes !== bytes) throw unlisted();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const to = openSync(path, 'wx', 0o600);
  const hash = createHash('sha256');
  try {
    const isWhole = await reader.pass(bytes, (chunk) => {
      hash.update(chunk);
      writeBytes(to, chunk);
      onBytes(chunk.length);
    });
    if (!isWhole) throw truncated();
  } finally {
    closeSync(to);
  }
  if (hash.digest('hex') !== sha256)
    throw new BackupRefused(`${name} in it was changed after the backup. Use another backup`);
  flush(path);
  await expectBytes(reader, paddingAfter(bytes));
}

async function headerOf(reader: ByteReader): Promise<TarHeader> {
  const block = await reader.take(BLOCK_BYTES);
  if (block === undefined) throw truncated();
  const header = tarHeaderIn(block);
  if (header === undefined) throw unlisted();
  return header;
}

async function expectBytes(reader: ByteReader, expected: Uint8Array): Promise<void> {
  const found = await reader.take(expected.length);
  if (found === undefined) throw truncated();
  if (expected.some((byte, at) => byte !== found[at])) throw unlisted();
}

function refuseWithoutRoom(directory: string, bytes: number): void {
  const lack = lackOfRoom(dirname(directory), bytes + SPARE_BYTES);
  if (lack !== undefined) throw new NoPlaceForCopy(`cannot check it: ${lack}. Free some space`);
}

const truncated = () => new BackupRefused('it is truncated. Copy it again, or use another backup');

const unlisted = () =>
  new BackupRefused('it contains files that its manifest does not list. Use another backup');
