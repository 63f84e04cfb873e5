import { type Static, Type as t } from '@sinclair/typebox';
import { notRefused } from '../domain/refusal.ts';
import { bodySchema } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import { closed, nullable, show, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { bearerRoute, jsonBody, queryOf, shared } from '../http/route/index.ts';
import {
  CREDENTIAL_ID,
  CredentialStatusName,
  credentialFields,
  credentialOf,
  EXAMPLE_CREDENTIAL,
  findCredential,
  RevocationReasonName,
} from './fields/credential-fields.ts';
import { PAGE, PAGE_DEFAULT } from './fields/page-query.ts';
import { SiteId } from './fields/site-path.ts';
import type { Parts } from './parts.ts';

const LIST = 'credentials';
export const CredentialDetail = typed('CredentialDetail', credentialFields);
const RevokedCredential = typed('RevokedCredential', credentialFields);
const CredentialQuery = closed({
  status: t.Optional(CredentialStatusName),
  site: t.Optional(SiteId),
  ...PAGE('credentials'),
});
export const CredentialList = typed('CredentialList', {
  credentials: t.Array(typed('Credential', credentialFields), {
    description: 'credentials of this page, newest first',
  }),
  next_cursor: nullable(t.String({ description: 'cursor of the next page; null on the last page' })),
});
const Revocation = bodySchema(
  'CredentialRevocation',
  { reason: RevocationReasonName },
  { reason: 'posture_changed' },
);

const credentialsOf = shared(
  ({ tenantData, identities, writer, clock }: Parts<'clock' | 'identities' | 'tenantData' | 'writer'>) => {
    const page = async (licenseId: number, query: Static<typeof CredentialQuery>) => {
      const { site, status = null, limit = PAGE_DEFAULT, cursor } = query;
      const cursorKey = identities.cursorKey(licenseId, LIST);
      const beforeId = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeCursor(cursorKey, cursor);
      const now = clock.now();
      const wanted = { licenseId, status, beforeId, limit, now };
      const found = await tenantData.atOnce(async ({ sites, credentials }) => {
        if (site === undefined) return credentials.page({ ...wanted, domain: null });
        const known = await sites.find(licenseId, site);
        return known && credentials.page({ ...wanted, domain: known.domain });
      });
      const next = found?.nextBeforeId;
      return {
        credentials: found?.credentials.map((each) => credentialOf(each, now)) ?? [],
        next_cursor: next === undefined ? null : encodeCursor(cursorKey, next),
      };
    };

    const read = async (licenseId: number, publicId: string) =>
      credentialOf(await findCredential(tenantData, licenseId, publicId), clock.now());

    const revoke = async (licenseId: number, credentialId: string, { reason }: Static<typeof Revocation>) => {
      const { publicId } = await findCredential(tenantData, licenseId, credentialId);
      const input = { licenseId, publicId, reason, now: clock.now() };
      notRefused(await writer.write('revokeCredential', input));
      return read(licenseId, publicId);
    };

    return { page, read, revoke };
  },
);

/**
 * Operations on the credentials of a license. They need no plan, because credentials remain valid while a license is suspended.
 */
export const credentials = [
  bearerRoute({
    at: 'GET /credentials',
    query: queryOf(CredentialQuery),
    tag: TAGS.tenant,
    operationId: 'listCredentials',
    summary: 'List credentials',
    description:
      'Newest first. A page can contain fewer credentials than requested, even none: continue until `next_cursor` is null. Returns no credentials for sites of other tenants.',
    answer: show(
      CredentialList,
      { credentials: [EXAMPLE_CREDENTIAL], next_cursor: null },
      'Returns a page of credentials.',
    ),
    handle: credentialsOf(({ page }, { licenseId, query }) => page(licenseId, query)),
  }),
  bearerRoute({
    at: 'GET /credentials/:credentialId',
    tag: TAGS.tenant,
    operationId: 'getCredential',
    summary: 'Get a credential and its status',
    description: 'The text of credentials that expired long ago is no longer stored.',
    parameters: [CREDENTIAL_ID],
    answer: show(CredentialDetail, EXAMPLE_CREDENTIAL, 'Returns the credential and its status.'),
    codes: ['CREDENTIAL_NOT_FOUND'],
    handle: credentialsOf(({ read }, { licenseId, params: { credentialId } }) =>
      read(licenseId, credentialId),
    ),
  }),
  bearerRoute({
    at: 'POST /credentials/:credentialId/revoke',
    body: jsonBody({ schema: Revocation, capBytes: 8 * KIB }),
    tag: TAGS.tenant,
    operationId: 'revokeCredential',
    summary: 'Revoke a credential',
    description:
      'Permanent. Revoking a credential again keeps the first time and reason. Verifiers learn of the revocation from the status list, which they can cache for an hour.',
    parameters: [CREDENTIAL_ID],
    answer: show(
      RevokedCredential,
      {
        ...EXAMPLE_CREDENTIAL,
        status: 'revoked',
        revoked_at: '2026-12-01T08:00:00.000Z',
        revocation_reason: 'posture_changed',
      },
      'Returns the revoked credential.',
    ),
    codes: ['CREDENTIAL_NOT_FOUND', 'STORE_UNAVAILABLE'],
    handle: credentialsOf(({ revoke }, { licenseId, params: { credentialId }, body }) =>
      revoke(licenseId, credentialId, body),
    ),
  }),
];
