import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as schema from '../engine/schema.ts';

/** A table as it is copied: each of its values as a text, numbers in decimal, in the order of its columns. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** Whether the number of a row is never given again, also when the row is gone. */
  readonly givesOnce: boolean;
}

export type CopiedRow = readonly (string | null)[];

/** All that a store keeps. What only one engine has, such as the record of its own migrations, is not among them. */
export const COPIED_TABLES: readonly CopiedTable[] = Object.values<SQLiteTable>(schema).map((table) => {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const own = columns.filter((column) => column.primary);
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, isNumber: column.getSQLType() === 'integer' })),
    key: (primaryKeys[0]?.columns ?? own).map((column) => column.name),
    givesOnce: own.some((column) => 'autoIncrement' in column && column.autoIncrement === true),
  };
});

/** What the first start of a server may fill by itself; that it made keys is in the audit log. */
const FILLED_BY_A_START: ReadonlySet<string> = new Set([
  'audit_log',
  'generations',
  'installation',
  'feed_snapshots',
  'credential_keys',
  'signing_keys',
  'reconciliations',
]);

/** The tables in which a row shows that a store is in use. */
export const TELLING_TABLES = COPIED_TABLES.filter(({ name }) => !FILLED_BY_A_START.has(name));

/** A name as both engines take it. */
export const quoted = (name: string): string => `"${name}"`;

export const columnList = ({ columns }: CopiedTable): string =>
  columns.map(({ name }) => quoted(name)).join(', ');
