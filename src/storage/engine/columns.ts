import { type SQLWrapper, sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * Columns of tables, in SQLite's dialect. Another dialect offers the same functions; its columns have these types. A column
 * without a name gets that of its property.
 */
export const sqliteColumns = {
  table: sqliteTable,
  primaryKey,
  index,
  uniqueIndex,
  /** The id of a row, which is never used again. */
  id: () => integer().primaryKey({ autoIncrement: true }),
  /** The same, but the id of the newest row may be used again after its deletion. */
  serial: () => integer().primaryKey(),
  /** A whole number of up to 53 bits. */
  int: (name = '') => integer(name),
  flag: (name = '') => integer(name, { mode: 'boolean' }),
  text: (name = '') => text(name),
  json: (name = '') => text(name, { mode: 'json' }),
  larger: 'max',
  /** Conditions of indexes, in the dialect's statements. */
  contains: (column: SQLWrapper, text: string) => sql`instr(${column}, ${sql.raw(`'${text}'`)}) > 0`,
  isRange: (column: SQLWrapper) => sql`${column} glob 'lic_*..lic_*'`,
};

export type Columns = typeof sqliteColumns;
