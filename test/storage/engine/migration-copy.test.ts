import { beforeEach, describe, expect, test } from 'bun:test';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databasePath } from '../../../src/storage/engine/data-directory.ts';
import { DatabaseUnusable } from '../../../src/storage/engine/database.ts';
import { MIGRATIONS } from '../../../src/storage/engine/migrations.ts';
import { prepareDatabase } from '../../../src/storage/engine/sqlite/database.ts';
import { writeCopy } from '../../../src/storage/engine/sqlite/migration-copy.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const VERSION = MIGRATIONS.length;
const NEXT = [...MIGRATIONS, 'CREATE TABLE added (id INTEGER PRIMARY KEY) STRICT'];

let path: string;
let copy: string;
beforeEach(() => {
  path = databasePath(temporaryDirectory());
  copy = `${path}.before-v${NEXT.length}`;
  prepareDatabase(path);
  ask(path, "insert into audit_log (at, actor, action) values (1, 'system', 'newest')");
});

function ask(database: string, sql: string): Record<string, unknown>[] {
  const client = new DatabaseSync(database);
  try {
    return client.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    client.close();
  }
}
const versionOf = (database: string) => ask(database, 'pragma user_version')[0]?.user_version;
const files = () => readdirSync(dirname(path)).toSorted();

/**
 * Obstacles at the path of a copy: from a full disk, an earlier migration, a killed process or another user.
 */
const LEFT_BEHIND: Readonly<Record<string, (at: string, victim: string) => void>> = {
  'an empty file': (at) => writeFileSync(at, '', { mode: 0o644 }),
  'a stale copy': (at) => prepareDatabase(at),
  'half a copy': (at) => writeFileSync(at, readFileSync(path).subarray(0, 10_000)),
  'a link to a file': (at, victim) => {
    writeFileSync(victim, 'kept');
    symlinkSync(victim, at);
  },
  'a link to nothing': (at, victim) => symlinkSync(victim, at),
};

describe.each(['', '.partial'])('before a migration, at the path of its copy%s', (suffix) => {
  test.each(Object.entries(LEFT_BEHIND))('%s is replaced by a complete copy', (_, leave) => {
    const victim = join(temporaryDirectory(), 'victim');
    leave(copy + suffix, victim);
    const before = readdirSync(dirname(victim));
    prepareDatabase(path, NEXT);
    expect(readdirSync(dirname(victim))).toEqual(before);
    if (before.length > 0) expect(readFileSync(victim, 'utf8')).toBe('kept');
    const { mode } = lstatSync(copy);
    expect([lstatSync(copy).isFile(), mode & 0o777]).toEqual([true, 0o600]);
    expect(versionOf(copy)).toBe(VERSION);
    expect(ask(copy, 'select action from audit_log')).toEqual([{ action: 'newest' }]);
    expect(versionOf(path)).toBe(NEXT.length);
    expect(files()).toEqual(['redoubt.sqlite', `redoubt.sqlite.before-v${NEXT.length}`]);
  });
});

test('a database that cannot be copied is not migrated', () => {
  mkdirSync(copy);
  expect(() => prepareDatabase(path, NEXT)).toThrow(DatabaseUnusable);
  expect(() => prepareDatabase(path, NEXT)).toThrow('was not migrated');
  expect([versionOf(path), files().length]).toEqual([VERSION, 2]);
});

test.each([
  ['is empty', () => {}],
  ['has no version', (to: string) => ask(to, 'create table other (id integer)')],
  [
    'is truncated',
    (to: string, client: DatabaseSync) => {
      client.prepare('VACUUM INTO ?').run(to);
      truncateSync(to, lstatSync(to).size - 8 * 4096);
    },
  ],
])('a copy that %s is refused and removed, and an earlier one stays', (_, write) => {
  writeFileSync(copy, 'earlier');
  const client = new DatabaseSync(path);
  // A disk that accepts writes and loses them.
  const lossy = {
    prepare: (sql: string) =>
      sql.startsWith('VACUUM') ? { run: (to: string) => write(to, client) } : client.prepare(sql),
  } as DatabaseSync;
  expect(() => writeCopy(lossy, copy)).toThrow();
  client.close();
  expect(readFileSync(copy, 'utf8')).toBe('earlier');
  expect(files()).not.toContain(`redoubt.sqlite.before-v${NEXT.length}.partial`);
});
