export const CREDENTIAL_TYPES = ['site_posture', 'license'] as const;
/** The subject of a credential: an assessed site, or a license. */
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];

export const REVOCATION_REASONS = [
  'superseded',
  'posture_changed',
  'site_removed',
  'issued_in_error',
  'key_compromise',
  'requested',
] as const;
/** Why a credential was revoked. */
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

/** The stored facts of a credential; its status is derived. All times are milliseconds since the Unix epoch. */
export interface CredentialFacts {
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  /** When the key that signed it was revoked. */
  readonly keyRevokedAt: number | null;
}

export const CREDENTIAL_STATUSES = ['valid', 'expired', 'revoked', 'key_revoked'] as const;
export type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number];

/** Whether a credential is valid; a revoked one is reported as revoked even after it has expired. */
export function credentialStatus(
  { expiresAt, revokedAt, keyRevokedAt }: CredentialFacts,
  nowMs: number,
): CredentialStatus {
  if (keyRevokedAt !== null) return 'key_revoked';
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= nowMs ? 'expired' : 'valid';
}
