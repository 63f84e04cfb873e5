import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * A number in base 62, most significant digit first, left-padded with `0` to a fixed width.
 * @throws RangeError when the value does not fit the width
 */
export function base62(value: bigint, width: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < width; i++) {
    text = DIGITS.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  if (value < 0n || rest !== 0n) throw new RangeError(`the value does not fit ${width} base62 characters`);
  return text;
}

/** Bytes, read as one big-endian number, in base 62. */
export function base62Bytes(bytes: Uint8Array, width: number): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return base62(value, width);
}

const CHECKSUM_CHARACTERS = 6;

/** The CRC-32 of a text in base 62: always 6 characters. */
export const base62Checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_CHARACTERS);
