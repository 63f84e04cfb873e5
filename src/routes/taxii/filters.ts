import { Type as t } from '@sinclair/typebox';
import { refuse } from '../../domain/refusal.ts';
import { TAXII_PAGE_MAX } from '../../domain/threat/taxii.ts';
import { queryOf } from '../../http/route/index.ts';
import { parseMicroseconds } from '../../lib/microseconds.ts';
import { parseTimestamp } from '../../lib/timestamp.ts';
import type { AskedPage } from '../../tasks/taxii-pages.ts';

/** Maximum number of values of one filter; a URL of the maximum length has room for fewer. */
const VALUES_MAX = 200;
const LIMIT_MAX = 10 ** 15;
/** Format of `next`: microseconds since the Unix epoch. */
const NEXT = '^[0-9]{1,16}$';

const PAGED = {
  added_after: t.Optional(t.String()),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: LIMIT_MAX })),
  next: t.Optional(t.String({ pattern: NEXT })),
  'match[spec_version]': t.Optional(t.String()),
};
const OBJECT_FILTERS = { ...PAGED, 'match[version]': t.Optional(t.String()) };

/** Query of the versions of an object (TAXII 2.1, 5.8.1). */
export const VERSIONS_QUERY = queryOf(t.Object(PAGED, { additionalProperties: false }), 'refused');
/** Query of an object (5.6.1). */
export const OBJECT_QUERY = queryOf(t.Object(OBJECT_FILTERS, { additionalProperties: false }), 'refused');
/** Query of objects and of a manifest (5.3.1, 5.4.1). */
export const OBJECTS_QUERY = queryOf(
  t.Object(
    { ...OBJECT_FILTERS, 'match[id]': t.Optional(t.String()), 'match[type]': t.Optional(t.String()) },
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
 * Parses a query. A client may send `next`, `added_after`, or both. The page begins at the later of them.
 *
 * @throws Refusal if a value is malformed
 */
export function filtersOf(query: Query): Filters {
  const addedAfter = query.added_after === undefined ? -1 : momentIn(query.added_after);
  return {
    after: Math.max(addedAfter, query.next === undefined ? -1 : Number(query.next)),
    limit: Math.min(query.limit ?? TAXII_PAGE_MAX, TAXII_PAGE_MAX),
    ids: valuesOf(query, 'match[id]'),
    // All objects are in STIX 2.1. Filters for other versions match nothing.
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

/** Each object has a single version, which is both the first and the last. */
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
