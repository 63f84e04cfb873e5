import { hash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { FindingChanges } from '../../domain/vulnerability/finding-changes.ts';
import type { Inventory } from '../../domain/vulnerability/inventory.ts';
import { HOUR_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { Database } from '../engine/database.ts';
import { reactionPoint } from '../engine/jobs/reactions.ts';
import { lazily } from '../engine/lazily.ts';
import { ofRetention, retainedFrom } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';
import { evidenceEntries } from '../evidence/evidence-entries.ts';
import { parseComponents, storeComponents } from './stored-components.ts';
import { siteInventories } from './tables.ts';

/** The last reported components of a site: at least one. */
export interface KeptInventory extends Inventory {
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
}

/** Such components, and their site. */
export interface SiteInventory extends KeptInventory {
  readonly licenseId: number;
  readonly siteId: number;
}

/** A report of components, with its effect on the vulnerabilities of the site; omitted when not needed. */
export interface ReportedInventory extends SiteInventory {
  readonly changes?: FindingChanges | undefined;
}

/** A site reported components that change its vulnerabilities. */
export const findingsChanged = reactionPoint<{
  readonly licenseId: number;
  readonly siteId: number;
  readonly changes: FindingChanges;
  readonly now: number;
}>();

/** The effect of an inventory: stored as a site's first one, replaced its earlier one, or removed it. */
export type InventoryPersistence = 'stored' | 'replaced' | 'forgotten';

/** One may take 150 KB and more, so that this many are room enough for one transaction. */
const RETENTION_CHUNK_INVENTORIES = 200;

const ofThisSite = and(
  eq(siteInventories.licenseId, sql.placeholder('licenseId')),
  eq(siteInventories.siteId, sql.placeholder('siteId')),
);

/**
 * Limits how often a site changes its license's log, so that reporting other components with each request cannot fill the disk.
 */
const RECORD_EVERY_MS = HOUR_MS;

export function inventoryJobs(db: Database) {
  const { keepEvidence } = evidenceEntries(db);
  const react = findingsChanged.of(db);
  const lastEntryOf = prepare<{ hash: string | null; at: number | null; site: string }>(
    db,
    `
    select evidence_hash as hash, evidence_at as at, public_id as site
      from site_summaries where license_id = ? and site_id = ?
    `,
  );
  const noteEntry = prepare(
    db,
    'update site_summaries set evidence_hash = ?, evidence_at = ? where license_id = ? and site_id = ?',
  );
  /** Adds an entry to the license's log when a site runs other components than the log knows. */
  const recordComponents = async ({
    licenseId,
    siteId,
    receivedAt: at,
    components,
  }: SiteInventory): Promise<void> => {
    const last = await lastEntryOf.get(licenseId, siteId);
    const componentsHash = hashOfComponents(components);
    if (last === undefined || last.hash === componentsHash) return;
    if (last.at !== null && at - last.at < RECORD_EVERY_MS) return;
    const data = { count: components.length, hash: componentsHash };
    await keepEvidence({ licenseId, type: 'components', at, siteId: last.site, data });
    await noteEntry.run(componentsHash, at, licenseId, siteId);
  };
  const received = lazily(() =>
    db.select({ receivedAt: siteInventories.receivedAt }).from(siteInventories).where(ofThisSite).prepare(),
  );
  const forget = lazily(() => db.delete(siteInventories).where(ofThisSite).prepare());
  const replace = lazily(() =>
    db
      .insert(siteInventories)
      .values({
        licenseId: sql.placeholder('licenseId'),
        siteId: sql.placeholder('siteId'),
        components: sql.placeholder('components'),
        receivedAt: sql.placeholder('receivedAt'),
      })
      .onConflictDoUpdate({
        target: [siteInventories.licenseId, siteInventories.siteId],
        set: { components: sql`excluded.components`, receivedAt: sql`excluded.received_at` },
      })
      .prepare(),
  );

  return {
    /** Stores the current components of a site; replaces the earlier ones. An empty report removes them. */
    async replaceInventory({ changes, ...reported }: ReportedInventory): Promise<InventoryPersistence> {
      const { licenseId, siteId, receivedAt, ...inventory } = reported;
      await recordComponents(reported);
      if (changes) await react({ licenseId, siteId, changes, now: receivedAt });
      if (inventory.components.length === 0) {
        await forget.run({ licenseId, siteId });
        return 'forgotten';
      }
      const isKnown = (await received.get({ licenseId, siteId })) !== undefined;
      await replace.run({ licenseId, siteId, components: storeComponents(inventory), receivedAt });
      return isKnown ? 'replaced' : 'stored';
    },

    /**
     * Deletes the oldest inventories received before a moment, a bounded number at a time.
     *
     * @returns how many; 0 = none left
     */
    forgetInventories: ofRetention(
      (terms) => ({ receivedBefore: retainedFrom(terms) }),
      async ({ receivedBefore }: { receivedBefore: number }): Promise<number> => {
        const { changes } = await db.run(
          sql`delete from ${siteInventories} where (license_id, site_id) in (
            select license_id, site_id from ${siteInventories}
            where ${siteInventories.receivedAt} < ${receivedBefore}
            order by ${siteInventories.receivedAt} limit ${RETENTION_CHUNK_INVENTORIES}
          )`,
        );
        return Number(changes);
      },
    ),
  };
}

/** Independent of their order. */
const hashOfComponents = (components: SiteInventory['components']): string => {
  const lines = components.map(({ ecosystem, nameHash, version, status }) =>
    [ecosystem, nameHash, version, status].join('\t'),
  );
  return hash('sha256', lines.toSorted().join('\n'), 'base64url');
};

/** Reads the inventories of tenants. */
export function readInventories(db: Database) {
  const ofSite = lazily(() =>
    db
      .select({ components: siteInventories.components, receivedAt: siteInventories.receivedAt })
      .from(siteInventories)
      .where(ofThisSite)
      .prepare(),
  );

  const receivedAt = lazily(() =>
    db.select({ receivedAt: siteInventories.receivedAt }).from(siteInventories).where(ofThisSite).prepare(),
  );

  return {
    /**
     * The components of a license's site; undefined without a report, and after its deletion.
     *
     * @throws Fault when the stored text is damaged
     */
    async ofSite(licenseId: number, siteId: number): Promise<KeptInventory | undefined> {
      const row = await ofSite.get({ licenseId, siteId });
      return row && { ...inventoryOf(siteId, row.components, row.receivedAt), receivedAt: row.receivedAt };
    },

    /** When a license's site reported its components last, without reading them; undefined when it never did. */
    receivedAt: async (licenseId: number, siteId: number): Promise<number | undefined> =>
      (await receivedAt.get({ licenseId, siteId }))?.receivedAt,
  };
}

/** A site with reported components. */
export interface ReportingSite {
  readonly licenseId: number;
  readonly id: number;
  readonly publicId: string;
  readonly domain: string;
}

const SITES_PER_PAGE = 200;

/** Every site with reported components, of all licenses, one license after another: for the operator, never for a tenant. */
export async function* reportingSites(db: Database): AsyncGenerator<ReportingSite> {
  const page = prepare<ReportingSite>(
    db,
    `
    select i.license_id as licenseId, s.id, m.public_id as publicId, s.domain
      from site_inventories i join sites s on s.id = i.site_id join site_summaries m on m.site_id = s.id
        and m.license_id = i.license_id
      where (i.license_id, i.site_id) > (:licenseId, :siteId)
      order by i.license_id, i.site_id limit ${SITES_PER_PAGE}
    `,
  );
  let after = { licenseId: 0, siteId: 0 };
  while (true) {
    const sites = await page.all(after);
    yield* sites;
    const last = sites.at(-1);
    if (last === undefined || sites.length < SITES_PER_PAGE) return;
    after = { licenseId: last.licenseId, siteId: last.id };
  }
}

/**
 * Visits every inventory of all licenses, with one at a time in memory: for the operator, never for a tenant.
 *
 * @throws Fault when one is damaged
 */
export async function eachInventory(
  db: Database,
  visit: (inventory: SiteInventory) => unknown,
): Promise<void> {
  const all = prepare<Omit<SiteInventory, keyof Inventory> & { readonly components: string }>(
    db,
    `
    select license_id as licenseId, site_id as siteId, components, received_at as receivedAt
      from site_inventories order by license_id, site_id
    `,
  );
  for await (const row of all.iterate())
    await visit({ ...row, ...inventoryOf(row.siteId, row.components, row.receivedAt) });
}

function inventoryOf(siteId: number, text: string, receivedAt: number): Inventory {
  const inventory = parseComponents(text, receivedAt);
  if (inventory !== undefined) return inventory;
  throw new Fault(
    `the stored components of the site with id ${siteId} are damaged until the site sends them again`,
  );
}

export type InventoryReads = ReturnType<typeof readInventories>;
