import { Type as t } from '@sinclair/typebox';
import {
  CREDENTIAL_STATUSES,
  CREDENTIAL_TYPES,
  type CredentialStatus,
  credentialStatus,
  REVOCATION_REASONS,
} from '../../domain/credential/credential.ts';
import { refuse } from '../../domain/refusal.ts';
import { nullable, timestamp } from '../../http/contract/answers.ts';
import { meanings, oneOf } from '../../http/fields.ts';
import { pathParameter } from '../../http/route/index.ts';
import { iso, isoOrNull } from '../../lib/clock.ts';
import type { Credential } from '../../storage/credentials/credentials.ts';
import type { TenantReads } from '../../storage/tenant-data.ts';

export const CredentialTypeName = oneOf(
  CREDENTIAL_TYPES,
  'assertion of the credential: assessment of a site, or state of the license',
  'CredentialType',
);
export const CredentialStatusName = oneOf(
  CREDENTIAL_STATUSES,
  meanings('Status of the credential', {
    valid: 'in effect.',
    expired: 'past its expiry time.',
    revoked: 'revoked by the tenant, or together with its license or domain.',
    key_revoked: 'the operator revoked the signing key; takes precedence over the other states.',
  } satisfies Record<CredentialStatus, string>),
  'CredentialStatus',
);
export const RevocationReasonName = oneOf(
  REVOCATION_REASONS,
  'reason for the revocation',
  'RevocationReason',
);

export const credentialFields = {
  credential_id: t.String({ description: 'UUID; the `jti` of the credential is `urn:uuid:` followed by it' }),
  type: CredentialTypeName,
  site_id: nullable(
    t.String({ description: 'site ID, as in GET /sites' }),
    'site ID; null for license credentials and for deleted sites',
  ),
  status: CredentialStatusName,
  issued_at: timestamp('time of issue, in whole seconds'),
  expires_at: timestamp('expiry time'),
  revoked_at: nullable(timestamp('revocation time; null if not revoked')),
  revocation_reason: nullable(RevocationReasonName, 'reason for the revocation; null if not revoked'),
  credential: nullable(
    t.String({ description: 'signed credential: a JWT of type `vc+jwt`' }),
    'signed credential; null if deleted after its expiry',
  ),
};

export const credentialOf = (credential: Credential, nowMs: number) => ({
  credential_id: credential.publicId,
  type: credential.type,
  site_id: credential.siteId,
  status: credentialStatus(credential, nowMs),
  issued_at: iso(credential.issuedAt),
  expires_at: iso(credential.expiresAt),
  revoked_at: isoOrNull(credential.revokedAt),
  revocation_reason: credential.revocationReason,
  credential: credential.token === '' ? null : credential.token,
});

/** Shortened, therefore invalid. */
export const EXAMPLE_TOKEN =
  'eyJhbGciOiJFUzI1NiIsInR5cCI6InZjK2p3dCJ9.eyJpc3MiOiJodHRwczovL3JlZG91YnQuZXhhbXBsZSJ9.c2lnbmF0dXJl';
export const EXAMPLE_CREDENTIAL = {
  credential_id: '6f1c1d0e-8a57-4b1c-9a53-0d8f5c1f7a42',
  type: 'site_posture',
  site_id: '68c5a220221e2db6a03a51c2',
  status: 'valid',
  issued_at: '2026-11-22T09:30:00.000Z',
  expires_at: '2027-02-20T09:30:00.000Z',
  revoked_at: null,
  revocation_reason: null,
  credential: EXAMPLE_TOKEN,
};

/** The validity of a credential in days. */
export const VALID_DAYS = { minimum: 1, maximum: 365 };
export const validDays = (description: string) => t.Integer({ ...VALID_DAYS, description });

export const CREDENTIAL_ID = pathParameter('credentialId', '`credential_id` of the credential');

/**
 * Finds a credential of a license by its public id.
 *
 * @throws Refusal if the license has no such credential
 */
export async function findCredential(
  { credentials }: Pick<TenantReads, 'credentials'>,
  licenseId: number,
  publicId: string,
): Promise<Credential> {
  const credential = await credentials.find(licenseId, publicId);
  if (credential === undefined) throw refuse('CREDENTIAL_NOT_FOUND', 'This license has no such credential.');
  return credential;
}
