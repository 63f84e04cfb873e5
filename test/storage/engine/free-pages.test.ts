import { expect, test } from 'bun:test';
import { prepareBatches } from '../../../src/storage/changes.ts';
import type { SqliteDatabase } from '../../../src/storage/engine/sqlite/client.ts';
import { connect } from '../../../src/storage/engine/sqlite/database.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { newDatabase } from '../../support/database.ts';

const pragma = (db: SqliteDatabase, name: string) =>
  Number(Object.values(db.$client.prepare(`PRAGMA ${name}`).get() ?? {})[0]);

/** A database with a number of pages, nearly all free. */
function withFreePages(count: number): SqliteDatabase {
  const db = connect(newDatabase());
  db.$client.exec(`
    PRAGMA synchronous = OFF;
    create table filler (a blob);
    with recursive n(i) as (values (1) union all select i + 1 from n where i < ${count})
      insert into filler select zeroblob(4000) from n;
    drop table filler;
  `);
  return db;
}

test('free pages are released a limited number at a time, except those that new rows will need', async () => {
  const db = withFreePages(5_000);
  const { giveBackPages } = prepareJobs(db);
  const before = pragma(db, 'freelist_count');
  expect(await giveBackPages({ all: false })).toBeWithin(1_000, 1_010);
  expect(pragma(db, 'freelist_count')).toBeLessThan(before - 999);
  while ((await giveBackPages({ all: false })) > 0);
  expect(pragma(db, 'freelist_count')).toBeWithin(2_000, 2_049);
  const commit = prepareBatches(db);
  const giveBack = () => commit([{ name: 'giveBackPages', input: { all: true } }]);
  while ((await giveBack()).some((each) => 'output' in each && each.output));
  expect(pragma(db, 'freelist_count')).toBe(0);
  db.$client.close();
});
