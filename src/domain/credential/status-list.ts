import { deflateSync, inflateSync } from 'node:zlib';
import { SignJWT } from 'jose';
import { SECOND_MS } from '../../lib/clock.ts';
import { issuerOf, statusListUri } from './claims.ts';
import { STATUS_LIST_VALID_MS } from './issuer-keys.ts';
import { type SigningKey, STATUS_LIST_TYP } from './signing.ts';

// Revoked credentials by the IETF's Token Status List: a bit each, the lowest of a byte first, deflated with the header of
// zlib, in base64url.

/** How many credentials share a list: a lookup reveals only that it concerns one of them. */
export const STATUS_LIST_SIZE = 131_072;
/** How long a verifier may cache a list. */
const TTL_MS = 3_600 * SECOND_MS;
/** What a list may inflate to: 2^20 places, the largest of the draft's own examples. */
const INFLATED_BYTES_MAX = 128 * 1_024;
const BITS_PER_BYTE = 8;

/**
 * Encodes a list with some places revoked.
 *
 * @throws RangeError for a place beyond the list
 */
export function encodeStatusList(revoked: Iterable<number>): string {
  const bits = new Uint8Array(STATUS_LIST_SIZE / BITS_PER_BYTE);
  for (const index of revoked) {
    if (!Number.isInteger(index) || index < 0 || index >= STATUS_LIST_SIZE)
      throw new RangeError('a status list has no such place');
    const byte = Math.floor(index / BITS_PER_BYTE);
    bits[byte] = (bits[byte] ?? 0) | (1 << (index % BITS_PER_BYTE));
  }
  return deflateSync(bits, { level: 9 }).toString('base64url');
}

/**
 * Whether a place of a list is revoked.
 *
 * @param lst from any source; content that inflates to more than 128 KiB is malformed
 */
export function statusAt(lst: string, index: number): boolean | 'malformed' | 'out_of_bounds' {
  const bits = inflated(lst);
  if (bits === undefined) return 'malformed';
  const byte = Number.isInteger(index) && index >= 0 ? bits[Math.floor(index / BITS_PER_BYTE)] : undefined;
  return byte === undefined ? 'out_of_bounds' : ((byte >> (index % BITS_PER_BYTE)) & 1) === 1;
}

interface StatusListStatement {
  readonly issuer: string;
  readonly listId: number;
  /** Milliseconds since the Unix epoch. */
  readonly issuedAt: number;
  /** See {@link encodeStatusList}. */
  readonly lst: string;
  readonly key: SigningKey;
}

/** Signs a list, for seven days. */
export function signStatusList({ issuer, listId, issuedAt, lst, key }: StatusListStatement): Promise<string> {
  const iat = Math.floor(issuedAt / SECOND_MS);
  return new SignJWT({
    iss: issuerOf(issuer),
    sub: statusListUri(issuer, listId),
    iat,
    exp: iat + STATUS_LIST_VALID_MS / SECOND_MS,
    ttl: TTL_MS / SECOND_MS,
    status_list: { bits: 1, lst },
  })
    .setProtectedHeader({ alg: 'ES256', typ: STATUS_LIST_TYP, kid: key.kid })
    .sign(key.privateKey);
}

/** Undefined for an invalid list. */
function inflated(lst: string): Buffer | undefined {
  try {
    return inflateSync(Buffer.from(lst, 'base64url'), { maxOutputLength: INFLATED_BYTES_MAX });
  } catch {
    return undefined;
  }
}
