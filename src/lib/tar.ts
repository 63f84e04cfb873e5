// A bundle is a tar, so that any host can look into it, and the plainest one: ustar (POSIX.1-1988), ordinary files only, every
// header as it is written here. A tar is read from the front to the back in one way only. A zip tells each member twice, in its
// header and in its directory, and from 4 GiB on a third time; readers differ by which of them they believe.

/** Headers and members begin at multiples of this. */
export const BLOCK_BYTES = 512;
/** Two empty blocks end a tar. */
export const END: Uint8Array = new Uint8Array(2 * BLOCK_BYTES);
/** What eleven octal digits can tell: 8 GiB less one byte. */
export const MEMBER_BYTES_MAX = 0o77777777777;

/** A member's header. */
export interface TarHeader {
  /** ASCII, 1 to 100 characters. */
  readonly name: string;
  /** At most {@link MEMBER_BYTES_MAX}. */
  readonly bytes: number;
  /** In seconds since the Unix epoch, 0 or later. */
  readonly modifiedAtSeconds: number;
}

export function tarHeader({ name, bytes, modifiedAtSeconds }: TarHeader): Uint8Array {
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0, 100, 'latin1');
  // Mode, owner and group, size, time, a sum of blanks, the type.
  header.write(
    `0000644\x000000000\x000000000\0${octal(bytes, 11)}\0${octal(modifiedAtSeconds, 11)}\0        0`,
    100,
  );
  header.write('ustar\x0000', 257);
  header.write('0000000\x000000000', 329);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

/** Reads a header; undefined for what is none, or is not as it is written here. */
export function tarHeaderIn(block: Uint8Array): TarHeader | undefined {
  const field = (position: number, length: number): string =>
    Buffer.from(block.subarray(position, position + length))
      .toString('latin1')
      .replace(/\0.*$/s, '');
  const header = {
    name: field(0, 100),
    bytes: Number.parseInt(field(124, 12), 8),
    modifiedAtSeconds: Number.parseInt(field(136, 12), 8),
  };
  if (header.name === '' || Number.isNaN(header.bytes) || Number.isNaN(header.modifiedAtSeconds))
    return undefined;
  return tarHeader(header).every((byte, at) => byte === block[at]) ? header : undefined;
}

/** The empty bytes that follow a member of this size. */
export const paddingAfter = (bytes: number): Uint8Array =>
  END.subarray(0, (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES);

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
