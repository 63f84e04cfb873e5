import { expect, test } from 'bun:test';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { MIGRATION_NAMES, MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { databaseVersion, prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { everyRow, fillEveryTable } from '../support/copies.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { expectUpgraded, fallen } from './soundness.ts';

/** Of columns that migrations read into. */
const TEXTS = {
  'audit_log.detail': '{"reason":"a reason"}',
  'licenses.modules_allowed': '["decoys"]',
  'licenses.holds': '["operator","payment"]',
  'subscriptions.modules': '["decoys"]',
  'site_inventories.components': '[["npm","a","hash","1.0.0","active",1]]',
};

/** Columns in which migrations write something else. */
const REWRITTEN: Readonly<Record<string, readonly string[]>> = {
  operator_grants: ['licenses.holds', 'generations.licenses'],
  payment_statuses: ['subscriptions.status', 'disputes.status'],
  since_moments: ['site_inventories.components', 'generations.mirror'],
};

test.each(MIGRATION_NAMES.slice(0, -1).map((name, index) => [index + 1, name] as const))(
  'a database of schema version %i (%s) becomes one of this version, and loses nothing',
  (version) => {
    const path = databasePath(temporaryDirectory());
    prepareDatabase(path, MIGRATIONS.slice(0, version));
    fillEveryTable(path, TEXTS);
    const before = everyRow(path);
    const migration = prepareDatabase(path);
    expectUpgraded(path);
    const copy = migration?.copy ?? '';
    expect([databaseVersion(copy), everyRow(copy)]).toEqual([version, before]);
    const counts = Object.fromEntries(Object.entries(before).map(([table, rows]) => [table, rows.length]));
    expect(fallen(counts, path)).toEqual([]);
    const ahead = MIGRATION_NAMES.slice(version).flatMap((name) => REWRITTEN[name] ?? []);
    const after = everyRow(path);
    for (const [table, rows] of Object.entries(before)) {
      const kept = columnsOf(after[table])
        .filter((column) => columnsOf(rows).includes(column))
        .filter((column) => !ahead.includes(`${table}.${column}`));
      expect(narrowed(after[table], kept)).toEqual(expect.arrayContaining(narrowed(rows, kept)));
    }
  },
);

type Cells = [column: string, value: unknown][];

const cellsOf = (row: string): Cells => JSON.parse(row);
const columnsOf = ([row = '[]']: readonly string[] = []) => cellsOf(row).map(([column]) => column);
const narrowed = (rows: readonly string[] = [], columns: readonly string[]) =>
  rows.map((row) => JSON.stringify(cellsOf(row).filter(([column]) => columns.includes(column)))).sort();
