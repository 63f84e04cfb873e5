import { and, desc, eq, lt, notInArray } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { reactionPoint } from '../engine/jobs/reactions.ts';
import { ofRetention, retainedFrom } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import { refusedDomains } from './tables.ts';

/** Limit of refused domains for a license. */
export const REFUSED_DOMAINS_MAX = 50;

/** A domain that license/verify refused. */
export type RefusedDomain = Row<typeof refusedDomains>;

/** Refusals of a domain since they were last stored. */
export type NewRefusals = Omit<RefusedDomain, 'firstAt'>;

/** Domains were refused, for the first time or again. */
export const domainsRefused = reactionPoint<readonly NewRefusals[]>();

/** Reads the refused domains of a license, latest refusal first. */
export const readRefusedDomains = async (db: Database, licenseId: number): Promise<RefusedDomain[]> =>
  db
    .select()
    .from(refusedDomains)
    .where(eq(refusedDomains.licenseId, licenseId))
    .orderBy(desc(refusedDomains.lastAt), refusedDomains.domain)
    .all();

/** The number of latest refused domains to search. */
const NEWEST_MAX = 500;

/** Reads refusals since a moment because of used sites: the most frequent domains. */
export function readFullLicenses(db: Database): (since: number, limit: number) => Promise<RefusedDomain[]> {
  const newest = prepare<RefusedDomain>(
    db,
    `
    select r.license_id as licenseId, r.domain, r.reason, r.count, r.first_at as firstAt, r.last_at as lastAt from
      (select * from refused_domains where last_at > :since order by last_at desc limit :newest) as r
      join licenses l on l.id = r.license_id
      where r.reason = 'site_limit_reached' and l.revoked_at is null order by r.count desc, r.last_at desc limit :limit
    `,
  );
  return async (since, limit) => newest.all({ since, limit, newest: NEWEST_MAX });
}

export function refusedDomainJobs(db: Database) {
  const react = domainsRefused.of(db);
  // Joined with licenses, because one may have been deleted.
  const add = prepare(
    db,
    `
    insert into refused_domains (license_id, domain, reason, count, first_at, last_at)
      select id, :domain, :reason, :count, :lastAt, :lastAt from licenses where id = :licenseId
      on conflict (license_id, domain) do update set
        reason = excluded.reason, count = refused_domains.count + excluded.count, last_at = excluded.last_at
    `,
  );
  const keepNewest = async (licenseId: number): Promise<void> => {
    const ofLicense = eq(refusedDomains.licenseId, licenseId);
    const newest = db
      .select({ domain: refusedDomains.domain })
      .from(refusedDomains)
      .where(ofLicense)
      .orderBy(desc(refusedDomains.lastAt), refusedDomains.domain)
      .limit(REFUSED_DOMAINS_MAX);
    await db
      .delete(refusedDomains)
      .where(and(ofLicense, notInArray(refusedDomains.domain, newest)))
      .run();
  };

  return {
    /** Adds refusals since the last time. */
    async addRefusedDomains({ refusals }: { refusals: readonly NewRefusals[] }): Promise<void> {
      for (const each of refusals) await add.run({ ...each });
      for (const licenseId of new Set(refusals.map((each) => each.licenseId))) await keepNewest(licenseId);
      await react(refusals);
    },

    /** Deletes those of a license, together with its customer's data. */
    async forgetRefusedDomains({ licenseId }: { licenseId: number }): Promise<void> {
      await db.delete(refusedDomains).where(eq(refusedDomains.licenseId, licenseId)).run();
    },

    forgetOldRefusedDomains: ofRetention(
      (terms) => ({ before: retainedFrom(terms) }),
      async ({ before }: { before: number }): Promise<void> => {
        await db.delete(refusedDomains).where(lt(refusedDomains.lastAt, before)).run();
      },
    ),
  };
}
