import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Author } from '../../domain/admin/author.ts';
import type { License, Terms } from '../../domain/license/license.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import type { LicenseDomain } from './registered-domains.ts';
import { blockedDomains, licenseDomains, licenses, previousKeys } from './tables.ts';

/** A license with the fields that only its operator sees. */
export interface LicenseRecord
  extends Omit<Row<typeof licenses>, 'keyHash'>,
    Pick<License, 'domains' | 'blockedDomains'> {}

export interface NewLicense
  extends Pick<
      Row<typeof licenses>,
      | 'keyHash'
      | 'keyPrefix'
      | 'keyLast4'
      | 'kind'
      | 'environment'
      | 'plan'
      | 'sitesOverride'
      | 'modulesAllowed'
      | 'modulesDenied'
      | 'note'
      | 'expiresAt'
      | 'createdAt'
    >,
    Partial<
      Pick<
        Row<typeof licenses>,
        'dailyEventsOverride' | 'dailyBytesOverride' | 'customer' | 'email' | 'externalId'
      >
    > {
  /** From {@link nextLicenseId} in the same transaction; omitted = the next one. */
  readonly id?: number;
  /** Of a trial whose card is not confirmed yet. */
  readonly pendingUntil?: number;
  /** Normalized domains to register immediately. */
  readonly domains: readonly string[];
  /** A license issued by an operator has operator terms and domains. */
  readonly issuedBy: Author;
}

/** The fields of a license that can change. */
export interface LicenseChange
  extends Partial<
    Omit<Row<typeof licenses>, 'id' | 'environment' | 'createdAt' | 'pendingUntil' | 'revokedAt'>
  > {
  /** Null once the card of a trial is confirmed. */
  readonly pendingUntil?: null;
  readonly revokedAt?: number;
}

/** Terms that the operator sets; the others stay as he granted them. */
export interface OperatorGrant {
  readonly id: number;
  readonly terms: Partial<Terms>;
  readonly now: number;
}

/** A license, found by one of its keys. */
export interface KeyedLicense extends LicenseRecord {
  /** When that key stops, in milliseconds since the Unix epoch; null = it is the current key. */
  readonly keyWorksUntil: number | null;
}

export interface DomainClaim extends LicenseDomain {
  /** Current limit of sites. */
  readonly sitesAllowed: number;
  readonly now: number;
}

export interface Licenses {
  /** The license of a current or retained previous key; the caller checks whether that still works. */
  findByKeyHash(keyHash: string): Promise<KeyedLicense | undefined>;
  find(id: number): Promise<LicenseRecord | undefined>;
  /** The unrevoked license with an external id. */
  findByExternalId(externalId: string): Promise<LicenseRecord | undefined>;
}

/** The id of the next license, for the duration of the transaction. */
export async function nextLicenseId(db: Database): Promise<number> {
  return (await prepare<{ id: number }>(db, db.sqlDialect.nextId('licenses')).get())?.id ?? 1;
}

/** Reads whether a key's hash is that of a license's current key, or of a previous one that still works. */
export function readKnownKeys(db: Database, now: number): (keyHash: string) => Promise<boolean> {
  const known = prepare<object>(
    db,
    `
    select 1 from licenses where key_hash = :keyHash
      union all select 1 from previous_keys where key_hash = :keyHash and works_until > :now
    `,
  );
  return async (keyHash) => (await known.get({ keyHash, now })) !== undefined;
}

/** Reads the external ids of unrevoked licenses, with the licenses' ids. */
export async function readExternalIds(db: Database): Promise<ReadonlyMap<string, number>> {
  const all = prepare<{ id: number; externalId: string }>(
    db,
    `
    select id, external_id as externalId from licenses
      where external_id is not null and revoked_at is null
    `,
  );
  return new Map((await all.all()).map(({ id, externalId }) => [externalId, id]));
}

/** Reads the ids of unrevoked licenses with a registered domain: the smallest `limit` ids. */
export function readLicensesByDomain(db: Database): (domain: string, limit: number) => Promise<number[]> {
  const byDomain = lazily(() =>
    db
      .select({ id: licenses.id })
      .from(licenseDomains)
      .innerJoin(licenses, eq(licenses.id, licenseDomains.licenseId))
      .where(and(eq(licenseDomains.domain, sql.placeholder('domain')), isNull(licenses.revokedAt)))
      .orderBy(asc(licenses.id))
      .limit(sql.placeholder('limit'))
      .prepare(),
  );
  return async (domain, limit) => (await byDomain.all({ domain, limit })).map(({ id }) => id);
}

/** Reads the blocked domains of a license, and since when. */
export function readBlockedDomains(db: Database) {
  const blocked = prepareBlockedDomains(db);
  return async (licenseId: number) => blocked.all({ id: licenseId });
}

function prepareBlockedDomains(db: Database) {
  const { domain, blockedAt } = blockedDomains;
  return lazily(() =>
    db
      .select({ domain, blockedAt })
      .from(blockedDomains)
      .where(eq(blockedDomains.licenseId, sql.placeholder('id')))
      .orderBy(asc(domain))
      .prepare(),
  );
}

export function readLicenses(db: Database): Licenses {
  const keyHash = sql.placeholder('keyHash');
  const worksUntil = db
    .select({ worksUntil: previousKeys.worksUntil })
    .from(previousKeys)
    .where(and(eq(previousKeys.licenseId, licenses.id), eq(previousKeys.keyHash, keyHash)));
  const byKeyHash = lazily(() =>
    db
      .select({
        license: licenses,
        // Not a join, whose rows Bun reads six times as slowly.
        keyWorksUntil: sql<number | null>`(${worksUntil})`.mapWith(previousKeys.worksUntil),
      })
      .from(licenses)
      .where(
        eq(
          licenses.id,
          sql`coalesce(
          ${db.select({ id: licenses.id }).from(licenses).where(eq(licenses.keyHash, keyHash))},
          ${db.select({ id: previousKeys.licenseId }).from(previousKeys).where(eq(previousKeys.keyHash, keyHash))}
        )`,
        ),
      )
      .prepare(),
  );
  const byId = lazily(() =>
    db
      .select()
      .from(licenses)
      .where(eq(licenses.id, sql.placeholder('id')))
      .prepare(),
  );
  const byExternalId = lazily(() =>
    db
      .select()
      .from(licenses)
      .where(and(eq(licenses.externalId, sql.placeholder('externalId')), isNull(licenses.revokedAt)))
      .prepare(),
  );
  const domainsOf = lazily(() =>
    db
      .select({ domain: licenseDomains.domain })
      .from(licenseDomains)
      .where(eq(licenseDomains.licenseId, sql.placeholder('id')))
      .orderBy(asc(licenseDomains.boundAt), asc(licenseDomains.domain))
      .prepare(),
  );

  const blockedOf = prepareBlockedDomains(db);

  type Row = typeof licenses.$inferSelect;
  const record = async ({ keyHash: _, ...row }: Row): Promise<LicenseRecord> => ({
    ...row,
    domains: (await domainsOf.all({ id: row.id })).map(({ domain }) => domain),
    blockedDomains: (await blockedOf.all({ id: row.id })).map(({ domain }) => domain),
  });
  const recordOf = async (row: Row | undefined) => (row === undefined ? undefined : await record(row));

  return {
    async findByKeyHash(hash) {
      const found = await byKeyHash.get({ keyHash: hash });
      return found && { ...(await record(found.license)), keyWorksUntil: found.keyWorksUntil };
    },
    find: async (id) => recordOf(await byId.get({ id })),
    findByExternalId: async (externalId) => recordOf(await byExternalId.get({ externalId })),
  };
}
