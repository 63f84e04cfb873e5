import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import type { sites } from './tables.ts';

/** A site of any license, for operators. */
export type OperatorsSite = Pick<
  Row<typeof sites>,
  'id' | 'licenseId' | 'domain' | 'pluginVersion' | 'lastSeenAt'
> & {
  /** Its public id; empty before its first report. */
  readonly publicId: string;
};

/** The fields of a site that determine its position. */
export type PlacedSite = Pick<OperatorsSite, 'id' | 'pluginVersion' | 'lastSeenAt'>;

/** The site before the beginning of a page. */
export type SitePosition = Pick<OperatorsSite, 'id' | 'lastSeenAt'>;

export interface SitesOfQuery {
  readonly licenseId: number | undefined;
  /** Normalised. */
  readonly domain: string | undefined;
  readonly version: string | undefined;
  /** Only sites last seen earlier. */
  readonly seenBefore: number;
  readonly from: SitePosition;
  readonly limit: number;
}

const IDS_PER_STEP = 5_000;

/** Reads the sites of all licenses but revoked ones. */
export function readAllSites(db: Database) {
  const SELECT = `select s.id, s.license_id as licenseId, s.domain, s.plugin_version as pluginVersion,
    s.last_seen_at as lastSeenAt, coalesce(m.public_id, '') as publicId from sites s join licenses l on l.id = s.license_id
    left join site_summaries m on m.site_id = s.id and m.license_id = s.license_id`;
  const newest = prepare<{ id: number | null }>(db, 'select max(id) as id from sites');
  const step = prepare<PlacedSite>(
    db,
    `
    select s.id, s.plugin_version as pluginVersion, s.last_seen_at as lastSeenAt
      from sites s join licenses l on l.id = s.license_id
      where s.id > :after and s.id <= cast(:after as bigint) + ${IDS_PER_STEP} and l.revoked_at is null order by s.id
    `,
  );
  const ofIds = prepare<OperatorsSite>(
    db,
    `${SELECT} where s.id ${db.sqlDialect.isAmongGiven} and l.revoked_at is null order by s.last_seen_at, s.id`,
  );
  const silentestOf = (condition: string) =>
    prepare<OperatorsSite>(
      db,
      `
      ${SELECT} where ${condition} and l.revoked_at is null and (cast(:version as text) is null or s.plugin_version = :version) and s.last_seen_at < :seenBefore
          and (s.last_seen_at, s.id) > (:lastSeenAt, :id)
        order by s.last_seen_at, s.id limit :limit
      `,
    );
  const ofLicense = silentestOf('s.license_id = :licenseId and s.domain = coalesce(:domain, s.domain)');
  const ofDomain = silentestOf('s.id in (select id from sites where domain = :domain)');

  return {
    /** The largest id; 0 = there is no site. */
    newestId: async (): Promise<number> => (await newest.get())?.id ?? 0,

    /** The sites with the next ids after one, up to `reached`. */
    step: async (after: number): Promise<{ readonly sites: PlacedSite[]; readonly reached: number }> => ({
      sites: await step.all({ after }),
      reached: after + IDS_PER_STEP,
    }),

    /** Sites by id, the one last seen longest ago first. */
    ofIds: async (ids: readonly number[]): Promise<OperatorsSite[]> => ofIds.all(db.sqlDialect.given(ids)),

    /** Sites of a license or a domain, in the same order. */
    async of({ licenseId, domain, version, from, ...rest }: SitesOfQuery): Promise<OperatorsSite[]> {
      const query = { domain: domain ?? null, version: version ?? null, ...from, ...rest };
      return licenseId === undefined ? ofDomain.all(query) : ofLicense.all({ ...query, licenseId });
    },
  };
}
