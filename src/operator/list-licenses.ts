import type { Catalog } from '../domain/license/catalog.ts';
import { type LicenseFilter, passes } from '../domain/license/license-filter.ts';
import { ownTurn } from '../lib/own-turn.ts';
import type { Database } from '../storage/engine/database.ts';
import { readLicensePages } from '../storage/licenses/license-pages.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';
import { type Act, audited, type PlannedAct } from './act.ts';

export interface LicensePage {
  /** In the order of their ids. */
  readonly licenses: readonly LicenseRecord[];
  /** Behind which id the next page begins; null = this one is the last. */
  readonly next: number | null;
}

/** A page of licenses behind an id, full where there are enough that a filter lets through. */
export async function listLicenses(
  db: Database,
  filter: LicenseFilter,
  { after, limit }: { readonly after: number; readonly limit: number },
  catalog: Catalog,
  now: number,
): Promise<LicensePage> {
  const found: LicenseRecord[] = [];
  for await (const some of eachLicense(db, filter, catalog, now, after)) {
    found.push(...some);
    // One more than is wanted tells whether there are more.
    if (found.length > limit) break;
  }
  const licenses = found.slice(0, limit);
  return { licenses, next: found.length > limit ? (licenses.at(-1)?.id ?? null) : null };
}

/**
 * All licenses that match a filter, in batches, in the order of their ids and each once, despite concurrent changes.
 * Each step has a turn of the event loop of its own.
 *
 * @param after only those with a larger id
 */
export async function* eachLicense(
  db: Database,
  filter: LicenseFilter,
  catalog: Catalog,
  now: number,
  after = 0,
): AsyncGenerator<LicenseRecord[]> {
  const pages = readLicensePages(db);
  const newestId = await pages.newestId();
  for (let reached = after; reached < newestId; ) {
    const step = await pages.step(reached, filter, now);
    reached = step.reached;
    yield step.licenses.filter((license) => passes(license, filter, catalog, now));
    await ownTurn();
  }
}

/** Notes that the licenses that a filter lets through are written down somewhere else, before they are. */
export const exportLicenses = (filter: LicenseFilter, format: 'csv' | 'ndjson', act: Act): PlannedAct =>
  audited(act, 'license.export', null, [], { after: { format, ...filter } });
