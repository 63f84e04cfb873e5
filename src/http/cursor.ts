import { createCipheriv, createDecipheriv } from 'node:crypto';
import { refuse } from '../domain/refusal.ts';

// A position reveals how many rows all tenants have, so it is encrypted: one AES block of eight zero bytes and the position.

const CIPHER = 'aes-128-ecb';
const BLOCK_BYTES = 16;
const POSITION_AT = 8;

/** 16 bytes in base64url, without padding. */
export const CURSOR = /^[A-Za-z0-9_-]{21}[AQgw]$/;

/**
 * Encrypts the position of the next page of a list. Cursors grant no access; the license key alone determines the tenant.
 *
 * @param key specific to this list and tenant
 */
export function encodeCursor(key: Uint8Array, position: number): string {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.writeBigUInt64BE(BigInt(position), POSITION_AT);
  return createCipheriv(CIPHER, key, null).setAutoPadding(false).update(block).toString('base64url');
}

/** @throws Refusal for a cursor that was not created for this list and tenant */
export function decodeCursor(key: Uint8Array, cursor: string): number {
  // The decoder would ignore characters outside base64url.
  if (CURSOR.test(cursor)) {
    const sealed = Buffer.from(cursor, 'base64url');
    const block = createDecipheriv(CIPHER, key, null).setAutoPadding(false).update(sealed);
    if (block.readBigUInt64BE(0) === 0n) return Number(block.readBigUInt64BE(POSITION_AT));
  }
  throw refuse(
    'INVALID_QUERY',
    'cursor: is not a cursor of this list. Omit it to start from the first page.',
  );
}
