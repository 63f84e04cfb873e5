import type { FeedObject } from '../domain/threat/feed-object.ts';
import { COMMON, stixIndicator } from '../domain/threat/stix.ts';
import {
  type AddedObject,
  type CollectionName,
  type ListedAs,
  TAXII_MEDIA_TYPE,
  taxiiPage,
} from '../domain/threat/taxii.ts';
import { type Representations, represent } from '../http/representations.ts';
import { GenerationMap } from '../lib/generation-cache.ts';
import { type AskedObjects, FIRST_DATE_ADDED } from '../storage/threats/feed-objects.ts';

/** A requested page of a collection. */
export interface AskedPage {
  readonly listedAs: ListedAs;
  readonly collection: CollectionName;
  /** Only objects added after this moment, in microseconds since the Unix epoch; -1 = all. */
  readonly after: number;
  readonly limit: number;
  /** Filters; an object must match all of them. */
  readonly ids?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly modifiedAt?: readonly number[] | undefined;
}

/** The feed in TAXII. */
export interface TaxiiPages {
  /** From memory if the page has no filters and the feed has not changed. */
  page(asked: AskedPage): Representations | Promise<Representations>;
  /** Whether a collection has an object. */
  has(collection: CollectionName, id: string): Promise<boolean>;
}

export interface TaxiiParts {
  /** Changes with every published snapshot. */
  readonly generation: () => number;
  readonly read: (asked: AskedObjects) => Promise<FeedObject[]>;
}

/** A page uses up to 1.6 MB in both codings. */
const PAGES_REMEMBERED_MAX = 16;
const INDICATOR = 'indicator';
const HEADERS = { 'content-type': TAXII_MEDIA_TYPE, 'cache-control': 'private, no-cache' };

/** Objects that indicators refer to; part of both collections. */
const ALWAYS: readonly AddedObject[] = COMMON.map((object, at) => ({
  dateAdded: FIRST_DATE_ADDED + at,
  object,
}));

export function createTaxiiPages({ generation, read }: TaxiiParts): TaxiiPages {
  const make = async (asked: AskedPage): Promise<Representations> => {
    const { text, addedFirst, addedLast } = taxiiPage(asked.listedAs, await found(read, asked), asked.limit);
    const moments =
      addedFirst && addedLast
        ? { 'x-taxii-date-added-first': addedFirst, 'x-taxii-date-added-last': addedLast }
        : {};
    return represent(text, { ...HEADERS, ...moments });
  };
  const remembered = new GenerationMap(
    generation,
    (key: string) => make(JSON.parse(key) as AskedPage),
    PAGES_REMEMBERED_MAX,
  );
  return {
    page: (asked) => {
      const { listedAs, collection, after, limit, ids, types, modifiedAt } = asked;
      if (ids || types || modifiedAt) return make(asked);
      const page = remembered.get(JSON.stringify({ listedAs, collection, after, limit }));
      return page instanceof Promise ? page.then((made) => made ?? make(asked)) : page;
    },
    async has(collection, id) {
      const asked = { listedAs: 'versions', collection, after: -1, limit: 1, ids: [id] } as const;
      return (await found(read, asked)).length > 0;
    },
  };
}

/** The objects of a page in order, plus one more if another page follows. */
async function found(read: TaxiiParts['read'], asked: AskedPage): Promise<readonly AddedObject[]> {
  const { collection, after, limit, ids, types, modifiedAt } = asked;
  const fixed = ALWAYS.filter(
    ({ dateAdded, object }) =>
      dateAdded > after &&
      (ids?.includes(object.id) ?? true) &&
      (types?.includes(object.type) ?? true) &&
      (modifiedAt?.includes(Date.parse(object.modified)) ?? true),
  );
  if (types && !types.includes(INDICATOR)) return fixed;
  const prefix = `${INDICATOR}--`;
  const uuids = ids?.flatMap((id) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : []));
  if (uuids?.length === 0) return fixed;
  const isWithdrawn = collection === 'withdrawn';
  const threats = await read({ isWithdrawn, after, uuids, modifiedAt, limit: limit + 1 });
  return [
    ...fixed,
    ...threats.map((threat) => ({ dateAdded: threat.dateAdded, object: stixIndicator(threat) })),
  ];
}
