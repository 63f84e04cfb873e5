import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTableName } from 'drizzle-orm';
import { type Database, disconnect } from '../../../../src/storage/engine/database.ts';
import { MIGRATION_NAMES, MIGRATIONS } from '../../../../src/storage/engine/migrations.ts';
import { POSTGRES_MIGRATIONS } from '../../../../src/storage/engine/postgres/migrations.ts';
import { connect } from '../../../../src/storage/engine/sqlite/database.ts';
import { prepare } from '../../../../src/storage/engine/statement.ts';
import { TABLES } from '../../../../src/storage/subjects.ts';
import { newDatabase } from '../../../support/database.ts';
import { newPostgresDatabase, openPostgres } from '../../../support/postgres.ts';

let here: Database;
let there: Database;
beforeAll(async () => {
  here = connect(newDatabase());
  there = openPostgres(await newPostgresDatabase());
});
afterAll(async () => {
  await disconnect(here);
  await disconnect(there);
});

const FOLDER = join(import.meta.dir, '../../../../drizzle/postgres');

test('every migration has its counterpart with the same name and version', () => {
  expect(POSTGRES_MIGRATIONS.map(({ name }) => name)).toEqual([...MIGRATION_NAMES]);
  expect(POSTGRES_MIGRATIONS.at(-1)?.version).toBe(MIGRATIONS.length);
});

test('every folder of migrations is embedded, in order', () => {
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const texts = folders
    .map(({ name }) => name)
    .toSorted()
    .map((name) => readFileSync(join(FOLDER, name, 'migration.sql'), 'utf8'));
  expect(POSTGRES_MIGRATIONS.map(({ sql }) => sql)).toEqual(texts);
});

const tables = TABLES.map(getTableName);

/** Tables shared by several nodes, in addition to the version: SQLite is used by one process. */
const OF_NODES = ['clock_work', 'rate_limits', 'redoubt_version', 'snapshot_chunks'];

test('both engines have the tables of the schema, and no others except those that nodes share', async () => {
  const made = await prepare<{ name: string }>(
    there,
    "select tablename as name from pg_tables where schemaname = 'public'",
  ).all();
  expect(made.map(({ name }) => name).sort()).toEqual([...tables, ...OF_NODES].sort());
});

/** The description of a column in each engine's terms. */
const plain = (value: string | null) => value?.replace(/::[a-z ]+/g, '').replace(/^false$/, '0') ?? null;

describe.each(tables)('the table %s has on both engines', (name) => {
  test('the same columns, with the same types, defaults and nullability', async () => {
    const ofSqlite = await prepare<{
      name: string;
      type: string;
      least: string | null;
      must: number;
      pk: number;
    }>(
      here,
      `select name, lower(type) as type, dflt_value as least, "notnull" as must, pk from pragma_table_info('${name}')`,
    ).all();
    const ofPostgres = await prepare<{ name: string; type: string; least: string | null; must: number }>(
      there,
      `select column_name as name, data_type as type, column_default as least, is_nullable = 'NO' as must
        from information_schema.columns where table_name = '${name}' and table_schema = 'public'`,
    ).all();
    const byName = (columns: readonly { name: string }[]) =>
      columns.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(
      byName(
        ofPostgres.map(({ name, type, least, must }) => ({
          name,
          type: type === 'bigint' ? 'integer' : type,
          least: plain(least),
          must,
        })),
      ),
    ).toEqual(
      byName(
        ofSqlite.map(({ name, type, least, must, pk }) => ({
          name,
          type,
          least: plain(least),
          must: must === 1 || pk > 0 ? 1 : 0,
        })),
      ),
    );
  });

  test('the same keys and indexes', async () => {
    const ofSqlite = await prepare<{ columns: string; one: number; part: number }>(
      here,
      `select (select group_concat(name) from pragma_index_info(i.name)) as columns, "unique" as one, partial as part
        from pragma_index_list('${name}') i
        union all select name, 1, 0 from pragma_table_info('${name}') where pk = 1 and type = 'INTEGER'
          and (select max(pk) from pragma_table_info('${name}')) = 1`,
    ).all();
    const ofPostgres = await prepare<{ columns: string; one: number; part: number }>(
      there,
      `select (select string_agg(a.attname, ',' order by k.n) from unnest(i.indkey::int[]) with ordinality k(attnum, n)
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum) as columns,
        indisunique as one, indpred is not null as part from pg_index i where indrelid = '${name}'::regclass`,
    ).all();
    const summaryOf = (rows: readonly { columns: string; one: number; part: number }[]) =>
      [...new Set(rows.map(({ columns, one, part }) => `${columns} ${one} ${part}`))].sort();
    expect(summaryOf(ofPostgres)).toEqual(summaryOf(ofSqlite));
  });

  test('the same references', async () => {
    const ofSqlite = await prepare<{ column: string; target: string }>(
      here,
      `select "from" as "column", "table" as target from pragma_foreign_key_list('${name}')`,
    ).all();
    const ofPostgres = await prepare<{ column: string; target: string }>(
      there,
      `select a.attname as "column", c.confrelid::regclass::text as target from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where contype = 'f' and conrelid = '${name}'::regclass`,
    ).all();
    const told = (rows: readonly { column: string; target: string }[]) =>
      rows.map(({ column, target }) => `${column} ${target}`).sort();
    expect(told(ofPostgres)).toEqual(told(ofSqlite));
  });
});
