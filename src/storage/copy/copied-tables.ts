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
  /** Whether the number of a row is never given again, also when the row is gone. */
  readonly givesOnce: boolean;
}

export type CopiedRow = readonly (string | null)[];

/** All that a store keeps. */
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

/** That a start made keys is in the audit log. */
const FILLED_BY_START = new Set(
  Object.values<Subject>(SUBJECTS).flatMap(({ filledByStart = [] }) => filledByStart.map(getTableName)),
);

/** The tables in which a row shows that a store is in use. */
export const TELLING_TABLES = COPIED_TABLES.filter(({ name }) => !FILLED_BY_START.has(name));

/** A name as both engines take it. */
export const quoted = (name: string): string => `"${name}"`;

export const columnList = ({ columns }: CopiedTable): string =>
  columns.map(({ name }) => quoted(name)).join(', ');
