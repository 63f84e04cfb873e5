import { type SQLWrapper, sql } from 'drizzle-orm';
import { bigint, customType, index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Columns } from '../columns.ts';
import { RANGE } from './dialect.ts';

/** Ordered and compared as SQLite does: by code points. */
const plainText = customType<{ data: unknown }>({
  dataType: () => 'text COLLATE "C"',
  toDriver: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
});
const whole = (name: string) => bigint(name, { mode: 'number' });
const flag = customType<{ data: boolean }>({ dataType: () => 'bigint', toDriver: Number });

/**
 * What PostgreSQL's tables are made of. Only its migrations are made of it: statements are built for SQLite's tables, which
 * have the same names and hold the same values.
 */
export const postgresColumns = {
  table: pgTable,
  primaryKey,
  index,
  uniqueIndex,
  id: () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  serial: () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  int: (name = '') => whole(name),
  flag: (name = '') => flag(name),
  text: (name = '') => plainText(name),
  json: (name = '') => plainText(name),
  contains: (column: SQLWrapper, text: string) => sql`strpos(${column}, ${sql.raw(`'${text}'`)}) > 0`,
  isRange: (column: SQLWrapper) => sql`${column} ~ ${sql.raw(`'${RANGE}'`)}`,
} as unknown as Columns;
