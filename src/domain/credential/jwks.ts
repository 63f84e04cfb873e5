import { parseStrictJson } from '../../lib/strict-json.ts';
import { isObject } from './jws.ts';
import { kidOf } from './signing.ts';
import type { VerificationKey } from './verify.ts';

/** A key set has three levels. */
const DEPTH_MAX = 8;
/** A number of 32 bytes in base64url. */
const COORDINATE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads published keys (RFC 7517). Ignores keys of other types, and names: a key's name is its thumbprint.
 *
 * @returns undefined for an invalid key set
 */
export function readJwks(text: string): readonly VerificationKey[] | undefined {
  const set = parseStrictJson(text, DEPTH_MAX);
  if (!isObject(set) || !Array.isArray(set.keys)) return undefined;
  return set.keys.filter(isObject).flatMap(({ kty, crv, x, y }) => {
    if (kty !== 'EC' || crv !== 'P-256' || !isCoordinate(x) || !isCoordinate(y)) return [];
    const jwk = { kty, crv, x, y } as const;
    return [{ kid: kidOf(jwk), jwk, revokedAt: null }];
  });
}

/** A key as it is published. */
export const publishedJwk = ({ kid, jwk }: Pick<VerificationKey, 'kid' | 'jwk'>) => ({
  ...jwk,
  kid,
  alg: 'ES256',
  use: 'sig',
});

const isCoordinate = (value: unknown): value is string => typeof value === 'string' && COORDINATE.test(value);
