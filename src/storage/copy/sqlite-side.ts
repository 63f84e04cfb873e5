import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { flush } from '../../lib/lay-file.ts';
import { databasePath } from '../engine/data-directory.ts';
import { DatabaseUnusable } from '../engine/database.ts';
import { lackOfRoom } from '../engine/room.ts';
import { clientOf } from '../engine/sqlite/client.ts';
import {
  connectToLook,
  databaseVersion,
  prepareDatabase,
  refuseOtherVersion,
  withClient,
} from '../engine/sqlite/database.ts';
import {
  COPIED_TABLES,
  type CopiedRow,
  type CopiedTable,
  columnList,
  quoted,
  TELLING_TABLES,
} from './copied-tables.ts';
import { CHARACTERS_AT_ONCE, type CopySource, type CopyTarget, ROWS_AT_ONCE } from './sides.ts';

/**
 * The store of a data directory, opened exclusively.
 *
 * @throws DatabaseUnusable unless it is of this binary's version
 */
export function sqliteSource(directory: string): CopySource {
  const path = databasePath(directory);
  const version = databaseVersion(path);
  if (version === 0) throw new DatabaseUnusable(`there is no database in ${directory}. Set SERVICE_DATA_DIR`);
  refuseOtherVersion(path, version);
  return { name: path, ...readerOf(clientOf(connectToLook(path))) };
}

type Reader = Omit<CopySource, 'name'>;

function readerOf(client: DatabaseSync): Reader {
  const one = (text: string, ...values: string[]): unknown =>
    Object.values(client.prepare(text).get(...values) ?? {})[0];
  return {
    fingerprint: async () =>
      one('select key_fingerprint from installation where id = 1') as string | undefined,
    bytes: async () => Number(one('PRAGMA page_count')) * Number(one('PRAGMA page_size')),
    count: async ({ name }) => Number(one(`select count(*) from ${quoted(name)}`)),
    read: (table) => pieces(client, table),
    lastGiven: async ({ name }) =>
      String(one('select cast(seq as text) from sqlite_sequence where name = ?', name) ?? '0'),
    close: async () => client.close(),
  };
}

function* pieces(client: DatabaseSync, table: CopiedTable): Generator<CopiedRow[]> {
  const values = table.columns.map(({ name, isNumber }) =>
    isNumber ? `cast(${quoted(name)} as text)` : quoted(name),
  );
  const statement = client.prepare(`select ${values.join(', ')} from ${quoted(table.name)}`);
  statement.setReturnArrays(true);
  let rows: CopiedRow[] = [];
  let characters = 0;
  for (const row of statement.iterate() as Iterable<unknown> as Iterable<CopiedRow>) {
    rows.push(row);
    for (const value of row) characters += value?.length ?? 0;
    if (rows.length < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    yield rows;
    [rows, characters] = [[], 0];
  }
  if (rows.length > 0) yield rows;
}

/** The files that SQLite creates next to a database. */
const BESIDE = ['-wal', '-shm', '-journal'];
/** What must stay free on the disk in addition to a copy. */
const SPARE_BYTES = 32 * 1024 * 1024;

/**
 * A new store for a data directory, opened exclusively: a separate file, which replaces the directory's database when it is
 * released.
 *
 * @throws DatabaseUnusable when the current file is not a database of ours
 */
export function sqliteTarget(directory: string): CopyTarget {
  const path = databasePath(directory);
  const partial = `${path}.partial`;
  const isInUse = databaseVersion(path) > 0 && withClient(path, 'read', holdsRows);
  const remove = () => {
    for (const suffix of ['', ...BESIDE]) rmSync(partial + suffix, { force: true });
  };
  const inserts = new Map<CopiedTable, (row: CopiedRow) => unknown>();
  let client: DatabaseSync | undefined;
  let reader: Reader | undefined;
  let later: readonly string[] = [];
  const opened = () => {
    if (!client || !reader) throw new Error('the copy was not started');
    return { client, reader };
  };
  const discard = () => {
    if (client?.isOpen) client.close();
    remove();
  };
  return {
    name: path,
    isInUse,
    holdsNul: true,
    afterFailure: 'nothing was changed',
    lackOfRoom: (bytes) => lackOfRoom(directory, bytes + SPARE_BYTES),
    async begin() {
      remove();
      prepareDatabase(partial);
      client = new DatabaseSync(partial, { enableForeignKeyConstraints: false });
      // Needs no journal: it counts only once it is complete, flushed and renamed.
      client.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536');
      later = takeAway(client);
      client.exec('BEGIN');
      reader = readerOf(client);
    },
    async write(table, rows) {
      const insert = inserts.get(table) ?? inserterOf(opened().client, table);
      inserts.set(table, insert);
      for (const row of rows) insert(row);
    },
    async complete(lastGiven) {
      const { client } = opened();
      client.exec('DELETE FROM sqlite_sequence');
      const given = client.prepare('insert into sqlite_sequence (name, seq) values (?, cast(? as integer))');
      for (const [name, last] of lastGiven) if (last !== '0') given.run(name, last);
      for (const sql of later) client.exec(sql);
      client.exec('COMMIT');
      const lost = client.prepare('PRAGMA foreign_key_check').get();
      if (lost) throw new DatabaseUnusable(`rows of ${lost.table} refer to missing rows`);
    },
    async release() {
      const { client } = opened();
      client.exec('PRAGMA journal_mode = WAL');
      client.close();
      flush(partial);
      takePlace(partial, path);
    },
    discard,
    fingerprint: () => opened().reader.fingerprint(),
    bytes: () => opened().reader.bytes(),
    count: (table) => opened().reader.count(table),
    read: (table) => opened().reader.read(table),
    lastGiven: (table) => opened().reader.lastGiven(table),
    close: async () => discard(),
  };
}

/** Works with any version, whose tables may be incomplete. */
const holdsRows = (client: DatabaseSync): boolean =>
  TELLING_TABLES.some(
    ({ name }) =>
      client.prepare('select 1 from sqlite_master where name = ?').get(name) !== undefined &&
      client.prepare(`select 1 from ${quoted(name)} limit 1`).get() !== undefined,
  );

/**
 * Removes rows that the migrations added, and objects that would slow down inserts.
 *
 * @returns the statements that create them again
 */
function takeAway(client: DatabaseSync): string[] {
  const made = client
    .prepare(
      "select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null",
    )
    .all() as { type: string; name: string; sql: string }[];
  for (const { type, name } of made) client.exec(`DROP ${type} ${quoted(name)}`);
  for (const { name } of COPIED_TABLES) client.exec(`DELETE FROM ${quoted(name)}`);
  return made.map(({ sql }) => sql);
}

/** In numeric columns, SQLite converts texts to numbers. */
function inserterOf(client: DatabaseSync, table: CopiedTable): (row: CopiedRow) => unknown {
  const statement = client.prepare(
    `insert into ${quoted(table.name)} (${columnList(table)}) values (${table.columns.map(() => '?')})`,
  );
  return (row) => statement.run(...row);
}

/** The earlier database's log must not be applied to the later one. */
function takePlace(partial: string, path: string): void {
  if (existsSync(path)) withClient(path, 'open', (client) => client.exec('PRAGMA journal_mode = DELETE'));
  for (const suffix of BESIDE) rmSync(path + suffix, { force: true });
  renameSync(partial, path);
  flush(dirname(path));
}
