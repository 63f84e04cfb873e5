import { describe, expect, test } from 'bun:test';
import { DatabaseSync } from 'node:sqlite';
import { connect, databaseVersion } from '../../../src/storage/engine/sqlite/database.ts';
import { troubleOf } from '../../../src/storage/engine/trouble.ts';
import type { AuditEntry } from '../../../src/storage/operators/audit.ts';
import { storeOf } from '../../../src/terminal/store.ts';
import { newDatabase } from '../../support/database.ts';

const entry = (length: number): AuditEntry => ({
  at: 0,
  actor: 'system',
  action: 'x'.repeat(length),
  subject: null,
});

describe('a command reports store problems in words, without a query or a place in the code', () => {
  const messageFor = async (path: string, spoil: (database: DatabaseSync) => void): Promise<string> => {
    const db = connect(path);
    spoil(db.$client);
    try {
      await storeOf(db).change({ name: 'audit', input: entry(100_000) });
    } catch (error) {
      return (error as Error).message;
    } finally {
      db.$client.close();
    }
    throw new Error('nothing was refused');
  };

  test('when the disk is full', async () => {
    expect(await messageFor(newDatabase(), (client) => client.exec('PRAGMA max_page_count = 1'))).toBe(
      'nothing was changed: the disk is full. Free some space and try again',
    );
  });

  test('when another process does not stop writing', async () => {
    const path = newDatabase();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    expect(await messageFor(path, (client) => client.exec('PRAGMA busy_timeout = 0'))).toBe(
      'nothing was changed: another process is writing to it. Try again later',
    );
    other.close();
  });

  test('when the file is read-only', async () => {
    expect(await messageFor(newDatabase(), (client) => client.exec('PRAGMA query_only = ON'))).toContain(
      'read-only',
    );
  });
});

test('errors of other kinds are not reported as disk or database problems', () => {
  for (const error of [new Error('no such table: x'), new Error(''), 'database or disk is full', undefined])
    expect(troubleOf(error)).toBeUndefined();
  expect(troubleOf(new Error('Failed query', { cause: new Error('disk I/O error') }))).toContain(
    'is full or failing',
  );
});

test('a file that is not a database is reported as such', async () => {
  const path = newDatabase();
  await Bun.write(path, 'x'.repeat(4096));
  expect(() => databaseVersion(path)).toThrow(`cannot open ${path}: it is not a database`);
});
