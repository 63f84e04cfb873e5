export const CREDENTIAL_TYPES = ['site_posture', 'license'] as const;
/** What a credential states: how a site was assessed, or what a license is. */
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];

export const REVOCATION_REASONS = [
  'superseded',
  'posture_changed',
  'site_removed',
  'issued_in_error',
  'key_compromise',
  'requested',
] as const;
/** Why a credential does not hold any more. */
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

/** What is known of a credential; its status is derived. All moments are milliseconds since the Unix epoch. */
export interface CredentialFacts {
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  /** When the key that signed it was revoked. */
  readonly keyRevokedAt: number | null;
}

export const CREDENTIAL_STATUSES = ['valid', 'expired', 'revoked', 'key_revoked'] as const;
export type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number];

/** Whether a credential holds: what was revoked says so even when it has also expired. */
export function credentialStatus(
  { expiresAt, revokedAt, keyRevokedAt }: CredentialFacts,
  nowMs: number,
): CredentialStatus {
  if (keyRevokedAt !== null) return 'key_revoked';
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= nowMs ? 'expired' : 'valid';
}
