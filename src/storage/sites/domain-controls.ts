import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import type { Author } from '../../domain/admin/author.ts';
import {
  type CheckResult,
  controlAfter,
  controlState,
  type DomainControl,
  nextCheckAt,
} from '../../domain/domain-control/control.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { evidenceEntries } from '../evidence/evidence-entries.ts';
import { type LicenseDomain, prepareIsRegistered } from '../licenses/registered-domains.ts';
import { licenses } from '../licenses/tables.ts';
import { auditJobs } from '../operators/audit.ts';
import { domainControls } from './tables.ts';

/** The result of a check of a license's control of a domain. */
export interface ControlCheck extends LicenseDomain {
  readonly result: CheckResult;
  /** The author for the audit log, if the request gets an entry there. */
  readonly by?: Author | undefined;
}

/** A check that is due. */
export interface DueCheck extends LicenseDomain {
  readonly control: DomainControl;
}

const { method, verifiedAt, checkedAt, failedSince, problem } = domainControls;
const FACTS = { method, verifiedAt, checkedAt, failedSince, problem };

const ofDomain = and(
  eq(domainControls.licenseId, sql.placeholder('licenseId')),
  eq(domainControls.domain, sql.placeholder('domain')),
);
const prepareFind = (db: Database) =>
  lazily(() => db.select(FACTS).from(domainControls).where(ofDomain).prepare());

export function domainControlJobs(db: Database) {
  const { keepEvidence, siteIdOf } = evidenceEntries(db);
  const { audit } = auditJobs(db);
  const find = prepareFind(db);
  const isRegistered = prepareIsRegistered(db);
  const keep = async (
    { licenseId, domain }: LicenseDomain,
    control: DomainControl,
  ): Promise<DomainControl> => {
    const facts = { ...control, nextCheckAt: nextCheckAt(control) };
    await db
      .insert(domainControls)
      .values({ licenseId, domain, ...facts })
      .onConflictDoUpdate({ target: [domainControls.licenseId, domainControls.domain], set: facts })
      .run();
    return control;
  };

  /** The same proof again is no news. */
  const recordVerified = async (
    { licenseId, domain }: LicenseDomain,
    before: DomainControl | undefined,
    { method, verifiedAt }: DomainControl,
    now: number,
  ): Promise<void> => {
    const wasSo = controlState(before, now) === 'verified' && before?.method === method;
    if (wasSo || verifiedAt !== now) return;
    const siteId = await siteIdOf(licenseId, domain);
    await keepEvidence({ licenseId, type: 'domain_verified', at: now, siteId, data: { domain, method } });
  };

  return {
    /** Stores the result of a check, unless the domain was released in the meantime. */
    async recordControlCheck({
      licenseId,
      domain,
      result,
      by,
    }: ControlCheck): Promise<DomainControl | Refusal> {
      if (!(await isRegistered(licenseId, domain))) return domainNotRegistered();
      const before = await find.get({ licenseId, domain });
      const after = await keep({ licenseId, domain }, controlAfter(before, result));
      await recordVerified({ licenseId, domain }, before, after, result.checkedAt);
      if (by) {
        const { method, problem, checkedAt: at } = result;
        const facts = { domain, method, problem };
        await audit({ at, ...by, action: 'domain.check', subject: licenseName(licenseId), after: facts });
      }
      return after;
    },

    async putOffControlCheck({
      licenseId,
      domain,
      nextAt,
    }: LicenseDomain & { nextAt: number }): Promise<void> {
      await db
        .update(domainControls)
        .set({ nextCheckAt: nextAt })
        .where(and(eq(domainControls.licenseId, licenseId), eq(domainControls.domain, domain)))
        .run();
    },

    /** Stores an operator's attestation for a registered domain. */
    async vouchForDomain({ licenseId, domain, now }: LicenseDomain & { now: number }): Promise<void> {
      const vouched = { method: 'operator', verifiedAt: now, checkedAt: now } as const;
      const before = await find.get({ licenseId, domain });
      const after = await keep({ licenseId, domain }, { ...vouched, failedSince: null, problem: null });
      await recordVerified({ licenseId, domain }, before, after, now);
    },

    /** Deletes the control state of a license's domain. */
    async forgetControl({ licenseId, domain }: LicenseDomain): Promise<void> {
      await db
        .delete(domainControls)
        .where(and(eq(domainControls.licenseId, licenseId), eq(domainControls.domain, domain)))
        .run();
    },
  };
}

/** For a site whose domain is not registered. */
export const domainNotRegistered = (): Refusal =>
  refuse('DOMAIN_MISMATCH', 'The domain of this site is not registered for this license.');

/** Reads whether licenses control their domains. */
export function readDomainControls(db: Database) {
  const find = prepareFind(db);
  return {
    /** Undefined for a domain without checks and attestations. */
    find: async (licenseId: number, domain: string): Promise<DomainControl | undefined> =>
      find.get({ licenseId, domain }),
  };
}

/** Reads checks that are due at a moment, the longest due first; none of revoked licenses. */
export function readDueChecks(db: Database): (nowMs: number, limit: number) => Promise<DueCheck[]> {
  const due = lazily(() =>
    db
      .select({ licenseId: domainControls.licenseId, domain: domainControls.domain, control: FACTS })
      .from(domainControls)
      .innerJoin(licenses, eq(licenses.id, domainControls.licenseId))
      .where(and(lte(domainControls.nextCheckAt, sql.placeholder('now')), isNull(licenses.revokedAt)))
      .orderBy(asc(domainControls.nextCheckAt))
      .limit(sql.placeholder('limit'))
      .prepare(),
  );
  return async (now, limit) => due.all({ now, limit });
}

export type DomainControlReads = ReturnType<typeof readDomainControls>;
