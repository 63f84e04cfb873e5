import { and, asc, desc, eq, isNull, not, notInArray, sql } from 'drizzle-orm';
import { type Author, isOperator } from '../../domain/admin/author.ts';
import {
  domainBlocked,
  grantedTerms,
  type License,
  licenseName,
  type Terms,
} from '../../domain/license/license.ts';
import type { StoredKey } from '../../domain/license/license-key.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import { Fault } from '../../lib/fault.ts';
import { credentialJobs } from '../credentials/credential-jobs.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import { type AuditedFacts, auditJobs } from '../operators/audit.ts';
import { isSubscribed } from '../payments/subscribed.ts';
import { domainControls } from '../sites/tables.ts';
import { trustSiteJobs } from '../trust/trust-sites.ts';
import { keepLicenseChanges } from './license-evidence.ts';
import { keepPreviousKeys } from './previous-keys.ts';
import { type LicenseDomain, prepareIsRegistered } from './registered-domains.ts';
import { blockedDomains, licenseDomains, licenses, previousKeys } from './tables.ts';

/** A license with what only its operator sees. */
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
  /** Read in the same transaction by {@link nextLicenseId}; left out, the next one. */
  readonly id?: number;
  /** Of a trial whose card is not confirmed yet. */
  readonly pendingUntil?: number;
  /** Normalised domains to register at once. */
  readonly domains: readonly string[];
  /** What an operator issues has terms and domains by his word. */
  readonly issuedBy: Author;
}

/** What of a license can be changed after it was issued. */
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

/** A license as one of its keys finds it. */
export interface KeyedLicense extends LicenseRecord {
  /** When that key stops, or has stopped, in milliseconds since the Unix epoch; null = it is no old one. */
  readonly keyWorksUntil: number | null;
}

export interface DomainClaim extends LicenseDomain {
  /** Sites that the license may have now. */
  readonly sitesAllowed: number;
  readonly now: number;
}

export interface Licenses {
  /** The license of a key, or of an old one that is still kept: whether that works is a question of the moment. */
  findByKeyHash(keyHash: string): Promise<KeyedLicense | undefined>;
  find(id: number): Promise<LicenseRecord | undefined>;
  /** The license that another system calls by an id, unless it is revoked. */
  findByExternalId(externalId: string): Promise<LicenseRecord | undefined>;
}

/** The id of the license that is issued next, for as long as the transaction lasts. */
export async function nextLicenseId(db: Database): Promise<number> {
  return (await prepare<{ id: number }>(db, db.sqlDialect.nextId('licenses')).get())?.id ?? 1;
}

/** Reads whether a key, by its hash, is that of a license, or an old one that still works. */
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

/** Reads what other systems call licenses by that are not revoked, with the licenses' ids. */
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

/** Reads which licenses have a domain registered and are not revoked: so many of their ids, the smallest first. */
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

/** Reads which domains the operator keeps out of a license, and since when. */
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

const ofBlockedDomain = and(
  eq(blockedDomains.licenseId, sql.placeholder('licenseId')),
  eq(blockedDomains.domain, sql.placeholder('domain')),
);
const ofDomain = and(
  eq(licenseDomains.licenseId, sql.placeholder('licenseId')),
  eq(licenseDomains.domain, sql.placeholder('domain')),
);

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
        // Not by a join, whose rows take Bun six times as long to read.
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

const ISSUE = 'license.issue';

/** What the audit log tells of a license that is issued. */
export function issuedFacts(license: Omit<NewLicense, keyof StoredKey>): AuditedFacts {
  const { kind, environment, plan, sitesOverride, modulesAllowed, modulesDenied, expiresAt, domains } =
    license;
  return { kind, environment, plan, sitesOverride, modulesAllowed, modulesDenied, expiresAt, domains };
}

/** Changes of licenses; each runs inside the writer's transaction. */
export const licenseJobs = perDatabase((db: Database) => {
  const { audit } = auditJobs(db);
  const { keepLicenseChange } = keepLicenseChanges(db);
  const { revokeCredentialsOf } = credentialJobs(db);
  const { endTrust } = trustSiteJobs(db);
  const insert = prepare<{ id: number }>(
    db,
    `
    insert into licenses (id, key_hash, key_prefix, key_last4, kind, environment, plan, sites_override,
        daily_events_override, daily_bytes_override, modules_allowed, modules_denied, operator_terms, holds,
        note, customer, email, external_id, created_at, expires_at, pending_until)
      values (:id, :keyHash, :keyPrefix, :keyLast4, :kind, :environment, :plan, :sitesOverride,
        :dailyEventsOverride, :dailyBytesOverride, :modulesAllowed, :modulesDenied, :operatorTerms, '[]',
        :note, :customer, :email, :externalId, :createdAt, :expiresAt, :pendingUntil)
      returning id
    `,
  );
  const domainCount = lazily(() =>
    db
      .select({ count: sql<number>`count(*)` })
      .from(licenseDomains)
      .where(eq(licenseDomains.licenseId, sql.placeholder('licenseId')))
      .prepare(),
  );
  const isRegistered = prepareIsRegistered(db);
  const register = lazily(() =>
    db
      .insert(licenseDomains)
      .values({
        licenseId: sql.placeholder('licenseId'),
        domain: sql.placeholder('domain'),
        boundBy: sql.placeholder('boundBy'),
        boundAt: sql.placeholder('boundAt'),
      })
      .onConflictDoNothing()
      .prepare(),
  );
  const isBlocked = lazily(() =>
    db.select({ domain: blockedDomains.domain }).from(blockedDomains).where(ofBlockedDomain).prepare(),
  );
  const unbind = lazily(() => db.delete(licenseDomains).where(ofDomain).prepare());
  const registered = db
    .select({ domain: licenseDomains.domain })
    .from(licenseDomains)
    .where(eq(licenseDomains.licenseId, sql.placeholder('licenseId')));
  const forgetGivenUp = lazily(() =>
    db
      .delete(domainControls)
      .where(
        and(
          eq(domainControls.licenseId, sql.placeholder('licenseId')),
          notInArray(domainControls.domain, registered),
        ),
      )
      .prepare(),
  );
  const unblock = lazily(() => db.delete(blockedDomains).where(ofBlockedDomain).prepare());
  const confirm = lazily(() =>
    db.update(licenseDomains).set({ boundBy: 'operator' }).where(ofDomain).prepare(),
  );

  /** What was said of the domain does not hold for whoever has it next. */
  const endStatements = async ({ licenseId, domain }: LicenseDomain, now: number): Promise<void> => {
    await revokeCredentialsOf({ licenseId, domain, reason: 'site_removed', now });
    await endTrust({ licenseId, domain, now });
  };
  const giveUp = async ({ licenseId, domain }: LicenseDomain, now: number): Promise<void> => {
    await unbind.run({ licenseId, domain });
    await forgetGivenUp.run({ licenseId });
    await endStatements({ licenseId, domain }, now);
  };

  const previous = keepPreviousKeys(db);
  const changeLicense = async ({ id, change }: { id: number; change: LicenseChange }): Promise<void> => {
    await db.update(licenses).set(change).where(eq(licenses.id, id)).run();
    if (change.keyHash !== undefined || change.revokedAt !== undefined) await previous.end(id);
    if (change.revokedAt === undefined) return;
    // Nothing that the credentials say was wrong: whoever revokes the license asks for it.
    await revokeCredentialsOf({ licenseId: id, domain: null, reason: 'requested', now: change.revokedAt });
  };

  const insertLicense = async ({ domains, issuedBy, ...license }: NewLicense): Promise<number> => {
    const isOperators = isOperator(issuedBy.actor);
    const row = await insert.get({
      id: null,
      dailyEventsOverride: null,
      dailyBytesOverride: null,
      customer: null,
      email: null,
      externalId: null,
      pendingUntil: null,
      ...license,
      modulesAllowed: JSON.stringify(license.modulesAllowed),
      modulesDenied: JSON.stringify(license.modulesDenied),
      operatorTerms: isOperators ? 1 : 0,
    });
    if (row === undefined) throw new Fault('a license was stored without an id');
    for (const domain of domains) {
      const boundBy = isOperators ? 'operator' : 'order';
      await register.run({ licenseId: row.id, domain, boundBy, boundAt: license.createdAt });
    }
    return row.id;
  };

  return {
    async issueLicense(license: NewLicense): Promise<number> {
      const id = await insertLicense(license);
      const { createdAt: at, issuedBy } = license;
      await audit({ at, ...issuedBy, action: ISSUE, subject: licenseName(id), after: issuedFacts(license) });
      return id;
    },

    /** Issues one license of a batch that has an audit entry as a whole. */
    async issueOfBatch(license: NewLicense): Promise<number> {
      const id = await insertLicense(license);
      await keepLicenseChange({ at: license.createdAt, action: ISSUE, subject: licenseName(id) });
      return id;
    },

    changeLicense,

    /** Gives a license another key. Its present one works until a moment, or stops at once (null), and the one before stops. */
    async rotateKey(rotation: {
      id: number;
      stored: StoredKey;
      oldWorksUntil: number | null;
    }): Promise<void> {
      const { id, stored, oldWorksUntil } = rotation;
      const old = await previous.presentKey(id);
      await changeLicense({ id, change: stored });
      if (old && oldWorksUntil !== null)
        await previous.keep({ licenseId: id, ...old, worksUntil: oldWorksUntil });
    },

    /** Changes terms by the operator: beside what a subscription pays for, in place of what none does any more. */
    async grantTerms({ id, terms, now }: OperatorGrant): Promise<void> {
      const license = await db.select().from(licenses).where(eq(licenses.id, id)).get();
      if (license === undefined) return;
      const granted = { ...grantedTerms(license, now), ...terms };
      const change: LicenseChange = (await isSubscribed(db, id))
        ? { granted }
        : {
            ...granted,
            operatorTerms: true,
            granted: null,
            subscriptionId: null,
            paymentHolds: [],
            paymentHoldFrom: null,
          };
      await db.update(licenses).set(change).where(eq(licenses.id, id)).run();
    },

    /** Registers a domain by the operator's word, or confirms by it one that is registered. */
    async bindDomain({ licenseId, domain, now }: Omit<DomainClaim, 'sitesAllowed'>): Promise<void> {
      await register.run({ licenseId, domain, boundBy: 'operator', boundAt: now });
      await confirm.run({ licenseId, domain });
    },

    /** Gives up what was registered beyond a number of sites, the latest first; what the operator bound stays. */
    async keepDomains({ licenseId, sitesAllowed, now }: Omit<DomainClaim, 'domain'>): Promise<void> {
      const isOperators = sql`${licenseDomains.boundBy} = 'operator'`;
      const ofLicense = eq(licenseDomains.licenseId, licenseId);
      const kept = db
        .select({ domain: licenseDomains.domain })
        .from(licenseDomains)
        .where(ofLicense)
        .orderBy(desc(isOperators), asc(licenseDomains.boundAt), asc(licenseDomains.domain))
        .limit(sitesAllowed);
      const givenUp = await db
        .delete(licenseDomains)
        .where(and(ofLicense, not(isOperators), notInArray(licenseDomains.domain, kept)))
        .returning({ domain: licenseDomains.domain })
        .all();
      await forgetGivenUp.run({ licenseId });
      for (const { domain } of givenUp) await endStatements({ licenseId, domain }, now);
    },

    async unbindDomain({ licenseId, domain, now }: LicenseDomain & { now: number }): Promise<void> {
      await giveUp({ licenseId, domain }, now);
    },

    /** Gives a domain up, if it is registered, and keeps it out. */
    async blockDomain({ licenseId, domain, now }: LicenseDomain & { now: number }): Promise<void> {
      await giveUp({ licenseId, domain }, now);
      await db
        .insert(blockedDomains)
        .values({ licenseId, domain, blockedAt: now })
        .onConflictDoNothing()
        .run();
    },

    /** The domain may be registered again. */
    async unblockDomain({ licenseId, domain }: LicenseDomain): Promise<void> {
      await unblock.run({ licenseId, domain });
    },

    /** Registers a domain on first use, while the license has a free site and the operator does not keep the domain out. */
    async claimDomain({ licenseId, domain, sitesAllowed, now }: DomainClaim): Promise<Refusal | undefined> {
      if (await isRegistered(licenseId, domain)) return undefined;
      if (await isBlocked.get({ licenseId, domain })) return domainBlocked();
      if (((await domainCount.get({ licenseId }))?.count ?? 0) >= sitesAllowed) {
        return refuse('SITE_LIMIT_REACHED', 'This license has no free site left for a new domain.');
      }
      await register.run({ licenseId, domain, boundBy: 'first_use', boundAt: now });
      return undefined;
    },
  };
});
