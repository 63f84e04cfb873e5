import { expect, test } from 'bun:test';
import { getTableName } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { jobsOf, type WithoutDoubles } from '../../src/storage/engine/jobs/jobs.ts';
import type { Subject } from '../../src/storage/engine/subject.ts';
import { table } from '../../src/storage/engine/table.ts';
import { SUBJECTS, TABLES, tablesOf } from '../../src/storage/subjects.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);

test('a table of two subjects is refused, with both places', () => {
  const another = (name: string) => ({ tables: { another: table(name, ({ id }) => ({ id: id() })) } });
  expect(tablesOf({ ...SUBJECTS, more: another('more') })).toHaveLength(tablesOf(SUBJECTS).length + 1);
  expect(() => tablesOf({ ...SUBJECTS, more: another('license_domains') })).toThrow(
    'two tables are named "license_domains": in licenses.licenseDomains and in more.another',
  );
});

test('a job of two subjects is refused, with both places, also by the compiler', async () => {
  const db = await engine.open();
  const free = { ...SUBJECTS, more: { jobs: { anotherJobs: (_: Database) => ({ forgetMore: () => {} }) } } };
  free satisfies WithoutDoubles<typeof free>;
  expect(jobsOf(free, db)).toHaveProperty('forgetMore');
  const double = { ...SUBJECTS, more: { jobs: { anotherJobs: (_: Database) => ({ audit: () => {} }) } } };
  // @ts-expect-error
  double satisfies WithoutDoubles<typeof double>;
  expect(() => jobsOf(double, db)).toThrow(
    'two jobs are named "audit": in operators.auditJobs and in more.anotherJobs',
  );
  await disconnect(db);
});

test('a table refers only to tables of its own subject and of those listed before it', () => {
  const known = new Set<string>();
  for (const { tables } of Object.values<Pick<Subject, 'tables'>>(SUBJECTS)) {
    const own = Object.values(tables);
    for (const table of own) known.add(getTableName(table));
    const targets = own
      .flatMap((table) => getTableConfig(table).foreignKeys)
      .map((key) => getTableName(key.reference().foreignTable));
    expect(targets.filter((name) => !known.has(name))).toEqual([]);
  }
  expect(known.size).toBe(TABLES.length);
});
