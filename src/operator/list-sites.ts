import { type Clock, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { firstIndex } from '../lib/first-index.ts';
import { FreshValues } from '../lib/fresh-values.ts';
import { ownTurn } from '../lib/own-turn.ts';
import type { Database } from '../storage/engine/database.ts';
import { type OperatorsSite, readAllSites, type SitePosition } from '../storage/sites/all-sites.ts';

export interface SiteFilter {
  readonly licenseId?: number | undefined;
  /** Normalised. */
  readonly domain?: string | undefined;
  /** Of the plugin. */
  readonly version?: string | undefined;
  /** Only those last seen before a moment. */
  readonly seenBefore?: number | undefined;
}

export interface SitePage {
  /** The one seen longest ago first. */
  readonly sites: readonly OperatorsSite[];
  /** Behind which the next page begins; undefined = this is the last. */
  readonly next: SitePosition | undefined;
}

/** How many sites have each version of the plugin; null = those that told none. */
export type VersionCounts = ReadonlyMap<string | null, number>;

export interface ListSites {
  page(
    filter: SiteFilter,
    asked: { readonly from?: SitePosition | undefined; readonly limit: number },
  ): Promise<SitePage>;
  versions(): Promise<VersionCounts>;
}

const FRESH_MS = MINUTE_MS;
/** More sites than an installation can have: second and place in one number of 53 bits. */
const PLACES = 2 ** 21;
const BEGINNING: SitePosition = { lastSeenAt: Number.MIN_SAFE_INTEGER, id: 0 };

interface Order {
  /** By id. */
  readonly ids: readonly number[];
  /** The second in which a site was last seen and its place among the ids, sorted. */
  readonly places: Float64Array;
  /** By place. */
  readonly versions: readonly (string | null)[];
  readonly counts: VersionCounts;
}

/**
 * Lists all sites of licenses that are not revoked, the one seen longest ago first. An index by that would cost every
 * heartbeat half as much again, so the order is computed on request, some sites in each turn, and reused for a minute.
 */
export function createSiteList(db: Database, { monotonic }: Pick<Clock, 'monotonic'>): ListSites {
  const all = readAllSites(db);

  const look = async (): Promise<Order> => {
    const ids: number[] = [];
    const seconds: number[] = [];
    const versions: (string | null)[] = [];
    const counts = new Map<string | null, number>();
    const newestId = await all.newestId();
    for (let after = 0; after < newestId && ids.length < PLACES; ) {
      const { sites, reached } = await all.step(after);
      for (const { id, lastSeenAt, pluginVersion } of sites) {
        ids.push(id);
        seconds.push(secondOf(lastSeenAt));
        versions.push(pluginVersion);
        counts.set(pluginVersion, (counts.get(pluginVersion) ?? 0) + 1);
      }
      after = reached;
      await ownTurn();
    }
    const places = Float64Array.from(seconds, (second, place) => second * PLACES + place).sort();
    return { ids, places, versions, counts };
  };
  const fresh = new FreshValues(look, { freshMs: FRESH_MS, max: 1, monotonic });
  const order = async () => (await fresh.get('order')) ?? look();

  const page: ListSites['page'] = async (filter, { from = BEGINNING, limit }) => {
    const { licenseId, domain, version, seenBefore = Number.MAX_SAFE_INTEGER } = filter;
    if (licenseId !== undefined || domain !== undefined) {
      const found = await all.of({ licenseId, domain, version, seenBefore, from, limit: limit + 1 });
      const sites = found.slice(0, limit);
      return { sites, next: found.length > limit ? positionOf(sites.at(-1)) : undefined };
    }
    const { ids, places, versions } = await order();
    const found: number[] = [];
    let [last, hasMore] = [from, false];
    for (let at = firstBehind(places, ids, from); at < places.length; at += 1) {
      const [second, place] = [Math.floor((places[at] ?? 0) / PLACES), (places[at] ?? 0) % PLACES];
      const lastSeenAt = second * SECOND_MS;
      if (lastSeenAt >= seenBefore) break;
      if (version !== undefined && versions[place] !== version) continue;
      hasMore = found.length === limit;
      if (hasMore) break;
      const id = ids[place] ?? 0;
      found.push(id);
      last = { lastSeenAt, id };
    }
    const sites = await all.ofIds(found);
    // Some may have been seen meanwhile.
    return {
      sites: sites.filter(({ lastSeenAt }) => lastSeenAt < seenBefore),
      next: hasMore ? last : undefined,
    };
  };
  return { page, versions: async () => (await order()).counts };
}

const secondOf = (at: number): number => Math.floor(at / SECOND_MS);

const positionOf = (site: OperatorsSite | undefined): SitePosition | undefined =>
  site && { lastSeenAt: site.lastSeenAt, id: site.id };

function firstBehind(places: Float64Array, ids: readonly number[], { lastSeenAt, id }: SitePosition): number {
  const behind = secondOf(lastSeenAt) * PLACES + firstIndex(ids, (each) => each > id);
  return firstIndex(places, (place) => place >= behind);
}
