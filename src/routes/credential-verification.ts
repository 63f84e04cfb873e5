import { Type as t } from '@sinclair/typebox';
import { issuerOf, statusListUri } from '../domain/credential/claims.ts';
import {
  type CredentialPlace,
  type PlaceStatus,
  VERIFICATION_REASONS,
  type VerificationReason,
  verifyCredential,
} from '../domain/credential/verify.ts';
import { bodySchema } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import { nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { meanings, oneOf } from '../http/fields.ts';
import { bearerRoute, jsonBody } from '../http/route/index.ts';
import { isoOrNull } from '../lib/clock.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { CredentialTypeName, EXAMPLE_CREDENTIAL, EXAMPLE_TOKEN } from './fields/credential-fields.ts';
import type { Parts } from './parts.ts';

const CredentialToVerify = bodySchema(
  'CredentialToVerify',
  { credential: t.String({ description: 'credential to verify' }) },
  { credential: EXAMPLE_TOKEN },
);

const CredentialVerification = typed('CredentialVerification', {
  valid: t.Boolean({ description: 'whether this service issued the credential and it is in effect' }),
  reason: nullable(
    oneOf(VERIFICATION_REASONS, undefined, 'VerificationReason'),
    meanings('First applicable reason why the credential is not valid; null if it is', {
      malformed: 'not a credential, or not one that this service could have issued.',
      unknown_issuer: 'issued by another issuer.',
      unknown_key: 'signed with a key unknown to this service.',
      bad_signature: 'modified, or signed by another party.',
      key_revoked: 'the operator revoked the signing key.',
      revoked: 'the credential was revoked.',
      expired: 'past its expiry time.',
      not_yet_valid: 'not yet valid.',
    } satisfies Record<VerificationReason, string>),
  ),
  type: nullable(
    CredentialTypeName,
    'credential type; null, like all following fields, unless signed by a key of this service',
  ),
  issuer: nullable(t.String(), 'public URL of this service at the time of issue'),
  subject: nullable(t.String(), 'subject: URL of a site, or identifier of a license'),
  issued_at: nullable(timestamp('time of issue')),
  expires_at: nullable(timestamp('expiry time')),
  claims: nullable(t.Object({}), 'all claims'),
});
const EXAMPLE = {
  valid: true,
  reason: null,
  type: 'site_posture',
  issuer: 'https://redoubt.example',
  subject: 'https://shop.example/',
  issued_at: EXAMPLE_CREDENTIAL.issued_at,
  expires_at: EXAMPLE_CREDENTIAL.expires_at,
  claims: {
    sub: 'https://shop.example/',
    credentialSubject: { id: 'https://shop.example/', grade: 'A', score: 91 },
  },
};

/** The ID at the end of a status list's URL. */
const LIST_ID = /\/([1-9]\d{0,14})$/;

type VerificationParts = Parts<'clock' | 'config' | 'credentialKeys' | 'statusLists'>;

export const credentialVerification = bearerRoute({
  at: 'POST /credentials/verify',
  body: jsonBody({ schema: CredentialToVerify, capBytes: 16 * KIB, anyTextIn: 'credential' }),
  tag: TAGS.tenant,
  operationId: 'verifyCredential',
  summary: 'Verify a credential',
  description:
    'Verifies credentials of any tenant of this service; nothing is stored. To verify without a license key, use the public keys at `/.well-known/jwks.json` and the status list named in the credential.',
  answer: show(
    CredentialVerification,
    EXAMPLE,
    'Returns the result, also for text that is not a credential.',
  ),
  async handle({ body: { credential } }, parts: VerificationParts) {
    const { config, statusLists, credentialKeys, clock } = parts;
    // The issuer is the public URL. After it changes, credentials of previous issuers remain valid.
    const current = config.baseUrl === undefined ? [] : [config.baseUrl];
    const issuers = new Set([...current, ...(await statusLists.issuers())].map(issuerOf));
    const { issuedAt, expiresAt, ...found } = await verifyCredential(trimInvisible(credential), {
      keys: await credentialKeys.all(),
      now: clock.now(),
      isIssuer: (issuer) => issuers.has(issuer),
      statusOf: (place) => statusOf(parts, place),
    });
    return { ...found, issued_at: isoOrNull(issuedAt), expires_at: isoOrNull(expiresAt) };
  },
});

/** Looks up the status in the database, which, unlike the signed list, also identifies the credential at the index. */
async function statusOf(
  { statusLists }: VerificationParts,
  { id, uri, index }: CredentialPlace,
): Promise<PlaceStatus> {
  const listId = Number(LIST_ID.exec(uri)?.[1]);
  const issuer = Number.isNaN(listId) ? undefined : await statusLists.issuerOf(listId);
  if (issuer === undefined || statusListUri(issuer, listId) !== uri) return 'malformed';
  const stored = await statusLists.at({ listId, listIndex: index });
  return stored === undefined || `urn:uuid:${stored.publicId}` !== id
    ? 'malformed'
    : stored.revokedAt !== null;
}
