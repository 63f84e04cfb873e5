import { sql } from 'drizzle-orm';
import type { Dialect } from '../dialect.ts';
import { giveBackPages } from './free-pages.ts';

/** SQLite's SQL. */
export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  isShared: false,

  larger: 'max',

  anyOf: (condition) => sql`max(${condition})`,

  listOf: (column) =>
    sql`json_group_array(${column})`.mapWith((texts): string[] => JSON.parse(String(texts))),

  isAmong: (column, values) => sql`${column} in (select value from json_each(${JSON.stringify(values)}))`,
  isAmongGiven: 'in (select value from json_each(?))',
  given: (values) => JSON.stringify(values),

  numbersGiven: (columns) => `select ${valuesOf(columns).join(', ')} from json_each(?)`,

  beyond: (rows) => sql`limit -1 offset ${rows}`,

  textIn: (column, name) => `${column} ->> '${name}'`,

  contains: (column, text) => `instr(${column}, '${text}') > 0`,

  isRangeWith(column, id) {
    const from = sql`cast(substr(${column}, 5) as integer)`;
    const to = sql`cast(substr(${column}, instr(${column}, '..') + 6) as integer)`;
    return sql`${column} glob 'lic_*..lic_*' and ${id} between ${from} and ${to}`;
  },

  /** LIKE is fast, but ignores case only in ASCII: other characters are left to GLOB. */
  holdsSought: (column) => `${column} like :like escape '\\' and ${column} glob :glob`,

  /** A pattern that contains a text, ignoring case, with all its characters escaped. */
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

  sizeQuery: 'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',

  nextId: (table) =>
    `select coalesce((select seq from sqlite_sequence where name = '${table}'), 0) + 1 as id`,

  giveBackPages,
};

const valuesOf = (columns: number): string[] =>
  Array.from({ length: columns }, (_, index) => `value ->> ${index}`);
