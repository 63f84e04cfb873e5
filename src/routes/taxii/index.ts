import { refuse } from '../../domain/refusal.ts';
import { type CollectionName, collectionAt } from '../../domain/threat/taxii.ts';
import type { Authenticate } from '../../http/caller.ts';
import type { HookContext } from '../../http/context.ts';
import { answerFrom, type Representations } from '../../http/representations.ts';
import { openRoute } from '../../http/route/index.ts';
import type { Awaitable } from '../../lib/awaitable.ts';
import { whenReady } from '../../lib/when-ready.ts';
import type { AskedPage, TaxiiPages } from '../../tasks/taxii-pages.ts';
import type { Parts } from '../parts.ts';
import { TAXII } from './failures.ts';
import { filtersOf, OBJECT_QUERY, OBJECTS_QUERY, VERSIONS_QUERY } from './filters.ts';
import { checkAccept, isTaxii } from './media-type.ts';
import { apiRoot, collection, collections, discovery, ROOT } from './resources.ts';

interface TaxiiParts extends Parts<'publicUrl' | 'uses'> {
  /** Accepts a Bearer key, or a key as the password of Basic authentication. */
  readonly authenticateReader: Authenticate;
  readonly taxiiPages: TaxiiPages;
}

const API_ROOT = `${TAXII}${ROOT}` as const;
const COLLECTION = `${API_ROOT}collections/:collection/` as const;
const limit = 'threat-feed';

/** Authenticates a reader of the feed, and answers with a content. Synchronous if license and content are cached. */
const answering =
  <Asked extends HookContext>(contentOf: (asked: Asked, parts: TaxiiParts) => Awaitable<Representations>) =>
  (asked: Asked, parts: TaxiiParts) => {
    const { request, set } = asked;
    return whenReady(parts.authenticateReader({ request, set }), ({ licenseId }) => {
      checkAccept(request);
      parts.uses.note('threat-feed', licenseId);
      return whenReady(contentOf(asked, parts), (content) => answerFrom({ request, set }, content));
    });
  };

const collectionIn = (idOrAlias: string): CollectionName => {
  const name = collectionAt(idOrAlias);
  if (name === undefined) throw refuse('NOT_FOUND', 'There is no such collection.');
  return name;
};

interface AskedObject {
  readonly params: { readonly collection: string; readonly object?: string | null };
}

/**
 * Returns a page about one object. `object` is null if its percent-encoding is malformed, which is refused like an unknown one.
 */
async function pageOf(
  { params }: AskedObject,
  { taxiiPages }: TaxiiParts,
  asked: Omit<AskedPage, 'collection' | 'ids'>,
): Promise<Representations> {
  const { object } = params;
  const name = collectionIn(params.collection);
  if (!object || !(await taxiiPages.has(name, object)))
    throw refuse('NOT_FOUND', 'The collection has no such object.');
  return taxiiPages.page({ ...asked, collection: name, ids: [object] });
}

const resources = [
  openRoute({
    at: `GET ${TAXII}`,
    limit,
    handle: answering((_, { publicUrl }) => discovery(publicUrl() + TAXII)),
  }),
  openRoute({ at: `GET ${API_ROOT}`, limit, handle: answering(apiRoot) }),
  openRoute({ at: `GET ${API_ROOT}collections/`, limit, handle: answering(collections) }),
  openRoute({
    at: `GET ${COLLECTION}`,
    limit,
    handle: answering(({ params }) => collection(collectionIn(params.collection))),
  }),
  openRoute({
    at: `GET ${COLLECTION}manifest/`,
    limit,
    query: OBJECTS_QUERY,
    handle: answering(({ params, query }, { taxiiPages }) =>
      taxiiPages.page({
        listedAs: 'manifest',
        collection: collectionIn(params.collection),
        ...filtersOf(query),
      }),
    ),
  }),
  openRoute({
    at: `GET ${COLLECTION}objects/`,
    limit,
    query: OBJECTS_QUERY,
    handle: answering(({ params, query }, { taxiiPages }) =>
      taxiiPages.page({
        listedAs: 'objects',
        collection: collectionIn(params.collection),
        ...filtersOf(query),
      }),
    ),
  }),
  openRoute({
    at: `GET ${COLLECTION}objects/:object/`,
    limit,
    query: OBJECT_QUERY,
    handle: answering((asked, parts) =>
      pageOf(asked, parts, { listedAs: 'objects', ...filtersOf(asked.query) }),
    ),
  }),
  openRoute({
    at: `GET ${COLLECTION}objects/:object/versions/`,
    limit,
    query: VERSIONS_QUERY,
    handle: answering((asked, parts) =>
      pageOf(asked, parts, { listedAs: 'versions', ...filtersOf(asked.query) }),
    ),
  }),
  openRoute({
    at: `POST ${COLLECTION}objects/`,
    limit,
    handle: ({ request, set, params }, { authenticateReader }: TaxiiParts) =>
      whenReady(authenticateReader({ request, set }), () => {
        collectionIn(params.collection);
        if (!isTaxii(request.headers.get('content-type')))
          throw refuse('UNSUPPORTED_MEDIA_TYPE', 'Send application/taxii+json;version=2.1.');
        throw refuse('READ_ONLY_COLLECTION', 'Objects cannot be added to this collection.');
      }),
  }),
];

/**
 * The feed as a TAXII 2.1 service; specified by the standard, not in the contract. The trailing slash of paths is optional,
 * because many clients do not send their password to a redirect.
 */
export const taxii = resources.flatMap((route) => [route, { ...route, path: route.path.slice(0, -1) }]);
