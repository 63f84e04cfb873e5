import { isoMicroseconds } from '../../lib/microseconds.ts';
import { uuid5 } from '../../lib/uuid5.ts';
import { NAMESPACE, type StixObject } from './stix.ts';

// The feed as a service of TAXII 2.1 (OASIS Standard, 10 June 2021), read only.

/** The media type of all answers. */
export const TAXII_MEDIA_TYPE = 'application/taxii+json;version=2.1';
const STIX_MEDIA_TYPE = 'application/stix+json;version=2.1';

/** The most objects on a page. A page of that many takes about 1.4 MB. */
export const TAXII_PAGE_MAX = 2_000;

export const COLLECTION_NAMES = ['threats', 'withdrawn'] as const;
export type CollectionName = (typeof COLLECTION_NAMES)[number];

interface Described {
  readonly title: string;
  readonly description: string;
}

const DESCRIBED: Readonly<Record<CollectionName, Described>> = {
  threats: { title: 'Threats', description: 'Indicators of threats that several customers reported' },
  withdrawn: {
    title: 'Withdrawn threats',
    description: 'Indicators that are no longer in the feed, with revoked: true',
  },
};

const idOf = (name: CollectionName): string => uuid5(NAMESPACE, `collection ${name}`);

/** The collection that a path names by its id or its alias; undefined if there is none. */
export const collectionAt = (idOrAlias: string): CollectionName | undefined =>
  COLLECTION_NAMES.find((name) => idOrAlias === name || idOrAlias === idOf(name));

/** The collection resource of TAXII (5.2). */
export const collectionResource = (name: CollectionName): object => ({
  id: idOf(name),
  ...DESCRIBED[name],
  alias: name,
  can_read: true,
  can_write: false,
  media_types: [STIX_MEDIA_TYPE],
});

/** An object with the moment when its version was added, in microseconds since the Unix epoch. */
export interface AddedObject {
  readonly dateAdded: number;
  readonly object: StixObject;
}

/** The resources that list the objects of a collection. */
export type ListedAs = 'objects' | 'manifest' | 'versions';

/** The whole of a page, and the moments of its first and last object. */
export interface TaxiiPage {
  readonly text: string;
  /** Undefined for a page without objects. */
  readonly addedFirst: string | undefined;
  readonly addedLast: string | undefined;
}

const SHOWN: Readonly<Record<ListedAs, (added: AddedObject) => unknown>> = {
  objects: ({ object }) => object,
  manifest: ({ dateAdded, object }) => ({
    id: object.id,
    date_added: isoMicroseconds(dateAdded),
    version: object.modified,
    media_type: STIX_MEDIA_TYPE,
  }),
  versions: ({ object }) => object.modified,
};

/**
 * A page of a collection. The next page begins after the moment of the last object: no two objects share one, so that a client that
 * sends that moment as `added_after` gets the same page as one that sends `next`.
 *
 * @param found the objects of the page in the order in which they were added, and one more if others follow
 */
export function taxiiPage(listedAs: ListedAs, found: readonly AddedObject[], limit: number): TaxiiPage {
  const added = found.slice(0, limit);
  const last = added.at(-1);
  const addedLast = last && isoMicroseconds(last.dateAdded);
  const more = found.length > limit && last ? { more: true, next: String(last.dateAdded) } : {};
  // An empty envelope has no list (3.7).
  const list = last ? { [listedAs === 'manifest' ? 'objects' : listedAs]: added.map(SHOWN[listedAs]) } : {};
  const addedFirst = added[0] && isoMicroseconds(added[0].dateAdded);
  return { text: JSON.stringify({ ...more, ...list }), addedFirst, addedLast };
}
