import { and, asc, desc, eq, not, notInArray, sql } from 'drizzle-orm';
import { isOperator } from '../../domain/admin/author.ts';
import { domainBlocked, grantedTerms, licenseName } from '../../domain/license/license.ts';
import type { StoredKey } from '../../domain/license/license-key.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import { Fault } from '../../lib/fault.ts';
import { credentialJobs } from '../credentials/credential-jobs.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepare } from '../engine/statement.ts';
import { type AuditedFacts, auditJobs } from '../operators/audit.ts';
import { isSubscribed } from '../payments/subscribed.ts';
import { domainControls } from '../sites/tables.ts';
import { trustSiteJobs } from '../trust/trust-sites.ts';
import { keepLicenseChanges } from './license-evidence.ts';
import type { DomainClaim, LicenseChange, NewLicense, OperatorGrant } from './licenses.ts';
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
