import { isDeepStrictEqual } from 'node:util';
import { and, eq, sql } from 'drizzle-orm';
import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import { newOpaqueId } from '../../lib/opaque-id.ts';
import type { Database } from '../engine/database.ts';
import { reactionPoint } from '../engine/jobs/reactions.ts';
import { lazily } from '../engine/lazily.ts';
import { perDatabase } from '../engine/per-database.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import type { Row } from '../engine/table.ts';
import { evidenceEntries } from '../evidence/evidence-entries.ts';
import { dailyUsageJobs } from '../licenses/daily-usage.ts';
import { type LicenseDomain, prepareIsRegistered } from '../licenses/registered-domains.ts';
import { domainNotRegistered } from '../sites/domain-controls.ts';
import { trustSites } from './tables.ts';

/** The daily limit for changes of trust states. */
const TRUST = 'trust';

/** A tenant's settings of a site's public trust state. */
export type TrustSite = Omit<Row<typeof trustSites>, 'updatedAt'>;

/** A tenant's change of these settings. */
export interface WantedTrust extends LicenseDomain {
  readonly enabled: boolean;
  /** Undefined = unchanged; initially shown. */
  readonly showGrade: boolean | undefined;
  /** Whether to replace the site's id, so that the old one shows nothing. */
  readonly rotate: boolean;
  /** Changes of a license per UTC day. */
  readonly dailyCap: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

const { licenseId, domain, trustId, enabled, showGrade } = trustSites;
const COLUMNS = { licenseId, domain, trustId, enabled, showGrade };
const ofSite = and(eq(licenseId, sql.placeholder('licenseId')), eq(domain, sql.placeholder('domain')));
const prepareFind = (db: Database) =>
  lazily(() => db.select(COLUMNS).from(trustSites).where(ofSite).prepare());

/** A tenant changed a public trust state, or the end of its domain's registration did. */
export const trustChanged = reactionPoint<TrustSite & { readonly now: number }>();

export const trustSiteJobs = perDatabase((db: Database) => {
  const { keepEvidence, siteIdOf } = evidenceEntries(db);
  const { spendDailyUse } = dailyUsageJobs(db);
  const react = trustChanged.of(db);
  const find = prepareFind(db);
  const isRegistered = prepareIsRegistered(db);

  const keep = async (site: TrustSite, now: number): Promise<TrustSite> => {
    const { licenseId, domain, ...facts } = site;
    await db
      .insert(trustSites)
      .values({ ...site, updatedAt: now })
      .onConflictDoUpdate({
        target: [trustSites.licenseId, trustSites.domain],
        set: { ...facts, updatedAt: now },
      })
      .run();
    const data = { domain, enabled: site.enabled, trust_id: site.trustId, show_grade: site.showGrade };
    const siteId = await siteIdOf(licenseId, domain);
    await keepEvidence({ licenseId, type: 'trust_changed', at: now, siteId, data });
    await react({ ...site, now });
    return site;
  };

  const setTrust = async (wanted: WantedTrust): Promise<TrustSite | Refusal> => {
    const { licenseId, domain, enabled, showGrade, rotate, dailyCap, now } = wanted;
    if (enabled && !(await isRegistered(licenseId, domain))) return domainNotRegistered();
    const before = await find.get({ licenseId, domain });
    const site = {
      licenseId,
      domain,
      enabled,
      trustId: before === undefined || rotate ? newOpaqueId() : before.trustId,
      showGrade: showGrade ?? before?.showGrade ?? true,
    };
    if (isDeepStrictEqual(site, before)) return site;
    // Switching off is never refused: it takes one change to switch on first.
    const isEnd = before?.enabled === true && !enabled;
    const used = isEnd ? undefined : await spendDailyUse({ licenseId, route: TRUST, dailyCap, now });
    return isRefusal(used) ? used : keep(site, now);
  };

  return {
    /** Stores the settings, unless the domain was released in the meantime. */
    setTrust,

    /** The same for switching a site off, which works on a full disk too. */
    switchTrustOff: usesReserve(async (wanted: WantedTrust & { readonly enabled: false }) =>
      setTrust(wanted),
    ),

    /** Switches a site off; runs in the transaction that releases its domain. */
    async endTrust({ licenseId, domain, now }: LicenseDomain & { now: number }): Promise<void> {
      const before = await find.get({ licenseId, domain });
      if (before?.enabled) await keep({ ...before, enabled: false }, now);
    },
  };
});

/** Reads tenants' settings of the public trust states. */
export function readTrustSites(db: Database) {
  const find = prepareFind(db);
  const anyEnabled = lazily(() =>
    db
      .select({ domain })
      .from(trustSites)
      .where(and(eq(licenseId, sql.placeholder('licenseId')), eq(enabled, true)))
      .limit(1)
      .prepare(),
  );
  return {
    /** Undefined for a site without settings. */
    find: async (licenseId: number, domain: string): Promise<TrustSite | undefined> =>
      find.get({ licenseId, domain }),

    /** Whether a license has any enabled trust state. */
    isAnyEnabled: async (licenseId: number): Promise<boolean> =>
      (await anyEnabled.get({ licenseId })) !== undefined,
  };
}

/** Reads the site of a trust id, of any tenant, for the public. */
export function readTrustSiteOf(db: Database): (trustId: string) => Promise<TrustSite | undefined> {
  const find = lazily(() =>
    db
      .select(COLUMNS)
      .from(trustSites)
      .where(eq(trustId, sql.placeholder('trustId')))
      .prepare(),
  );
  return async (trustId) => find.get({ trustId });
}

export type TrustSiteReads = ReturnType<typeof readTrustSites>;
