const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS = 5;

/** Encodes bytes in base 32 without padding, by default with the alphabet of RFC 4648. */
export function base32(bytes: Uint8Array, digits = ALPHABET): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => digits.charAt(Number.parseInt(group.padEnd(BITS, '0'), 2))).join('');
}
