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
  /** A whole number of up to 53 bits. */
  int: (name = '') => integer(name),
  flag: (name = '') => integer(name, { mode: 'boolean' }),
  text: (name = '') => text(name),
  json: (name = '') => text(name, { mode: 'json' }),
};

export type Columns = typeof sqliteColumns;
