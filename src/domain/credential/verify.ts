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
 * Why a credential is not valid; the first that applies. With one of the first four, none of its content may be trusted. Permanent
 * reasons come before those of time, in the order of its status.
 */
export type VerificationReason = (typeof VERIFICATION_REASONS)[number];

/** A key that may have signed credentials. */
export interface VerificationKey {
  readonly kid: string;
  readonly jwk: P256Jwk;
  /** Milliseconds since the Unix epoch; null = it was not. */
  readonly revokedAt: number | null;
}

/** The verifier's inputs. None of them comes from the credential. */
export interface Verifier {
  readonly keys: readonly VerificationKey[];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly isIssuer: (issuer: string) => boolean;
  /** See {@link CredentialPlace}. */
  readonly statusOf: (place: CredentialPlace) => PlaceStatus | Promise<PlaceStatus>;
}

/** Where to look up revocation. Used only when one of the keys has signed the credential. */
export interface CredentialPlace {
  /** `urn:uuid:` and its public id. */
  readonly id: string;
  /** Of the status list. */
  readonly uri: string;
  readonly index: number;
}

/** Whether a place is revoked; undefined = unknown, which the caller handles. */
export type PlaceStatus = boolean | 'malformed' | 'out_of_bounds' | undefined;

/** The result of a verification. It contains no content of a credential unless one of the keys has signed it. */
export interface Verification {
  readonly valid: boolean;
  /** Null = valid. */
  readonly reason: VerificationReason | null;
  readonly type: CredentialType | null;
  readonly issuer: string | null;
  readonly subject: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly issuedAt: number | null;
  readonly expiresAt: number | null;
  /** All its claims. */
  readonly claims: Readonly<Record<string, unknown>> | null;
}

/** Tolerance for a verifier's clock behind the issuer's. The end has none, so that all see the same. */
const LEEWAY_MS = MINUTE_MS;

/**
 * Verifies a credential. An unreadable place in the status list makes it malformed: a revoked one must not pass without a list.
 *
 * @param token any text; an invalid credential is malformed
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
