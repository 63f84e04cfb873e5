import { MINUTE_MS } from '../../lib/clock.ts';
import type { P256Jwk } from '../signing/p256-jwk.ts';
import type { CredentialType } from './credential.ts';
import { isSignedBy } from './jws.ts';
import { type ReadCredential, readCredential } from './read-credential.ts';

export const VERIFICATION_REASONS = [
  'malformed',
  'unknown_issuer',
  'unknown_key',
  'bad_signature',
  'key_revoked',
  'revoked',
  'expired',
  'not_yet_valid',
] as const;
/**
 * Why a credential does not hold; the first that applies. The first four tell that nothing of it may be believed. Then comes what
 * never ends, before what only time does, in the order of its status.
 */
export type VerificationReason = (typeof VERIFICATION_REASONS)[number];

/** A key that credentials may be signed by. */
export interface VerificationKey {
  readonly kid: string;
  readonly jwk: P256Jwk;
  /** Milliseconds since the Unix epoch; null = it was not. */
  readonly revokedAt: number | null;
}

/** What a verifier goes by. Nothing of it comes from the credential. */
export interface Verifier {
  readonly keys: readonly VerificationKey[];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly isIssuer: (issuer: string) => boolean;
  /** See {@link CredentialPlace}. */
  readonly statusOf: (place: CredentialPlace) => PlaceStatus | Promise<PlaceStatus>;
}

/** Where it is told whether a credential was revoked. Asked for only when one of the keys has signed it. */
export interface CredentialPlace {
  /** `urn:uuid:` and its public id. */
  readonly id: string;
  /** Of the status list. */
  readonly uri: string;
  readonly index: number;
}

/** Whether what stands at a place was revoked; undefined where nobody can tell, which is left to who asks. */
export type PlaceStatus = boolean | 'malformed' | 'out_of_bounds' | undefined;

/** What became of a verification. Unless one of the keys has signed it, nothing that the credential says is given out. */
export interface Verification {
  readonly valid: boolean;
  /** Null = it holds. */
  readonly reason: VerificationReason | null;
  readonly type: CredentialType | null;
  readonly issuer: string | null;
  readonly subject: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly issuedAt: number | null;
  readonly expiresAt: number | null;
  /** All that it says. */
  readonly claims: Readonly<Record<string, unknown>> | null;
}

/** A verifier's clock may be behind the one that a credential was issued by. None is given at the end, which all must see alike. */
const LEEWAY_MS = MINUTE_MS;

/**
 * Checks a credential. A place in the status list that cannot be read makes it malformed: a revoked one must not pass for want of a
 * list.
 *
 * @param token anything; what is no credential is malformed
 */
export async function verifyCredential(token: string, verifier: Verifier): Promise<Verification> {
  const read = readCredential(token);
  if (read === undefined) return unbelieved('malformed');
  if (!verifier.isIssuer(read.issuer)) return unbelieved('unknown_issuer');
  const key = verifier.keys.find(({ kid }) => kid === read.kid);
  if (key === undefined) return unbelieved('unknown_key');
  if (!(await isSignedBy(key.jwk, read.jws))) return unbelieved('bad_signature');
  if (key.revokedAt !== null) return signed(read, 'key_revoked');
  const { uri, idx: index } = read.place;
  const isRevoked = await verifier.statusOf({ id: read.id, uri, index });
  if (typeof isRevoked === 'string') return unbelieved('malformed');
  if (isRevoked) return signed(read, 'revoked');
  if (read.expiresAt <= verifier.now) return signed(read, 'expired');
  return signed(read, read.issuedAt > verifier.now + LEEWAY_MS ? 'not_yet_valid' : null);
}

const unbelieved = (reason: VerificationReason): Verification => ({
  valid: false,
  reason,
  type: null,
  issuer: null,
  subject: null,
  issuedAt: null,
  expiresAt: null,
  claims: null,
});

const signed = (
  { jws, type, issuer, subject, issuedAt, expiresAt }: ReadCredential,
  reason: VerificationReason | null,
): Verification => ({
  valid: reason === null,
  reason,
  type,
  issuer,
  subject,
  issuedAt,
  expiresAt,
  claims: jws.payload,
});
