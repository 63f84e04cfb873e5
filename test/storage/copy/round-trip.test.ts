import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { PostgresAddress } from '../../../src/settings/database-address.ts';
import { COPIED_TABLES, type CopiedRow } from '../../../src/storage/copy/copied-tables.ts';
import { type CopyProgress, copyStore } from '../../../src/storage/copy/copy-store.ts';
import { withSides } from '../../../src/storage/copy/open-sides.ts';
import type { CopyTarget } from '../../../src/storage/copy/sides.ts';
import { databasePath, lockDataDirectory } from '../../../src/storage/engine/data-directory.ts';
import { disconnect } from '../../../src/storage/engine/database.ts';
import { postgresVersion } from '../../../src/storage/engine/postgres/migrate.ts';
import { sqliteDialect } from '../../../src/storage/engine/sqlite/dialect.ts';
import {
  emptyInstallation,
  everyRow,
  fillEveryTable,
  keyedDirectory,
  rowText,
} from '../../support/copies.ts';
import { newEmptyDatabase, openPostgres } from '../../support/postgres.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** The index of a column of the events. */
const TYPE = 3;

const clients = new Map<string, Client>();
afterEach(async () => {
  for (const client of clients.values()) await client.end();
  clients.clear();
});

/** A different reader from that of the copy. */
async function ask(address: PostgresAddress, text: string): Promise<Record<string, string | null>[]> {
  const client =
    clients.get(address.database) ?? new Client({ ...address, types: { getTypeParser: () => String } });
  if (!clients.has(address.database)) await client.connect();
  clients.set(address.database, client);
  return (await client.query(text)).rows;
}

/** The rows of every table as text, sorted. */
async function everyPostgresRow(address: PostgresAddress): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name, columns } of COPIED_TABLES) {
    const rows = await ask(address, `select ${columns.map((column) => `"${column.name}"`)} from "${name}"`);
    found[name] = rows.map(rowText).sort();
  }
  return found;
}

/** The error of a promise: `rejects` of the test runner blocks progress of the connection. */
const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (error: Error) => error.message,
  );

const copyBetween = (
  dataDir: string,
  address: PostgresAddress,
  isFrom: boolean,
  onProgress: (progress: CopyProgress) => void = () => {},
  spoil: (target: CopyTarget) => CopyTarget = (target) => target,
) =>
  withSides(
    {
      dataDir,
      keysDir: dataDir,
      here: undefined,
      there: { address, named: isFrom ? '--from' : '--to' },
      isFrom,
    },
    (source, target) => copyStore(source, spoil(target), onProgress),
  );

function filledInstallation(): string {
  const directory = emptyInstallation();
  fillEveryTable(databasePath(directory));
  return directory;
}

test('every table of SQLite is copied, except its internal ones', () => {
  const directory = filledInstallation();
  const db = new DatabaseSync(databasePath(directory));
  const names = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .all()
    .map(({ name }) => String(name));
  db.close();
  expect(COPIED_TABLES.map(({ name }) => name).sort()).toEqual(names);
  expect(Object.values(everyRow(databasePath(directory))).filter((rows) => rows.length === 0)).toEqual([]);
});

describe('a store', () => {
  test('is identical on PostgreSQL and back again: rows, next numbers, indexes and triggers', async () => {
    const directory = filledInstallation();
    const before = everyRow(databasePath(directory));
    const address = await newEmptyDatabase();
    const { rows, counts, textsChanged } = await copyBetween(directory, address, false);
    expect(everyRow(databasePath(directory))).toEqual(before);
    expect(await everyPostgresRow(address)).toEqual(before);
    expect(textsChanged).toBe(0);
    expect(rows).toBe(Object.values(before).flat().length);
    expect(counts).toEqual(
      Object.fromEntries(Object.entries(before).map(([name, { length }]) => [name, length])),
    );

    const fresh = await newEmptyDatabase();
    await copyBetween(emptyInstallation(), fresh, false);
    const made = `select indexdef as made from pg_indexes where schemaname = 'public' union all
      select conrelid::regclass || conname || pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace union all
      select tgrelid::regclass || tgname || tgenabled::text from pg_trigger where not tgisinternal union all
      select relname from pg_class where relnamespace = 'public'::regnamespace order by 1`;
    expect(await ask(address, made)).toEqual(await ask(fresh, made));

    const back = keyedDirectory(directory);
    await copyBetween(back, address, true);
    expect(everyRow(databasePath(back))).toEqual(before);
    const schema = (path: string) => {
      const db = new DatabaseSync(path);
      const messages = [
        ...db.prepare('select type, name, sql from sqlite_schema order by type, name').all(),
        ...db.prepare('select name, seq from sqlite_sequence where seq > 0 order by name').all(),
        ...['auto_vacuum', 'journal_mode', 'user_version'].map((one) => db.prepare(`pragma ${one}`).get()),
      ];
      db.close();
      return messages;
    };
    expect(schema(databasePath(back))).toEqual(schema(databasePath(directory)));
    expect(readdirSync(back).filter((name) => /partial|-wal|-shm|-journal/.test(name))).toEqual([]);
  });

  test('never assigns a number twice, on either side', async () => {
    const directory = filledInstallation();
    const db = new DatabaseSync(databasePath(directory), { enableForeignKeyConstraints: false });
    db.exec(`delete from scan_requests; delete from scans; delete from backups; delete from audit_log; delete from events;
      update sqlite_sequence set seq = 41 where name = 'scans'; delete from sqlite_sequence where name = 'audit_log'`);
    db.close();
    const address = await newEmptyDatabase();
    await copyBetween(directory, address, false);
    const nextOnPostgres = async (table: string) =>
      (await ask(address, `select nextval('${table}_id_seq') as next`))[0]?.next;
    expect(await nextOnPostgres('scans')).toBe('42');
    expect(await nextOnPostgres('backups')).toBe('4');
    expect(await nextOnPostgres('audit_log')).toBe('1');
    expect(await nextOnPostgres('events')).toBe('1');
    expect(await nextOnPostgres('licenses')).toBe('4');
    // PostgreSQL has assigned one more of each.
    const back = keyedDirectory(directory);
    await copyBetween(back, address, true);
    const copied = new DatabaseSync(databasePath(back));
    const next = (table: string) => copied.prepare(sqliteDialect.nextId(table)).get()?.id;
    expect(['scans', 'backups', 'audit_log', 'licenses', 'sites'].map(next)).toEqual([43, 5, 2, 5, 4]);
    copied.close();
  });

  test('with NUL in its text is copied with U+FFFD in its place, which is reported', async () => {
    const directory = filledInstallation();
    const db = new DatabaseSync(databasePath(directory));
    db.prepare('update events set message = ? where id = 1').run('a\0b\0');
    db.prepare('update alerts set subject = ? where license_id = 1').run('\0first');
    db.close();
    const address = await newEmptyDatabase();
    expect((await copyBetween(directory, address, false)).textsChanged).toBe(2);
    expect(await ask(address, 'select message from events where id = 1')).toEqual([
      { message: 'a\ufffdb\ufffd' },
    ]);
  });

  test.each([
    ['a changed row', (row: CopiedRow) => row.with(TYPE, 'another')],
    ['a lost row', () => undefined],
  ])('with %s during the copy is detected and cannot be used', async (_, change) => {
    const damage = (target: CopyTarget): CopyTarget => ({
      ...target,
      write: (table, rows, texts) => {
        const [first, ...more] = rows;
        if (table.name !== 'events' || !first) return target.write(table, rows, texts);
        const all = [change(first) ?? [], ...more].filter((row) => row.length > 0);
        return target.write(
          table,
          all,
          all.map((row) => JSON.stringify(row)),
        );
      },
    });
    const directory = filledInstallation();
    const address = await newEmptyDatabase();
    const why =
      /^the copy failed: .*events.*; the target cannot be used until "redoubt store copy" with --replace/;
    expect(await failureOf(copyBetween(directory, address, false, () => {}, damage))).toMatch(why);
    expect(
      await ask(address, 'select tablename as name from pg_tables where schemaname = current_schema()'),
    ).toEqual([{ name: 'redoubt_copy' }]);
    await copyBetween(directory, address, false);

    const back = keyedDirectory(directory);
    expect(await failureOf(copyBetween(back, address, true, () => {}, damage))).toMatch(
      '; nothing was changed',
    );
    expect(readdirSync(back).filter((name) => name.startsWith('redoubt.sqlite'))).toEqual([]);
  });

  test('with an incomplete copy leaves the source unchanged', async () => {
    const directory = filledInstallation();
    const before = everyRow(databasePath(directory));
    const address = await newEmptyDatabase();
    const endBeforeVerifying = ({ phase }: CopyProgress) => {
      if (phase === 'verifying') throw new Error('somebody ended it');
    };
    expect(await failureOf(copyBetween(directory, address, false, endBeforeVerifying))).toMatch('somebody');
    expect(everyRow(databasePath(directory))).toEqual(before);
    const db = openPostgres(address);
    expect(await failureOf(postgresVersion(db))).toMatch(
      'is incomplete. Wait until it is done, or start it again',
    );
    await disconnect(db);
    // Leftovers of another copy do not matter.
    const back = keyedDirectory(directory);
    writeFileSync(`${databasePath(back)}.partial`, 'left behind');
    await copyBetween(directory, address, false);
    await copyBetween(back, address, true);
    expect(everyRow(databasePath(back))).toEqual(before);
  });

  test('of another key, and one in use, is refused', async () => {
    const directory = filledInstallation();
    const address = await newEmptyDatabase();
    await copyBetween(directory, address, false);
    const other = keyedDirectory(emptyInstallation());
    expect(await failureOf(copyBetween(other, address, true))).toMatch(
      'is not the key that the database was used with',
    );
    expect(await failureOf(copyBetween(temporaryDirectory(), address, true))).toMatch(
      'installation.key is missing',
    );
    const leave = lockDataDirectory(directory);
    expect(await failureOf(copyBetween(directory, address, false))).toMatch(
      'another redoubt is using the data directory',
    );
    leave();
    expect(existsSync(databasePath(other))).toBe(false);
  });
});
