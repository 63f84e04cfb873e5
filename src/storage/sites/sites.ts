import { and, asc, eq, gt, isNotNull, lte, max, sql } from 'drizzle-orm';
import type { SeverityCounts } from '../../domain/event/rollups.ts';
import { ANY_TIME, type Span } from '../../domain/site/site-status.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import { siteSummaries, sites } from './tables.ts';

/** Limits the stored sites of a license that is not bound to domains. */
export const SITES_STORED_MAX = 2_000;

/** A site known from its tenant's telemetry. */
export interface Site
  extends Pick<Row<typeof sites>, 'id' | 'domain' | 'pluginVersion' | 'firstSeenAt' | 'lastSeenAt'>,
    Pick<Row<typeof siteSummaries>, 'publicId' | 'lastEventAt'> {
  /** Events that are kept. */
  readonly events: SeverityCounts;
}

export type SiteDetail = Site & Pick<Row<typeof sites>, 'siteUuid' | 'stats'>;

export interface SiteQuery {
  readonly licenseId: number;
  /** Sites with a greater id. */
  readonly afterId: number;
  readonly lastSeen: Span;
  readonly limit: number;
}

export function readSites(db: Database) {
  const { info, low, medium, high, critical } = siteSummaries;
  const columns = {
    id: sites.id,
    publicId: siteSummaries.publicId,
    domain: sites.domain,
    pluginVersion: sites.pluginVersion,
    firstSeenAt: sites.firstSeenAt,
    lastSeenAt: sites.lastSeenAt,
    events: { info, low, medium, high, critical },
    lastEventAt: siteSummaries.lastEventAt,
  };
  const ofLicense = eq(siteSummaries.licenseId, sql.placeholder('licenseId'));
  const list = lazily(() =>
    db
      .select(columns)
      .from(siteSummaries)
      .innerJoin(sites, eq(sites.id, siteSummaries.siteId))
      .where(
        and(
          ofLicense,
          gt(siteSummaries.siteId, sql.placeholder('afterId')),
          gt(sites.lastSeenAt, sql.placeholder('after')),
          lte(sites.lastSeenAt, sql.placeholder('upTo')),
        ),
      )
      .orderBy(asc(siteSummaries.siteId))
      .limit(sql.placeholder('limit'))
      .prepare(),
  );
  const find = lazily(() =>
    db
      .select({ ...columns, siteUuid: sites.siteUuid, stats: sites.stats })
      .from(siteSummaries)
      .innerJoin(sites, eq(sites.id, siteSummaries.siteId))
      .where(and(eq(siteSummaries.publicId, sql.placeholder('publicId')), ofLicense))
      .prepare(),
  );
  const findByDomain = lazily(() =>
    db
      .select(columns)
      .from(sites)
      .innerJoin(siteSummaries, eq(siteSummaries.siteId, sites.id))
      .where(
        and(eq(sites.licenseId, sql.placeholder('licenseId')), eq(sites.domain, sql.placeholder('domain'))),
      )
      .prepare(),
  );
  const count = lazily(() =>
    db
      .select({ count: sql<number>`count(*)` })
      .from(sites)
      .where(eq(sites.licenseId, sql.placeholder('licenseId')))
      .prepare(),
  );
  const versions = lazily(() =>
    db
      .selectDistinct({ version: sites.pluginVersion })
      .from(sites)
      .where(and(eq(sites.licenseId, sql.placeholder('licenseId')), isNotNull(sites.pluginVersion)))
      .prepare(),
  );

  return {
    /** In the order in which they were first seen, which nothing changes. */
    list: async ({ licenseId, afterId, lastSeen, limit }: SiteQuery): Promise<Site[]> =>
      list.all({ licenseId, afterId, ...lastSeen, limit }),

    /** All of a license's sites, in the same order. */
    all: async (licenseId: number): Promise<Site[]> =>
      list.all({ licenseId, afterId: 0, ...ANY_TIME, limit: SITES_STORED_MAX }),

    /** How many sites a license has. */
    count: async (licenseId: number): Promise<number> => (await count.get({ licenseId }))?.count ?? 0,

    /** A license's site by its public id; another license's is not found. */
    find: async (licenseId: number, publicId: string): Promise<SiteDetail | undefined> =>
      find.get({ licenseId, publicId }),

    /** A license's site by its normalised domain. */
    findByDomain: async (licenseId: number, domain: string): Promise<Site | undefined> =>
      findByDomain.get({ licenseId, domain }),

    /** The plugin versions that a license's sites report. */
    pluginVersions: async (licenseId: number): Promise<string[]> =>
      (await versions.all({ licenseId })).flatMap(({ version }) => version ?? []),
  };
}

/** When a license's sites last reported, in milliseconds since the Unix epoch; null = never. */
export const readLastSeen = async (db: Database, licenseId: number): Promise<number | null> =>
  (
    await db
      .select({ at: max(sites.lastSeenAt) })
      .from(sites)
      .where(eq(sites.licenseId, licenseId))
      .get()
  )?.at ?? null;

/**
 * Counts sites, of all unrevoked licenses, that reported after a moment but have no stored components: for the operator, never
 * for a tenant.
 */
export const countSitesWithoutComponents = async (db: Database, seenAfter: number): Promise<number> =>
  (
    await prepare<{ readonly count: number }>(
      db,
      `
    select count(*) as count from sites s join licenses l on l.id = s.license_id
      where s.last_seen_at > ? and l.revoked_at is null and not exists
        (select 1 from site_inventories i where i.license_id = s.license_id and i.site_id = s.id)
    `,
    ).get(seenAfter)
  )?.count ?? 0;

export type SiteReads = ReturnType<typeof readSites>;
