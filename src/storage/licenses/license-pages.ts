import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { LicenseState } from '../../domain/license/license.ts';
import type { LicenseFilter } from '../../domain/license/license-filter.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';
import type { LicenseRecord } from './licenses.ts';
import { licenseDomains, licenses } from './tables.ts';

const IDS_PER_STEP = 5_000;
const LICENSES_PER_STEP = 200;

export interface LicenseStep {
  /** Ordered by id. */
  readonly licenses: LicenseRecord[];
  /** The highest id that was checked. */
  readonly reached: number;
}

/** Reads many licenses with a fixed number of statements. */
export function readLicensePages(db: Database) {
  const newest = prepare<{ id: number | null }>(db, 'select max(id) as id from licenses');
  const domainsOf = prepare<DomainOf>(
    db,
    `
    select license_id as licenseId, domain from license_domains
      where license_id ${db.sqlDialect.isAmongGiven} order by bound_at, domain
    `,
  );
  const blockedOf = prepare<DomainOf>(
    db,
    `
    select license_id as licenseId, domain from blocked_domains
      where license_id ${db.sqlDialect.isAmongGiven} order by domain
    `,
  );
  const recordsOf = async (rows: readonly (typeof licenses.$inferSelect)[]): Promise<LicenseRecord[]> => {
    const ids = db.sqlDialect.given(rows.map(({ id }) => id));
    const [domains, blocked] = [byLicense(await domainsOf.all(ids)), byLicense(await blockedOf.all(ids))];
    return rows.map(({ keyHash: _, ...row }) => ({
      ...row,
      domains: namesOf(domains.get(row.id)),
      blockedDomains: namesOf(blocked.get(row.id)),
    }));
  };

  return {
    /** The largest id; 0 = there is no license. */
    newestId: async (): Promise<number> => (await newest.get())?.id ?? 0,

    /** Licenses by id, in the order of the ids. */
    async ofIds(ids: readonly number[]): Promise<LicenseRecord[]> {
      return recordsOf(
        await db
          .select()
          .from(licenses)
          .where(inArray(licenses.id, [...ids]))
          .orderBy(asc(licenses.id))
          .all(),
      );
    },

    /**
     * The next licenses after an id that may pass a filter: all that do, and perhaps others. A step reads a bounded number of
     * rows.
     */
    async step(after: number, filter: LicenseFilter, nowMs: number): Promise<LicenseStep> {
      const until = after + IDS_PER_STEP;
      const rows = await db
        .select()
        .from(licenses)
        .where(and(gt(licenses.id, after), lte(licenses.id, until), mayPass(filter, nowMs)))
        .orderBy(asc(licenses.id))
        .limit(LICENSES_PER_STEP)
        .all();
      const isFull = rows.length === LICENSES_PER_STEP;
      return { licenses: await recordsOf(rows), reached: isFull ? (rows.at(-1)?.id ?? until) : until };
    },
  };
}

interface DomainOf {
  readonly licenseId: number;
  readonly domain: string;
}

const byLicense = (all: readonly DomainOf[]) => Map.groupBy(all, ({ licenseId }) => licenseId);
const namesOf = (all: readonly DomainOf[] = []): string[] => all.map(({ domain }) => domain);

/** A condition on rows that keeps every license that passes; `passes` decides. */
function mayPass(filter: LicenseFilter, nowMs: number): SQL | undefined {
  const { state, plan, domain, endsWithinMs, silent } = filter;
  const { id, expiresAt } = licenses;
  const isGranted = isNotNull(licenses.granted);
  return and(
    state && mayBe(state, nowMs),
    plan && or(eq(licenses.plan, plan), isGranted),
    domain === undefined
      ? undefined
      : sql`${id} in (select license_id from ${licenseDomains} where domain = ${domain})`,
    endsWithinMs === undefined
      ? undefined
      : or(and(gt(expiresAt, nowMs), lte(expiresAt, nowMs + endsWithinMs)), isGranted),
    silent
      ? sql`${licenses.revokedAt} is null and not exists (
          select 1 from sites s where s.license_id = ${id} and s.last_seen_at >= ${nowMs - DAY_MS})`
      : undefined,
  );
}

/** See `licenseState`. */
function mayBe(state: LicenseState, nowMs: number): SQL | undefined {
  const { revokedAt, expiresAt, pendingUntil, kind, holds, paymentHolds, paymentHoldFrom } = licenses;
  if (state === 'revoked') return isNotNull(revokedAt);
  const isGranted = isNotNull(licenses.granted);
  const mayRun = or(isNull(expiresAt), gt(expiresAt, nowMs), isGranted);
  return and(
    isNull(revokedAt),
    {
      suspended: or(sql`${holds} <> '[]'`, sql`${paymentHolds} <> '[]'`, lte(paymentHoldFrom, nowMs)),
      expired: lte(expiresAt, nowMs),
      pending: and(isNotNull(pendingUntil), mayRun),
      trial: and(or(eq(kind, 'trial'), isGranted), mayRun),
      active: mayRun,
    }[state],
  );
}
