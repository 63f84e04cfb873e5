import { sql } from 'drizzle-orm';
import type { Dialect } from '../dialect.ts';

const listed = (values: readonly number[]): string => `{${values.join(',')}}`;
/** Names of ranges of licenses. */
export const RANGE = '^lic_[0-9]+[.][.]lic_[0-9]+$';

/** PostgreSQL's SQL. */
export const postgresDialect: Dialect = {
  engine: 'postgres',
  isShared: true,

  larger: 'greatest',

  anyOf: (condition) => sql`bool_or(${condition})`,

  listOf: (column) => sql`json_agg(${column})::text`.mapWith((texts): string[] => JSON.parse(String(texts))),

  isAmong: (column, values) => sql`${column} = any(${listed(values)}::bigint[])`,
  isAmongGiven: '= any(?::bigint[])',
  given: listed,

  numbersGiven: (columns) => `select ${valuesOf(columns).join(', ')} from json_array_elements(?::json)`,

  beyond: (rows) => sql`offset ${rows}`,

  textIn: (column, name) => `${column}::json ->> '${name}'`,

  contains: (column, text) => `strpos(${column}, '${text}') > 0`,

  /** The pattern decides first: other texts have no such parts. */
  isRangeWith: (
    column,
    id,
  ) => sql`${column} ~ ${sql.raw(`'${RANGE}'`)} and case when ${column} ~ ${sql.raw(`'${RANGE}'`)}
    then ${id} between split_part(substr(${column}, 5), '..', 1)::bigint and split_part(${column}, '..lic_', 2)::bigint end`,

  holdsSought: (column) => `${column} ~ :pattern`,

  /** A pattern that contains a text, ignoring case, with all its characters escaped. */
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

  sizeQuery: 'select pg_database_size(current_database()) as bytes',

  nextId: (table) =>
    `select case when is_called then last_value + 1 else last_value end as id from ${table}_id_seq`,

  /** Its autovacuum keeps free pages for later rows. */
  giveBackPages: () => async () => 0,
};

const valuesOf = (columns: number): string[] =>
  Array.from({ length: columns }, (_, index) => `(value ->> ${index})::bigint`);
