import type { Database } from '../engine/database.ts';
import type { Dialect } from '../engine/dialect.ts';
import { prepare } from '../engine/statement.ts';

/** The fields that a search can match, most specific first. */
export const LICENSE_MATCHES = [
  'license_id',
  'key',
  'previous_key',
  'external_id',
  'domain',
  'blocked_domain',
  'key_last4',
  'previous_key_last4',
  'email',
  'customer',
  'note',
] as const;
export type LicenseMatch = (typeof LICENSE_MATCHES)[number];

export interface SoughtLicense {
  /** Trimmed input. */
  readonly text: string;
  /** The input as a license's id; null = not an id. */
  readonly id: number | null;
  /** Its hash, for it may be a key. */
  readonly keyHash: string;
  /** The input as a normalized domain; null = not a domain. */
  readonly domain: string | null;
  /** Whether to search the customer's data too: external id, mailbox, customer and note. */
  readonly ofCustomers: boolean;
}

export interface MatchingLicense {
  readonly id: number;
  readonly matched: LicenseMatch;
}

/** Keeps the other criteria below the kind of match in the order. */
const RANK = 1_000_000;
const rank = (match: LicenseMatch): number => LICENSE_MATCHES.indexOf(match) * RANK;

/** Of texts that contain the input, the shortest is the best match. */
const holding = ({ holdsSought }: Dialect, column: 'email' | 'customer' | 'note'): string =>
  `when :ofCustomers = 1 and ${holdsSought(column)} then ${rank(column)} + length(${column})`;

const searchIn = (dialect: Dialect) => `
  with scanned (id, score, is_revoked) as (
    select id, case when :ofCustomers = 1 and external_id = :text then ${rank('external_id')} when key_last4 = :text then ${rank('key_last4')}
      ${holding(dialect, 'email')} ${holding(dialect, 'customer')} ${holding(dialect, 'note')} end, revoked_at is not null
    from licenses
  ), found (id, score) as (
    select * from (
      select id, score from scanned where score is not null order by score, is_revoked, id desc limit :limit
    ) as nearest
    union all select id, ${rank('license_id')} from licenses where id = :id
    union all select id, ${rank('key')} from licenses where key_hash = :keyHash
    union all select license_id, case key_hash when :keyHash then ${rank('previous_key')} else ${rank('previous_key_last4')} end
      from previous_keys where (key_hash = :keyHash or key_last4 = :text) and works_until > :now
    union all select license_id, ${rank('domain')} from license_domains where domain = :domain
    union all select license_id, ${rank('blocked_domain')} from blocked_domains where domain = :domain
  )
  select f.id, min(f.score) / ${RANK} as kind from found f join licenses l on l.id = f.id
    group by f.id order by min(f.score), min(l.revoked_at) is not null, f.id desc limit :limit
`;

/**
 * Finds licenses that match a text, each once: ordered by the kind of match, then by the best note, then unrevoked ones, then
 * the newest. No statement or error repeats the text.
 */
export function readLicenseSearch(db: Database) {
  const search = prepare<{ id: number; kind: number }>(db, searchIn(db.sqlDialect));
  return async (
    { ofCustomers, ...sought }: SoughtLicense,
    limit: number,
    now: number,
  ): Promise<MatchingLicense[]> => {
    const patterns = db.sqlDialect.sought(sought.text);
    const rows = await search.all({ ...sought, ...patterns, ofCustomers: Number(ofCustomers), limit, now });
    return rows.flatMap(({ id, kind }) => {
      const matched = LICENSE_MATCHES[kind];
      return matched === undefined ? [] : { id, matched };
    });
  };
}
