import { SECOND_MS } from '../../lib/clock.ts';
import { isObject, isSignedBy, readJws } from './jws.ts';
import { isMoment, kidIn } from './read-credential.ts';
import { STATUS_LIST_TYP } from './signing.ts';
import type { VerificationKey } from './verify.ts';

/** A verified status list. */
export interface VerifiedStatusList {
  /** See `statusAt`. */
  readonly lst: string;
  /** Milliseconds since the Unix epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Its revocations remain valid; for other credentials it is outdated. */
  readonly isOver: boolean;
}

/** Why a list is not usable. */
export type StatusListRefusal = 'malformed' | 'unknown_key' | 'bad_signature' | 'key_revoked' | 'other_list';

/** A full list of random places has 30 KB. */
const CHARACTERS_MAX = 64 * 1_024;

/**
 * Checks a status list from any source.
 *
 * @param token any text; an invalid list is malformed
 * @param asked `uri`: the list named by a credential, `now` in milliseconds since the Unix epoch
 */
export async function verifyStatusList(
  token: string,
  keys: readonly VerificationKey[],
  asked: { readonly now: number; readonly uri: string },
): Promise<VerifiedStatusList | { readonly refused: StatusListRefusal }> {
  const jws = readJws(token, CHARACTERS_MAX);
  const kid = jws && kidIn(jws, STATUS_LIST_TYP);
  if (jws === undefined || kid === undefined) return { refused: 'malformed' };
  const { sub, iat, exp, status_list: list } = jws.payload;
  if (!isMoment(iat) || !isMoment(exp) || !isObject(list)) return { refused: 'malformed' };
  if (list.bits !== 1 || typeof list.lst !== 'string') return { refused: 'malformed' };
  const key = keys.find((each) => each.kid === kid);
  if (key === undefined) return { refused: 'unknown_key' };
  if (!(await isSignedBy(key.jwk, jws))) return { refused: 'bad_signature' };
  if (key.revokedAt !== null) return { refused: 'key_revoked' };
  if (sub !== asked.uri) return { refused: 'other_list' };
  const expiresAt = exp * SECOND_MS;
  return { lst: list.lst, issuedAt: iat * SECOND_MS, expiresAt, isOver: expiresAt <= asked.now };
}
