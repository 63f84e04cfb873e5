import { and, desc, eq, gt, gte, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { CredentialFacts, CredentialStatus } from '../../domain/credential/credential.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { siteSummaries, sites } from '../sites/tables.ts';
import type { StatusPlace } from './status-lists.ts';
import { credentialKeys, credentials, statusLists } from './tables.ts';

/** The name of the counter of issued credentials. */
export const CREDENTIALS = 'credentials';

/** A credential as its tenant sees it. */
export interface Credential
  extends CredentialFacts,
    Pick<Row<typeof credentials>, 'id' | 'publicId' | 'type' | 'token' | 'issuedAt' | 'revocationReason'> {
  /** The public id of its site; null = it is about the license, or the site is unknown. */
  readonly siteId: string | null;
}

/** What identifies a credential: none is issued twice for the same values. */
export interface CredentialBasis
  extends Pick<Row<typeof credentials>, 'licenseId' | 'type' | 'domain' | 'basis'> {
  /** The public address of this service, which the credential contains. */
  readonly issuer: string;
}

/** A signed credential that is not stored yet. */
export interface SignedCredential
  extends CredentialBasis,
    StatusPlace,
    Pick<Row<typeof credentials>, 'publicId' | 'kid' | 'token' | 'issuedAt' | 'expiresAt'> {
  /** New credentials of one license and UTC day. */
  readonly dailyCap: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

const CREDENTIAL = {
  id: credentials.id,
  publicId: credentials.publicId,
  type: credentials.type,
  siteId: siteSummaries.publicId,
  token: credentials.token,
  issuedAt: credentials.issuedAt,
  expiresAt: credentials.expiresAt,
  revokedAt: credentials.revokedAt,
  revocationReason: credentials.revocationReason,
  keyRevokedAt: credentialKeys.revokedAt,
};

const selectCredentials = (db: Database) =>
  db
    .select(CREDENTIAL)
    .from(credentials)
    .innerJoin(credentialKeys, eq(credentialKeys.kid, credentials.kid))
    .innerJoin(statusLists, eq(statusLists.id, credentials.listId))
    .leftJoin(sites, and(eq(sites.licenseId, credentials.licenseId), eq(sites.domain, credentials.domain)))
    .leftJoin(
      siteSummaries,
      and(eq(siteSummaries.licenseId, sites.licenseId), eq(siteSummaries.siteId, sites.id)),
    );

const ofLicense = eq(credentials.licenseId, sql.placeholder('licenseId'));

/** Reads an unrevoked credential with the same basis. The job that issues looks for it again. */
export function prepareSameCredential(db: Database) {
  const isForSame = and(
    ofLicense,
    sql`${credentials.domain} is not distinct from ${sql.placeholder('domain')}`,
    eq(credentials.type, sql.placeholder('type')),
    eq(credentials.basis, sql.placeholder('basis')),
    isNull(credentials.revokedAt),
  );
  // Most that ask have none, which is known without the joins: they cost ten times as much.
  const any = lazily(() =>
    db.select({ id: credentials.id }).from(credentials).where(isForSame).limit(1).prepare(),
  );
  const same = lazily(() =>
    selectCredentials(db)
      .where(
        and(isForSame, eq(statusLists.issuer, sql.placeholder('issuer')), isNull(credentialKeys.revokedAt)),
      )
      .prepare(),
  );
  return async ({
    licenseId,
    domain,
    type,
    basis,
    issuer,
  }: CredentialBasis): Promise<Credential | undefined> =>
    (await any.get({ licenseId, domain, type, basis })) &&
    same.get({ licenseId, domain, type, basis, issuer });
}

/** Filters of a license's credentials; null = any. */
export interface CredentialQuery {
  readonly licenseId: number;
  readonly domain: string | null;
  readonly status: CredentialStatus | null;
  /** Credentials with a smaller id. */
  readonly beforeId: number;
  readonly limit: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

export interface CredentialPage {
  /** The newest first. */
  readonly credentials: readonly Credential[];
  /** Where the next page begins; undefined on the last page. */
  readonly nextBeforeId: number | undefined;
}

/** How many more credentials a page reads than it shows; each takes a few microseconds. */
const PASSED_OVER_MAX = 2_000;

const isSound = and(isNull(credentials.revokedAt), isNull(credentialKeys.revokedAt));
const STATUS_CONDITIONS: Readonly<Record<CredentialStatus, (now: number) => SQL | undefined>> = {
  valid: (now) => and(isSound, gt(credentials.expiresAt, now)),
  expired: (now) => and(isSound, lte(credentials.expiresAt, now)),
  revoked: () => and(isNotNull(credentials.revokedAt), isNull(credentialKeys.revokedAt)),
  key_revoked: () => isNotNull(credentialKeys.revokedAt),
};

export function readCredentials(db: Database) {
  const byPublicId = lazily(() =>
    selectCredentials(db)
      .where(and(ofLicense, eq(credentials.publicId, sql.placeholder('publicId'))))
      .prepare(),
  );
  const same = prepareSameCredential(db);

  return {
    find: async (licenseId: number, publicId: string): Promise<Credential | undefined> =>
      byPublicId.get({ licenseId, publicId }),

    /** See issueCredential. */
    same,

    /** A page that has read enough ends early, possibly empty, and returns where to continue. */
    page: async (wanted: CredentialQuery): Promise<CredentialPage> => {
      const { licenseId, domain, status, beforeId, limit, now } = wanted;
      const isBefore = and(eq(credentials.licenseId, licenseId), lt(credentials.id, beforeId));
      const [first] = await db
        .select({ id: credentials.id })
        .from(credentials)
        .where(isBefore)
        .orderBy(desc(credentials.id))
        .limit(1)
        .offset(limit + PASSED_OVER_MAX - 1)
        .all();
      const found = await selectCredentials(db)
        .where(
          and(
            isBefore,
            first && gte(credentials.id, first.id),
            domain === null ? undefined : eq(credentials.domain, domain),
            status === null ? undefined : STATUS_CONDITIONS[status](now),
          ),
        )
        .orderBy(desc(credentials.id))
        .limit(limit + 1)
        .all();
      const shown = found.slice(0, limit);
      const nextBeforeId = found.length > limit ? shown.at(-1)?.id : first?.id;
      return { credentials: shown, nextBeforeId };
    },
  };
}

export type CredentialReads = ReturnType<typeof readCredentials>;
