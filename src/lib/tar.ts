// Bundles and backups are tar archives, which any host can list, in the simplest form: ustar (POSIX.1-1988), only regular files,
// and every header exactly as it is written here. Sizes beyond ustar's limit are encoded like GNU tar does. A tar has a single
// reading. A zip has the data of each member twice, in its header and in its directory, and a third time from 4 GiB on; readers
// differ in which of them they use.

/** Headers and members begin at multiples of this. */
export const BLOCK_BYTES = 512;
/** A tar ends with two empty blocks. */
export const END: Uint8Array = new Uint8Array(2 * BLOCK_BYTES);
/** The largest size of eleven octal digits: 8 GiB less one byte. All tar readers support sizes up to this. */
export const MEMBER_BYTES_MAX = 0o77777777777;

interface Member {
  /** ASCII, 1 to 100 characters. */
  readonly name: string;
  /** A safe integer. */
  readonly bytes: number;
  /** In seconds since the Unix epoch, 0 or later. */
  readonly modifiedAtSeconds: number;
}

/** A member's header. */
export interface TarHeader extends Member {
  /** Whether only the owner may read the extracted file. */
  readonly isPrivate?: boolean;
}

/** Members of packages and images, which also contain programs, folders and other owners. These are only written, never read. */
export interface PackageHeader extends Member {
  readonly kind: 'file' | 'program' | 'folder';
  /** For folders that do not belong to root, such as the volume of an image. */
  readonly access?: Access;
}

export interface Access {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

const SIZE_AT = 124;
const SIZE_BYTES = 12;
/** Marks a binary number (GNU tar, "base-256 encoding"). */
const BINARY = 0x80;

export const tarHeader = ({ isPrivate = false, ...member }: TarHeader): Uint8Array =>
  headerOf(member, accessOfRoot(isPrivate ? 0o600 : 0o644), '0');

export const packageHeader = ({ kind, access, ...member }: PackageHeader): Uint8Array =>
  headerOf(member, access ?? accessOfRoot(kind === 'file' ? 0o644 : 0o755), kind === 'folder' ? '5' : '0');

const accessOfRoot = (mode: number): Access => ({ mode, uid: 0, gid: 0 });

function headerOf(
  { name, bytes, modifiedAtSeconds }: Member,
  { mode, uid, gid }: Access,
  type: string,
): Uint8Array {
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0, 100, 'latin1');
  // Mode, owner and group, size, time, a sum of blanks, the type.
  header.write(
    `${octal(mode, 7)}\0${octal(uid, 7)}\0${octal(gid, 7)}\0${octal(bytes > MEMBER_BYTES_MAX ? 0 : bytes, 11)}\0${octal(modifiedAtSeconds, 11)}\0        ${type}`,
    100,
  );
  if (bytes > MEMBER_BYTES_MAX) {
    header.fill(0, SIZE_AT, SIZE_AT + SIZE_BYTES);
    header[SIZE_AT] = BINARY;
    header.writeBigUInt64BE(BigInt(bytes), SIZE_AT + SIZE_BYTES - 8);
  }
  header.write('ustar\x0000', 257);
  header.write('0000000\x000000000', 329);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

/** Parses a header; undefined if it differs from what {@link tarHeader} writes. */
export function tarHeaderIn(block: Uint8Array): TarHeader | undefined {
  const field = (position: number, length: number): string =>
    Buffer.from(block.subarray(position, position + length))
      .toString('latin1')
      .replace(/\0.*$/s, '');
  const header = {
    name: field(0, 100),
    bytes:
      block[SIZE_AT] === BINARY
        ? Number(Buffer.from(block).readBigUInt64BE(SIZE_AT + SIZE_BYTES - 8))
        : Number.parseInt(field(SIZE_AT, SIZE_BYTES), 8),
    modifiedAtSeconds: Number.parseInt(field(136, 12), 8),
    ...(field(100, 8) === '0000600' ? { isPrivate: true } : {}),
  };
  if (header.name === '' || !Number.isSafeInteger(header.bytes) || Number.isNaN(header.modifiedAtSeconds))
    return undefined;
  return tarHeader(header).every((byte, at) => byte === block[at]) ? header : undefined;
}

/** The padding after a member of this size. */
export const paddingAfter = (bytes: number): Uint8Array =>
  END.subarray(0, (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES);

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
