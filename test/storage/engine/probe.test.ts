import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connect, prepareDatabase } from '../../../src/storage/engine/sqlite/database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test.each([
  ['a read-only check', false],
  ['an actual write', true],
])('%s fails exactly while another process prevents writes', (_, write) => {
  const path = join(temporaryDirectory(), 'redoubt.sqlite');
  prepareDatabase(path);
  const db = connect(path);
  db.$client.exec('PRAGMA busy_timeout = 0');
  const other = new DatabaseSync(path);
  expect(() => db.connection.probe(write)).not.toThrow();
  other.exec('BEGIN IMMEDIATE');
  expect(() => db.connection.probe(write)).toThrow('locked');
  other.exec('ROLLBACK');
  expect(() => db.connection.probe(write)).not.toThrow();
  for (const each of [db.$client, other]) each.close();
});
