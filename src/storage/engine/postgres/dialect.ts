import { sql } from 'drizzle-orm';
import type { Dialect } from '../dialect.ts';
import { addEvents } from './add-events.ts';

const listed = (values: readonly number[]): string => `{${values.join(',')}}`;
/** Names of ranges of licenses. */
export const RANGE = '^lic_[0-9]+[.][.]lic_[0-9]+$';

/** What PostgreSQL says in words of its own. */
export const postgresDialect: Dialect = {
  isShared: true,

  larger: 'greatest',

  anyOf: (condition) => sql`bool_or(${condition})`,

  listOf: (column) => sql`json_agg(${column})::text`.mapWith((texts): string[] => JSON.parse(String(texts))),

  isAmong: (column, values) => sql`${column} = any(${listed(values)}::bigint[])`,
  isAmongGiven: '= any(?::bigint[])',
  given: listed,

  numbersGiven: (columns) => `select ${valuesOf(columns).join(', ')} from json_array_elements(?::json)`,

  endsWith: (column, suffix) => sql`right(${column}, ${suffix.length}::int) = ${suffix}`,

  beyond: (rows) => sql`offset ${rows}`,

  textIn: (column, name) => `${column}::json ->> '${name}'`,

  contains: (column, text) => `strpos(${column}, '${text}') > 0`,

  /** Whether the condition holds decides first: of other texts the rest is none. */
  isRangeWith: (
    column,
    id,
  ) => sql`${column} ~ ${sql.raw(`'${RANGE}'`)} and case when ${column} ~ ${sql.raw(`'${RANGE}'`)}
    then ${id} between split_part(substr(${column}, 5), '..', 1)::bigint and split_part(${column}, '..lic_', 2)::bigint end`,

  holdsSought: (column) => `${column} ~ :pattern`,

  /** What holds a text, in any case and with no character of it as more than itself. */
  sought: (text) => ({
    pattern: [...text]
      .map((each) => {
        const cases = new Set(
          [each, each.toLowerCase(), each.toUpperCase()].filter((one) => [...one].length === 1),
        );
        if (cases.size > 1) return `[${[...cases].join('')}]`;
        return /[!-/:-@[-`{-~]/.test(each) ? `\\${each}` : each;
      })
      .join(''),
  }),

  nextId: (table) =>
    `select case when is_called then last_value + 1 else last_value end as id from ${table}_id_seq`,

  corroboration: {
    noVouchers: `
      create temp table vouchers (license_id bigint primary key, customer bigint not null) on commit drop;
    `,
    addVouchers:
      'insert into vouchers select (value ->> 0)::bigint, (value ->> 1)::bigint from json_array_elements(?::json)',
    threats: `
      with imported as materialized (
        select fingerprint, min(attack_type) as attack_type, sum(weight)::bigint as weight, max(imported_at) as imported_at
        from imported_threats join feed_trusts t on t.id = trust_id where expires_at > :now group by fingerprint
      ), reported as materialized (
        select r.fingerprint, (array_agg(attack_type order by last_reported_at desc, r.license_id))[1] as attack_type,
          count(distinct customer) as customers, max(last_reported_at) as reported_at
        from threat_reports r join vouchers using (license_id)
        where last_reported_at > :since group by r.fingerprint
      ), vouched as (
        select fingerprint, coalesce(r.attack_type, i.attack_type) as attack_type, coalesce(customers, 0) as customers,
          coalesce(customers, 0) + coalesce(weight, 0) as voices, coalesce(reported_at, imported_at) as reported_at
        from reported r full join imported i using (fingerprint)
      )
      select fingerprint, attack_type as "attackType", customers, voices from (
        select * from vouched v
        where voices >= :minCorroboration and not exists (select 1 from feed_rulings f where f.fingerprint = v.fingerprint)
        order by customers >= :minCorroboration desc, voices desc, reported_at desc, fingerprint limit :entriesMax
      ) as most order by fingerprint
    `,
  },

  /** Its autovacuum keeps what is free for rows to come. */
  giveBackPages: () => async () => 0,

  addEvents,
};

const valuesOf = (columns: number): string[] =>
  Array.from({ length: columns }, (_, index) => `(value ->> ${index})::bigint`);
