import { sql } from 'drizzle-orm';
import type { Dialect } from '../dialect.ts';
import { giveBackPages } from './free-pages.ts';

/** What SQLite says in words of its own. */
export const sqliteDialect: Dialect = {
  isShared: false,

  larger: 'max',

  anyOf: (condition) => sql`max(${condition})`,

  listOf: (column) =>
    sql`json_group_array(${column})`.mapWith((texts): string[] => JSON.parse(String(texts))),

  isAmong: (column, values) => sql`${column} in (select value from json_each(${JSON.stringify(values)}))`,
  isAmongGiven: 'in (select value from json_each(?))',
  given: (values) => JSON.stringify(values),

  numbersGiven: (columns) => `select ${valuesOf(columns).join(', ')} from json_each(?)`,

  endsWith: (column, suffix) => sql`substr(${column}, ${-suffix.length}) = ${suffix}`,

  beyond: (rows) => sql`limit -1 offset ${rows}`,

  textIn: (column, name) => `${column} ->> '${name}'`,

  contains: (column, text) => `instr(${column}, '${text}') > 0`,

  isRangeWith(column, id) {
    const from = sql`cast(substr(${column}, 5) as integer)`;
    const to = sql`cast(substr(${column}, instr(${column}, '..') + 6) as integer)`;
    return sql`${column} glob 'lic_*..lic_*' and ${id} between ${from} and ${to}`;
  },

  /** LIKE is fast, but knows no case beyond ASCII: it leaves such characters to GLOB. */
  holdsSought: (column) => `${column} like :like escape '\\' and ${column} glob :glob`,

  /** What holds a text, in any case and with no character of it as a wildcard. */
  sought(text) {
    const characters = [...text];
    const like = characters.map((each) => {
      if (/[^\0-\x7f]/u.test(each)) return '_';
      return /[\\%_]/.test(each) ? `\\${each}` : each;
    });
    const glob = characters.map((each) => {
      const cases = [each.toLowerCase(), each.toUpperCase()].filter((one) => [...one].length === 1);
      return /[*?[]/.test(each) || new Set(cases).size > 1 ? `[${each}${cases.join('')}]` : each;
    });
    return { like: `%${like.join('')}%`, glob: `*${glob.join('')}*` };
  },

  nextId: (table) =>
    `select coalesce((select seq from sqlite_sequence where name = '${table}'), 0) + 1 as id`,

  corroboration: {
    noVouchers: `
      create temp table if not exists vouchers (license_id integer primary key, customer integer not null) strict;
      delete from temp.vouchers;
    `,
    addVouchers: 'insert into temp.vouchers select value ->> 0, value ->> 1 from json_each(?)',
    /**
     * The reports are read once, in the order of their key, so that groups need no sorting; of the groups no more are
     * kept than are asked for. A ruling is looked up once for each group that would be in the feed. SQLite takes bare columns
     * from the row of max().
     */
    threats: `
      with imported as materialized (
        select fingerprint, min(attack_type) as attack_type, sum(weight) as weight, max(imported_at) as imported_at
        from imported_threats join feed_trusts on feed_trusts.id = trust_id where expires_at > :now group by fingerprint
      ), reported as (
        select fingerprint, attack_type as attackType, count(distinct customer) as customers,
          max(last_reported_at) as reportedAt
        from threat_reports not indexed cross join temp.vouchers using (license_id)
        where last_reported_at > :since group by fingerprint
      ), vouched as (
        select fingerprint, attackType, customers,
          customers + coalesce((select weight from imported where imported.fingerprint = reported.fingerprint), 0) as voices,
          reportedAt
        from reported
        union all
        select fingerprint, attack_type, 0, weight, imported_at from imported where weight >= :minCorroboration
          and not exists (
            select 1 from threat_reports join temp.vouchers using (license_id)
            where threat_reports.fingerprint = imported.fingerprint and last_reported_at > :since
          )
      )
      select fingerprint, attackType, customers, voices from (
        select * from vouched
        where voices >= :minCorroboration and fingerprint not in (select fingerprint from feed_rulings)
        order by customers >= :minCorroboration desc, voices desc, reportedAt desc, fingerprint limit :entriesMax
      ) order by fingerprint
    `,
  },

  giveBackPages,

  addEvents({ prepare }) {
    // The hottest statement, a hundred times a request: without Drizzle's mapping it takes two thirds of the time.
    const add = prepare(
      `
      insert into events
        (license_id, site_id, type, severity, message, occurred_at, received_at, event_id, metadata)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing
      `,
    ) as unknown as SyncStatement;
    return async (requests) =>
      requests.map(({ licenseId, siteId, receivedAt, events }) =>
        events.map(({ type, severity, message, occurredAt, eventId, metadata }) => {
          const { changes, lastInsertRowid } = add.run(
            ...[licenseId, siteId, type, severity, message, occurredAt, receivedAt, eventId, metadata],
          );
          return Number(changes) === 0 ? undefined : Number(lastInsertRowid);
        }),
      );
  },
};

const valuesOf = (columns: number): string[] =>
  Array.from({ length: columns }, (_, index) => `value ->> ${index}`);

interface SyncStatement {
  run(...values: (string | number | null)[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
}
