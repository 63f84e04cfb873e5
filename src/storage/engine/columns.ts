import { type SQLWrapper, sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * What tables are made of, as SQLite says it. Another dialect offers the same functions; its columns are used by these types.
 * A column without a name is called as its property is.
 */
export const sqliteColumns = {
  table: sqliteTable,
  primaryKey,
  index,
  uniqueIndex,
  /** A row's number, which no other row ever gets. */
  id: () => integer().primaryKey({ autoIncrement: true }),
  /** The same, but that of the newest row may be given again when that is gone. */
  serial: () => integer().primaryKey(),
  /** A whole number of up to 53 bits. */
  int: (name = '') => integer(name),
  flag: (name = '') => integer(name, { mode: 'boolean' }),
  text: (name = '') => text(name),
  json: (name = '') => text(name, { mode: 'json' }),
  /** Conditions of indexes, as the dialect says them in its statements. */
  contains: (column: SQLWrapper, text: string) => sql`instr(${column}, ${sql.raw(`'${text}'`)}) > 0`,
  isRange: (column: SQLWrapper) => sql`${column} glob 'lic_*..lic_*'`,
};

export type Columns = typeof sqliteColumns;
