import { expect } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { databaseVersion, prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { everyRow } from '../support/copies.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Checks that a database is intact, and has the schema of a new one of this tree. */
export function expectUpgraded(path: string): void {
  const fresh = join(temporaryDirectory(), 'fresh.sqlite');
  prepareDatabase(fresh);
  expect(databaseVersion(path)).toBe(MIGRATIONS.length);
  expect(asked(path, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(asked(path, 'pragma foreign_key_check')).toEqual([]);
  const schema = 'select type, name, tbl_name, sql from sqlite_schema order by type, name';
  expect(asked(path, schema)).toEqual(asked(fresh, schema));
}

/** The tables that have fewer rows than before, or are missing. */
export function fallen(before: Readonly<Record<string, number>>, path: string): string[] {
  const now = everyRow(path);
  return Object.keys(before).filter((table) => (now[table]?.length ?? -1) < (before[table] ?? 0));
}

function asked(path: string, sql: string): object[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}
