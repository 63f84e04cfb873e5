import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** What SQLite says in words of its own. Another dialect has the same object. */
export const sqliteDialect = {
  /** The name of the function that picks the largest of several values. */
  larger: 'max',

  /** Whether a condition holds in any row of a group. */
  anyOf: (condition: SQLWrapper): SQL => sql`max(${condition})`,

  /** The texts of a group as a list. */
  listOf: (column: SQLiteColumn) =>
    sql`json_group_array(${column})`.mapWith((texts): string[] => JSON.parse(String(texts))),

  /** Whether a column has one of any number of values, which count as one parameter. */
  isAmong: (column: SQLiteColumn, values: readonly number[]): SQL =>
    sql`${column} in (select value from json_each(${JSON.stringify(values)}))`,

  endsWith: (column: SQLiteColumn, suffix: string): SQL =>
    sql`substr(${column}, ${-suffix.length}) = ${suffix}`,

  /** Of the rows in their order, those behind the first so many. */
  beyond: (rows: number): SQL => sql`limit -1 offset ${rows}`,

  /** How the feed is counted, on one connection and in one transaction. */
  corroboration: {
    /** The customers by license, for this connection alone: threat_reports has no index by license. */
    noVouchers: `
      create temp table if not exists vouchers (license_id integer primary key, customer integer not null) strict;
      delete from temp.vouchers;
    `,
    addVoucher: 'insert into temp.vouchers values (?, ?)',
    /**
     * The reports are read once, in the order of their key, so that groups need no sorting; of the groups no more are
     * kept than are asked for. A ruling is looked up once for each group that would be in the feed. The attack type is that of
     * the newest report: SQLite takes bare columns from the row of max().
     */
    threats: `
      select fingerprint, attackType, customers from (
        select fingerprint, attack_type as attackType, count(distinct customer) as customers,
          max(last_reported_at) as reportedAt
        from threat_reports not indexed cross join temp.vouchers using (license_id)
        where last_reported_at > :since
        group by fingerprint having customers >= :minCorroboration
          and fingerprint not in (select fingerprint from feed_rulings)
        order by customers desc, reportedAt desc, fingerprint limit :entriesMax
      ) order by fingerprint
    `,
  },
};

export type Dialect = typeof sqliteDialect;
