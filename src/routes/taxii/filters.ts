import { Type as t } from '@sinclair/typebox';
import { refuse } from '../../domain/refusal.ts';
import { TAXII_PAGE_MAX } from '../../domain/threat/taxii.ts';
import { queryOf } from '../../http/route/index.ts';
import { parseMicroseconds } from '../../lib/microseconds.ts';
import { parseTimestamp } from '../../lib/timestamp.ts';
import type { AskedPage } from '../../tasks/taxii-pages.ts';

/** Values of one filter; a URL has room for no more. */
const VALUES_MAX = 200;
const LIMIT_MAX = 10 ** 15;
/** As `next` was given: a moment in microseconds since the Unix epoch. */
const NEXT = '^[0-9]{1,16}$';

const PAGED = {
  added_after: t.Optional(t.String()),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: LIMIT_MAX })),
  next: t.Optional(t.String({ pattern: NEXT })),
  'match[spec_version]': t.Optional(t.String()),
};
const OF_OBJECT = { ...PAGED, 'match[version]': t.Optional(t.String()) };

/** The query of the versions of an object (TAXII 2.1, 5.8.1). */
export const VERSIONS_QUERY = queryOf(t.Object(PAGED, { additionalProperties: false }), 'refused');
/** That of an object (5.6.1). */
export const OBJECT_QUERY = queryOf(t.Object(OF_OBJECT, { additionalProperties: false }), 'refused');
/** That of objects and of a manifest (5.3.1, 5.4.1). */
export const OBJECTS_QUERY = queryOf(
  t.Object(
    { ...OF_OBJECT, 'match[id]': t.Optional(t.String()), 'match[type]': t.Optional(t.String()) },
    { additionalProperties: false },
  ),
  'refused',
);

interface Query {
  readonly added_after?: string;
  readonly limit?: number;
  readonly next?: string;
  readonly 'match[id]'?: string;
  readonly 'match[type]'?: string;
  readonly 'match[version]'?: string;
  readonly 'match[spec_version]'?: string;
}

type Filters = Omit<AskedPage, 'listedAs' | 'collection'>;

/**
 * What a query asks for. A client may send `next`, a later `added_after`, or both: the later of them is where the page begins.
 *
 * @throws Refusal for a value that is malformed
 */
export function filtersOf(query: Query): Filters {
  const addedAfter = query.added_after === undefined ? -1 : momentIn(query.added_after);
  return {
    after: Math.max(addedAfter, query.next === undefined ? -1 : Number(query.next)),
    limit: Math.min(query.limit ?? TAXII_PAGE_MAX, TAXII_PAGE_MAX),
    ids: valuesOf(query, 'match[id]'),
    // All our objects are of one version of STIX. Clients that want another one match no type.
    types:
      (valuesOf(query, 'match[spec_version]')?.includes('2.1') ?? true) ? valuesOf(query, 'match[type]') : [],
    modifiedAt: versionsIn(valuesOf(query, 'match[version]')),
  };
}

function valuesOf(query: Query, name: Exclude<keyof Query, 'limit'>): readonly string[] | undefined {
  const values = query[name]?.split(',', VALUES_MAX + 1);
  if (values && values.length > VALUES_MAX)
    throw refuse('INVALID_QUERY', `${name}: has more than ${VALUES_MAX} values`);
  return values;
}

/** There is one version of each object, which is its first and its last. */
function versionsIn(versions: readonly string[] = ['all']): readonly number[] | undefined {
  const moments = versions.filter((version) => !['all', 'first', 'last'].includes(version));
  const found = moments.map((version) => {
    const at = parseTimestamp(version);
    if (at === undefined)
      throw refuse('INVALID_QUERY', 'match[version]: must be all, first, last or timestamps');
    return at;
  });
  return moments.length < versions.length ? undefined : found;
}

function momentIn(text: string): number {
  const at = parseMicroseconds(text);
  if (at === undefined) throw refuse('INVALID_QUERY', 'added_after: must be an RFC 3339 timestamp');
  return at;
}
