import { and, asc, desc, eq, not, notInArray, sql } from 'drizzle-orm';
import { isOperator } from '../../domain/admin/author.ts';
import { domainBlocked } from '../../domain/license/license.ts';
import type { StoredKey } from '../../domain/license/license-key.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import { Fault } from '../../lib/fault.ts';
import type { Database } from '../engine/database.ts';
import { reactionPoint } from '../engine/jobs/reactions.ts';
import { lazily } from '../engine/lazily.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepare } from '../engine/statement.ts';
import { type AuditEntry, type AuditedFacts, auditJobs } from '../operators/audit.ts';
import type { DomainClaim, LicenseChange, NewLicense } from './licenses.ts';
import { keepPreviousKeys } from './previous-keys.ts';
import { type LicenseDomain, prepareIsRegistered } from './registered-domains.ts';
import { blockedDomains, licenseDomains, licenses } from './tables.ts';

const ofBlockedDomain = and(
  eq(blockedDomains.licenseId, sql.placeholder('licenseId')),
  eq(blockedDomains.domain, sql.placeholder('domain')),
);
const ofDomain = and(
  eq(licenseDomains.licenseId, sql.placeholder('licenseId')),
  eq(licenseDomains.domain, sql.placeholder('domain')),
);

const ISSUE = 'license.issue';

/** A license was issued in a batch, which has one audit entry. */
export const issuedInBatch = reactionPoint<Pick<AuditEntry, 'at' | 'action' | 'subject'>>();

/** A domain was released. */
export const domainReleased = reactionPoint<LicenseDomain & { readonly now: number }>();

/** A license was revoked. */
export const licenseRevoked = reactionPoint<{ readonly licenseId: number; readonly now: number }>();

/** The details of an issued license in the audit log. */
export function issuedFacts(license: Omit<NewLicense, keyof StoredKey>): AuditedFacts {
  const { kind, environment, plan, sitesOverride, modulesAllowed, modulesDenied, expiresAt, domains } =
    license;
  return { kind, environment, plan, sitesOverride, modulesAllowed, modulesDenied, expiresAt, domains };
}

/** Changes of licenses; each runs inside the writer's transaction. */
export const licenseJobs = perDatabase((db: Database) => {
  const { audit } = auditJobs(db);
  const reactToIssue = issuedInBatch.of(db);
  const reactToRelease = domainReleased.of(db);
  const reactToRevocation = licenseRevoked.of(db);
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
  const unblock = lazily(() => db.delete(blockedDomains).where(ofBlockedDomain).prepare());
  const confirm = lazily(() =>
    db.update(licenseDomains).set({ boundBy: 'operator' }).where(ofDomain).prepare(),
  );

  const giveUp = async (released: LicenseDomain & { readonly now: number }): Promise<void> => {
    await unbind.run({ licenseId: released.licenseId, domain: released.domain });
    await reactToRelease(released);
  };

  const previous = keepPreviousKeys(db);
  const changeLicense = async ({ id, change }: { id: number; change: LicenseChange }): Promise<void> => {
    await db.update(licenses).set(change).where(eq(licenses.id, id)).run();
    if (change.keyHash !== undefined || change.revokedAt !== undefined) await previous.end(id);
    if (change.revokedAt === undefined) return;
    await reactToRevocation({ licenseId: id, now: change.revokedAt });
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

    /** Issues one license of a batch, which has one audit entry. */
    async issueOfBatch(license: NewLicense): Promise<number> {
      const id = await insertLicense(license);
      await reactToIssue({ at: license.createdAt, action: ISSUE, subject: licenseName(id) });
      return id;
    },

    changeLicense,

    /** Rotates a license's key. The current key works until a moment, or stops immediately (null); the previous one stops. */
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

    /** Registers a domain on behalf of the operator, or confirms a registered one. */
    async bindDomain({ licenseId, domain, now }: Omit<DomainClaim, 'sitesAllowed'>): Promise<void> {
      await register.run({ licenseId, domain, boundBy: 'operator', boundAt: now });
      await confirm.run({ licenseId, domain });
    },

    /** Releases domains beyond a number of sites, latest first; domains bound by the operator stay. */
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
      for (const { domain } of givenUp) await reactToRelease({ licenseId, domain, now });
    },

    unbindDomain: giveUp,

    /** Blocks a domain; releases it if it is registered. */
    async blockDomain({ licenseId, domain, now }: LicenseDomain & { now: number }): Promise<void> {
      await giveUp({ licenseId, domain, now });
      await db
        .insert(blockedDomains)
        .values({ licenseId, domain, blockedAt: now })
        .onConflictDoNothing()
        .run();
    },

    /** Allows a blocked domain to be registered again. */
    async unblockDomain({ licenseId, domain }: LicenseDomain): Promise<void> {
      await unblock.run({ licenseId, domain });
    },

    /** Registers a domain on first use, unless all sites are used or the operator has blocked the domain. */
    async claimDomain({ licenseId, domain, sitesAllowed, now }: DomainClaim): Promise<Refusal | undefined> {
      if (await isRegistered(licenseId, domain)) return undefined;
      if (await isBlocked.get({ licenseId, domain })) return domainBlocked();
      if (((await domainCount.get({ licenseId }))?.count ?? 0) >= sitesAllowed) {
        return refuse('SITE_LIMIT_REACHED', 'This license has no site left for a new domain.');
      }
      await register.run({ licenseId, domain, boundBy: 'first_use', boundAt: now });
      return undefined;
    },
  };
});
