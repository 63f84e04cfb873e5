import { getColumns, getColumnTable, getTableName, type SQLWrapper, sql } from 'drizzle-orm';
import {
  bigint,
  customType,
  index,
  type PgTable,
  pgTable,
  primaryKey,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Columns } from '../columns.ts';
import { remade } from '../table.ts';
import { RANGE } from './dialect.ts';

/** Ordered and compared by code points, as SQLite does. */
const plainText = customType<{ data: unknown }>({
  dataType: () => 'text COLLATE "C"',
  toDriver: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
});
const flag = customType<{ data: boolean }>({ dataType: () => 'bigint', toDriver: Number });

interface Referring {
  references(target: () => unknown, actions?: object): this;
}

/** A column whose references, which tables define by columns of SQLite, are converted to those of PostgreSQL. */
function referring<Builder extends object>(builder: Builder): Builder {
  const { references } = builder as Referring;
  return Object.assign(builder, {
    references: (target: () => SQLiteColumn, actions?: object) =>
      references.call(builder as Referring, () => columnLike(target()), actions),
  });
}

function columnLike(column: SQLiteColumn): unknown {
  const columns = Object.values(getColumns(postgresTable(getColumnTable(column) as SQLiteTable)));
  return columns.find(({ name }) => name === column.name);
}

const postgresColumns = {
  table: pgTable,
  primaryKey,
  index,
  uniqueIndex,
  id: () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  serial: () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  int: (name = '') => referring(bigint(name, { mode: 'number' })),
  flag: (name = '') => flag(name),
  text: (name = '') => referring(plainText(name)),
  json: (name = '') => plainText(name),
  larger: 'greatest',
  contains: (column: SQLWrapper, text: string) => sql`strpos(${column}, ${sql.raw(`'${text}'`)}) > 0`,
  isRange: (column: SQLWrapper) => sql`${column} ~ ${sql.raw(`'${RANGE}'`)}`,
} as unknown as Columns;

const made = new Map<string, PgTable>();

/**
 * A table of PostgreSQL. Only migrations use these: statements are built for SQLite's tables, which have the same names and
 * values.
 */
export function postgresTable(table: SQLiteTable): PgTable {
  const name = getTableName(table);
  const known = made.get(name) ?? (remade(table, postgresColumns) as unknown as PgTable);
  made.set(name, known);
  return known;
}
