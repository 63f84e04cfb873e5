import type { Static } from '@sinclair/typebox';
import { isRefusal } from '../domain/refusal.ts';
import { addressOf } from '../pages/query.ts';
import type { SiteList } from '../routes/fields/site-fields.ts';
import { askUnless } from './ask.ts';
import type { PortalParts, Visit } from './visit.ts';

const PER_PAGE = 200;
/** Maximum number of sites in a select. */
export const SITES_SHOWN = 100;
/** Enough for five times the sites of the highest plan. */
const PAGES_MAX = 25;

/** URLs of a tenant's sites, by ID. */
export type SiteNames = ReadonlyMap<string, string>;

/** Returns a map with the URLs of the given sites. All sites are read only if one of them is not among the first. */
export async function namesOf(
  parts: PortalParts,
  visit: Visit,
  ids: readonly (string | null)[],
): Promise<SiteNames> {
  const first = await siteNames(parts, visit, SITES_SHOWN);
  const isEach = first.size < SITES_SHOWN || ids.every((id) => id === null || first.has(id));
  return isEach ? first : siteNames(parts, visit);
}

/**
 * Returns the URLs of the first sites of a tenant; none if its plan does not include the list.
 *
 * @param count number of sites; default: all
 */
export async function siteNames(parts: PortalParts, visit: Visit, count?: number): Promise<SiteNames> {
  const names = new Map<string, string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < (count === undefined ? PAGES_MAX : 1); pages += 1) {
    const path = addressOf('/sites', { limit: String(count ?? PER_PAGE), cursor });
    const list = await askUnless<Static<typeof SiteList>>(['PLAN_REQUIRED'], parts, visit, path);
    if (isRefusal(list)) break;
    for (const { id, url } of list.sites) names.set(id, url);
    if (list.next_cursor === null) break;
    cursor = list.next_cursor;
  }
  return names;
}
