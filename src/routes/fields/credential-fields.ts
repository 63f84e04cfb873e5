import { Type } from '@sinclair/typebox';
import { t } from 'elysia';
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
import { iso, isoOrNull } from '../../lib/clock.ts';
import type { Credential } from '../../storage/credentials/credentials.ts';
import type { TenantReads } from '../../storage/tenant-data.ts';

export const CredentialTypeName = oneOf(
  CREDENTIAL_TYPES,
  'how a site was assessed, or what the license is',
  'CredentialType',
);
export const CredentialStatusName = oneOf(
  CREDENTIAL_STATUSES,
  meanings('Whether it holds', {
    valid: 'it does.',
    expired: 'its time is over.',
    revoked: 'by its tenant, or with the license or the domain that it is about.',
    key_revoked: 'the operator has revoked the key that signed it, whatever else became of it.',
  } satisfies Record<CredentialStatus, string>),
  'CredentialStatus',
);
export const RevocationReasonName = oneOf(REVOCATION_REASONS, 'why it is revoked', 'RevocationReason');

export const credentialFields = {
  credential_id: t.String({ description: 'a UUID; `jti` of the credential is `urn:uuid:` with it' }),
  type: CredentialTypeName,
  site_id: nullable(
    t.String({ description: "the site's `id` in GET /sites" }),
    'null = it is about the license, or about a site that is not heard of any more',
  ),
  status: CredentialStatusName,
  issued_at: timestamp('when it was issued, to the second'),
  expires_at: timestamp('until when it holds'),
  revoked_at: nullable(timestamp('when it was revoked')),
  revocation_reason: nullable(RevocationReasonName, 'why; null = it was not revoked'),
  credential: nullable(
    t.String({ description: 'to be handed on: a JWT of the type `vc+jwt`' }),
    'null = it expired so long ago that it was forgotten',
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

/** Shortened; no verifier takes it. */
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

/** The days that a credential may hold. */
export const VALID_DAYS = { minimum: 1, maximum: 365 };
export const validDays = (description: string) => Type.Integer({ ...VALID_DAYS, description });

/** The path parameter of routes that are about one credential, for the contract. */
export const CREDENTIAL_ID = {
  name: 'credentialId',
  in: 'path' as const,
  required: true,
  description: 'its `credential_id`',
  schema: { type: 'string' as const },
};

/** A license's credential by the id that its tenant calls it by; throws a Refusal when it has no such credential. */
export async function findCredential(
  { credentials }: Pick<TenantReads, 'credentials'>,
  licenseId: number,
  publicId: string,
): Promise<Credential> {
  const credential = await credentials.find(licenseId, publicId);
  if (credential === undefined) throw refuse('CREDENTIAL_NOT_FOUND', 'This license has no such credential.');
  return credential;
}
