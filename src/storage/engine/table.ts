import type { BuildColumns, ColumnBuilderBase, InferSelectModel } from 'drizzle-orm';
import type { SQLiteTable, SQLiteTableExtraConfigValue } from 'drizzle-orm/sqlite-core';
import { type Columns, sqliteColumns } from './columns.ts';

type MakeTable = (columns: Columns) => SQLiteTable;

const makers = new WeakMap<SQLiteTable, MakeTable>();

/**
 * Defines a table once for both engines. It is SQLite's, for which all statements are built. All times are milliseconds since
 * the Unix epoch, UTC.
 *
 * @param more its keys and indexes
 */
export function table<Name extends string, Made extends Record<string, ColumnBuilderBase>>(
  name: Name,
  columnsOf: (columns: Columns) => Made,
  more: (
    of: BuildColumns<Name, Made, 'sqlite'>,
    columns: Columns,
  ) => SQLiteTableExtraConfigValue[] = () => [],
) {
  const make = (columns: Columns) => columns.table(name, columnsOf(columns), (of) => more(of, columns));
  const made = make(sqliteColumns);
  makers.set(made, make);
  return made;
}

/** Builds a table from its definition with another engine's columns. */
export function remade(table: SQLiteTable, columns: Columns): SQLiteTable {
  const make = makers.get(table);
  if (make === undefined) throw new Error('this table was not defined by table()');
  return make(columns);
}

/** The type of a table's rows. */
export type Row<Of extends SQLiteTable> = Readonly<InferSelectModel<Of>>;
