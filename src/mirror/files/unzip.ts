import { crc32, inflateRawSync } from 'node:zlib';
import { FeedRefused, malformed } from '../feed-refused.ts';
import type { FeedLimits } from '../limits.ts';
import type { Expansion } from './expansion.ts';
import type { FeedFile, View } from './feed-file.ts';
import { inflated, refusalOf } from './inflate.ts';
import { type ZipMember, zipMembers } from './zip-directory.ts';

/** Chunks of a member; each is valid until the next. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** Members up to this size are expanded synchronously, which is ten times as fast for archives of small members. */
const SYNCHRONOUS_BYTES_MAX = 1_024 * 1_024;

/** The contents of a zip archive's members, without directories. Verifies lengths and checksums. */
export function* unzipped(file: FeedFile, limits: FeedLimits, expansion: Expansion): Generator<Chunks> {
  const view = file.window();
  for (const member of zipMembers(file, limits)) {
    if (!member.name.endsWith('/')) yield contentsOf(file, view, member, expansion);
  }
}

function contentsOf(file: FeedFile, view: View, member: ZipMember, expansion: Expansion): Chunks {
  const { method, compressedBytes, expandedBytes } = member;
  if (method !== STORED && method !== DEFLATED)
    throw new FeedRefused('unrecognised', 'The archive uses an unsupported compression. Unpack it first.');
  const local = view(member.position, LOCAL_BYTES);
  const header = new DataView(local.buffer, local.byteOffset, LOCAL_BYTES);
  if (header.getUint32(0, true) !== LOCAL)
    throw malformed('The archive lacks a member that its directory lists');
  const from = member.position + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  if (method === DEFLATED && Math.max(compressedBytes, expandedBytes) <= SYNCHRONOUS_BYTES_MAX)
    return [inflatedSynchronously(view(from, compressedBytes), member, expansion)];
  const chunks = file.chunks(from, from + compressedBytes);
  return verified(method === STORED ? expansion.plain(chunks) : inflated(chunks, expansion), member);
}

function inflatedSynchronously(compressed: Uint8Array, member: ZipMember, expansion: Expansion): Uint8Array {
  const contents = attempt(() => inflateRawSync(compressed, { maxOutputLength: member.expandedBytes + 1 }));
  expansion.read(compressed.length);
  expansion.expand(contents.length);
  assertContents(member, contents.length, crc32(contents));
  return contents;
}

async function* verified(chunks: Chunks, member: ZipMember): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let checksum = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  assertContents(member, bytes, checksum);
}

function assertContents(member: ZipMember, bytes: number, checksum: number): void {
  if (bytes !== member.expandedBytes || checksum !== member.crc32)
    throw malformed('A member of the archive is damaged');
}

function attempt<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw refusalOf(error);
  }
}
