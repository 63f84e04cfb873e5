import { getTableName } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import type { Subject } from '../engine/subject.ts';
import { SUBJECTS, TABLES } from '../subjects.ts';

/** A table as it is copied: each of its values as a text, numbers in decimal, in the order of its columns. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** Whether the number of a row is never used again, even when the row is deleted. */
  readonly givesOnce: boolean;
}

export type CopiedRow = readonly (string | null)[];

/** All tables of a store. */
export const COPIED_TABLES: readonly CopiedTable[] = TABLES.map((table) => {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const own = columns.filter((column) => column.primary);
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, isNumber: column.getSQLType() === 'integer' })),
    key: (primaryKeys[0]?.columns ?? own).map((column) => column.name),
    givesOnce: own.some((column) => 'autoIncrement' in column && column.autoIncrement === true),
  };
});

/** A start already writes to these: creating keys is in the audit log. */
const FILLED_BY_START = new Set(
  Object.values<Subject>(SUBJECTS).flatMap(({ filledByStart = [] }) => filledByStart.map(getTableName)),
);

/** Rows in these tables show that a store is in use. */
export const TELLING_TABLES = COPIED_TABLES.filter(({ name }) => !FILLED_BY_START.has(name));

/** A quoted name for both engines. */
export const quoted = (name: string): string => `"${name}"`;

export const columnList = ({ columns }: CopiedTable): string =>
  columns.map(({ name }) => quoted(name)).join(', ');
