import { FeedRefused, malformed } from '../feed-refused.ts';
import type { FeedLimits } from '../limits.ts';
import type { FeedFile, View } from './feed-file.ts';

/** A member according to the central directory. */
export interface ZipMember {
  readonly name: string;
  /** 0 = stored, 8 = deflate. */
  readonly method: number;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly expandedBytes: number;
  /** Offset of its local header. */
  readonly position: number;
}

interface Directory {
  /** Without ZIP64 a 16-bit field, which some writers let overflow. */
  readonly members: number;
  readonly isZip64: boolean;
  readonly bytes: number;
  readonly position: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 0xffff;
const END_64 = 0x06064b50;
const END_64_BYTES = 56;
const LOCATOR_64 = 0x07064b50;
const LOCATOR_64_BYTES = 20;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const ENTRY_BYTES_MAX = ENTRY_BYTES + 3 * 0xffff;
/** Marks a value that is stored in the ZIP64 field. */
const IN_64 = 0xffffffff;
const ENCRYPTED = 1;

/**
 * The members of a zip archive by its central directory (PKWARE APPNOTE 4.3). Local headers are not sufficient: archives written
 * as a stream, such as OSV's, do not state the sizes there.
 */
export function* zipMembers(file: FeedFile, limits: FeedLimits): Generator<ZipMember> {
  const view = file.window();
  const directory = directoryOf(file.bytes, view);
  const end = directory.position + directory.bytes;
  let at = directory.position;
  let members = 0;
  let compressedBytes = 0;
  while (at < end) {
    members += 1;
    if (members > limits.members)
      throw new FeedRefused(
        'too_large',
        `The archive has more than ${limits.members} members. Do not use it.`,
      );
    const { member, length } = entryIn(dataView(view(at, Math.min(ENTRY_BYTES_MAX, end - at))));
    compressedBytes += member.compressedBytes;
    if (member.position + member.compressedBytes > directory.position || compressedBytes > directory.position)
      throw malformed('Members of the archive overlap or extend beyond it');
    yield member;
    at += length;
  }
  const counted = directory.isZip64 ? members : members & 0xffff;
  if (counted !== directory.members) throw malformed('The directory of the archive is inconsistent');
}

/** Finds the end record, which is followed only by a comment of at most 64 KiB. */
function directoryOf(bytes: number, view: View): Directory {
  const tailBytes = Math.min(bytes, END_BYTES + COMMENT_BYTES_MAX);
  const tail = dataView(view(bytes - tailBytes, tailBytes));
  for (let at = tailBytes - END_BYTES; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== END) continue;
    if (at + END_BYTES + tail.getUint16(at + 20, true) !== tailBytes) continue;
    const position = bytes - tailBytes + at;
    const directory = {
      members: tail.getUint16(at + 10, true),
      isZip64: false,
      bytes: tail.getUint32(at + 12, true),
      position: tail.getUint32(at + 16, true),
    };
    return checked(zip64Directory(view, position) ?? directory, position);
  }
  throw new FeedRefused('truncated', 'The archive is damaged or truncated. Download it again.');
}

/** Reads the ZIP64 end record through its locator, which directly precedes the end record. */
function zip64Directory(view: View, endPosition: number): Directory | undefined {
  if (endPosition < LOCATOR_64_BYTES + END_64_BYTES) return undefined;
  const locator = dataView(view(endPosition - LOCATOR_64_BYTES, LOCATOR_64_BYTES));
  if (locator.getUint32(0, true) !== LOCATOR_64) return undefined;
  const position = uint64(locator, 8);
  if (position > endPosition - END_64_BYTES)
    throw malformed('The directory of the archive points outside the file');
  const record = dataView(view(position, END_64_BYTES));
  if (record.getUint32(0, true) !== END_64) throw malformed('The archive has no directory');
  return {
    members: uint64(record, 32),
    isZip64: true,
    bytes: uint64(record, 40),
    position: uint64(record, 48),
  };
}

function checked(directory: Directory, endPosition: number): Directory {
  if (directory.position + directory.bytes > endPosition)
    throw malformed('The directory of the archive points outside the file, or data was prepended');
  return directory;
}

function entryIn(view: DataView): { member: ZipMember; length: number } {
  if (view.byteLength < ENTRY_BYTES || view.getUint32(0, true) !== ENTRY)
    throw malformed('The directory of the archive is damaged');
  const [nameBytes, extraBytes] = [view.getUint16(28, true), view.getUint16(30, true)];
  const length = ENTRY_BYTES + nameBytes + extraBytes + view.getUint16(32, true);
  if (length > view.byteLength) throw malformed('The directory of the archive is damaged');
  if ((view.getUint16(8, true) & ENCRYPTED) !== 0)
    throw new FeedRefused('unrecognised', 'The archive is encrypted. Unpack it first.');
  const name = new Uint8Array(view.buffer, view.byteOffset + ENTRY_BYTES, nameBytes);
  const extra = new DataView(view.buffer, view.byteOffset + ENTRY_BYTES + nameBytes, extraBytes);
  const [expandedBytes, compressedBytes, position] = zip64Fields(extra, [
    view.getUint32(24, true),
    view.getUint32(20, true),
    view.getUint32(42, true),
  ]);
  return {
    member: {
      name: new TextDecoder().decode(name),
      method: view.getUint16(10, true),
      crc32: view.getUint32(16, true),
      compressedBytes,
      expandedBytes,
      position,
    },
    length,
  };
}

type Fields = [expandedBytes: number, compressedBytes: number, position: number];

/** Reads the values that do not fit into the entry from its ZIP64 field, where they are in this order (APPNOTE 4.5.3). */
function zip64Fields(extra: DataView, fields: Fields): Fields {
  if (!fields.includes(IN_64)) return fields;
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== 1) continue;
    let from = at + 4;
    const next = (): number => {
      if (from + 8 > extra.byteLength) throw malformed('The directory of the archive is damaged');
      from += 8;
      return uint64(extra, from - 8);
    };
    return fields.map((field) => (field === IN_64 ? next() : field)) as Fields;
  }
  throw malformed('The directory of the archive is damaged');
}

/** Reads a 64-bit number. Precision is lost above 2^53, but such values exceed any file and are refused. */
const uint64 = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

const dataView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
