import { expect, test } from 'bun:test';
import { DatabaseSync } from 'node:sqlite';
import { lookAt } from '../../../src/storage/engine/sqlite/look.ts';
import { newDatabase } from '../../support/database.ts';

const versionOf = (client: DatabaseSync) => client.prepare('PRAGMA user_version').get()?.user_version;

test("a read during another process's change is repeated", () => {
  const path = newDatabase();
  let looks = 0;
  const seen = lookAt(path, (client) => {
    looks += 1;
    if (looks > 1) return versionOf(client);
    const writer = new DatabaseSync(path);
    writer.exec('PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)');
    writer.close();
    throw new Error('what was read does not fit together');
  });
  expect([looks, seen]).toEqual([2, 999]);
});

test('a read without a change happens once, also when it fails', () => {
  let looks = 0;
  const look = () => {
    looks += 1;
    throw new Error('damaged');
  };
  expect(() => lookAt(newDatabase(), look)).toThrow('damaged');
  expect(looks).toBe(1);
});
