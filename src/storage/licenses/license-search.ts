import type { Database } from '../engine/database.ts';
import type { Dialect } from '../engine/dialect.ts';
import { prepare } from '../engine/statement.ts';

/** What of a license can be what is searched for, the surest first. */
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
  /** As it was given, without the blanks around it. */
  readonly text: string;
  /** What it is as a license's name; null = it is none. */
  readonly id: number | null;
  /** Its hash, for it may be a key. */
  readonly keyHash: string;
  /** What it is as a domain, normalised; null = it is none. */
  readonly domain: string | null;
  /** Whether it may also be what says whose a license is: an external id, a mailbox, a customer or a note. */
  readonly ofCustomers: boolean;
}

export interface MatchingLicense {
  readonly id: number;
  readonly matched: LicenseMatch;
}

/** Keeps whatever else orders the licenses below the kind of match. */
const RANK = 1_000_000;
const rank = (match: LicenseMatch): number => LICENSE_MATCHES.indexOf(match) * RANK;

/** Of texts that hold what is sought, the shortest is the nearest. */
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
 * Reads which licenses have something to do with a text, one answer for each: the surest kind of match first, of one kind the
 * nearest note first, then what is not revoked, then the newest. No statement or error repeats the text.
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
