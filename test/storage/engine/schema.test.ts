import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { SqliteDatabase } from '../../../src/storage/engine/sqlite/client.ts';
import { connect } from '../../../src/storage/engine/sqlite/database.ts';
import { TABLES } from '../../../src/storage/subjects.ts';
import { newDatabase } from '../../support/database.ts';

let db: SqliteDatabase;
beforeAll(() => {
  db = connect(newDatabase());
});
afterAll(() => db.$client.close());

const ask = (sql: string, ...params: string[]) => db.$client.prepare(sql).all(...params);
const tables = TABLES.map(getTableConfig);
const sorted = (items: readonly { readonly name?: unknown }[]) =>
  items.toSorted((a, b) => String(a.name).localeCompare(String(b.name)));

test('the migrations create exactly the tables of the schema', () => {
  const made = ask("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'");
  expect(made.map(({ name }) => String(name)).sort()).toEqual(tables.map(({ name }) => name).sort());
});

describe.each(tables.map((table) => [table.name, table] as const))(
  'the table %s of the migrations',
  (name, table) => {
    /** Columns of the primary key, in its order, in both forms of declaration. */
    const keyColumns =
      table.primaryKeys[0]?.columns.map((column) => column.name) ??
      table.columns.filter((column) => column.primary).map((column) => column.name);

    test('has the columns of the schema, with their types and nullability', () => {
      const made = ask('select name, lower(type) as type, "notnull", pk from pragma_table_info(?)', name);
      const planned = table.columns.map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        // SQLite implies NOT NULL for an integer primary key and omits the words.
        notnull: column.notNull && !(column.primary && column.getSQLType() === 'integer') ? 1 : 0,
        pk: keyColumns.indexOf(column.name) + 1,
      }));
      expect(sorted(made)).toEqual(sorted(planned));
    });

    test('has the foreign keys of the schema', () => {
      const made = ask('select "from" as name, "table", "to" from pragma_foreign_key_list(?)', name);
      const planned = table.foreignKeys.map((key) => {
        const { columns, foreignColumns, foreignTable } = key.reference();
        return {
          name: columns[0]?.name,
          table: getTableConfig(foreignTable as SQLiteTable).name,
          to: foreignColumns[0]?.name,
        };
      });
      expect(sorted(made)).toEqual(sorted(planned));
    });

    test('has the indexes of the schema, unique and partial as declared', () => {
      const made = ask(
        'select name, "unique", partial from pragma_index_list(?) where origin = \'c\'',
        name,
      ).map((index) => ({
        ...index,
        name: index.name,
        columns: ask('select name from pragma_index_info(?)', String(index.name)).map(
          (column) => column.name,
        ),
      }));
      const planned = table.indexes.map(({ config }) => ({
        name: config.name,
        unique: config.unique ? 1 : 0,
        partial: config.where ? 1 : 0,
        columns: config.columns.map((column) => ('name' in column ? column.name : undefined)),
      }));
      expect(sorted(made)).toEqual(sorted(planned));
    });

    test('has a unique index for every column declared unique', () => {
      const made = ask("select name from pragma_index_list(?) where origin = 'u'", name);
      const columns = made.map(
        (index) => ask('select name from pragma_index_info(?)', String(index.name))[0]?.name,
      );
      const planned = table.columns.filter((column) => column.isUnique).map((column) => column.name);
      expect(columns.sort()).toEqual(planned.sort());
    });
  },
);
