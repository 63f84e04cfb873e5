import type { PostgresAddress } from '../../settings/database-address.ts';
import { type Database, DatabaseUnusable, disconnect } from '../engine/database.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { connectPostgres } from '../engine/postgres/database.ts';
import {
  COPY_MARK,
  CopyBrokenOff,
  makingTables,
  postgresVersion,
  refuseNewerPostgres,
  removingTables,
} from '../engine/postgres/migrate.ts';
import { examineServer } from '../engine/postgres/server.ts';
import { openExclusiveSession, type PostgresSession } from '../engine/postgres/session.ts';
import { prepare } from '../engine/statement.ts';
import { refuseOlder } from '../installation/postgres-installation.ts';
import { COPIED_TABLES, type CopiedTable, columnList, quoted, TELLING_TABLES } from './copied-tables.ts';
import { CHARACTERS_AT_ONCE, type CopySource, type CopyTarget, ROWS_AT_ONCE } from './sides.ts';

const LOOK = { connectionsMax: 1, timeoutMs: 30_000 };
/** For a table of unknown row size. */
const ROWS_AT_FIRST = 50;

/** The address of a PostgreSQL database, and the setting or option that named it. */
export interface NamedAddress {
  readonly address: PostgresAddress;
  readonly named: string;
}

const nameOf = ({ database, host }: PostgresAddress): string => `${database} on ${host}`;

/**
 * The store in a PostgreSQL database, opened exclusively.
 *
 * @throws ConfigRefused, DatabaseUnusable when it is in use, or not of this binary's version
 */
export async function postgresSource({ address, named }: NamedAddress): Promise<CopySource> {
  const session = await lookAndTake({ address, named }, async (db) => {
    const version = await postgresVersion(db);
    if (version === 0) throw new DatabaseUnusable(`the database that ${named} names is empty`);
    refuseNewerPostgres(version);
    refuseOlder(version);
  });
  await session.query('begin isolation level repeatable read read only');
  return { name: nameOf(address), ...readerOf(session) };
}

/** Checks the exclusively opened database. */
async function lookAndTake(
  { address, named }: NamedAddress,
  look: (db: Database) => Promise<void>,
): Promise<PostgresSession> {
  const db = connectPostgres(address, LOOK);
  try {
    await examineServer(db, address, named);
    const session = await openExclusiveSession(address, named);
    try {
      await look(db);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  } finally {
    await disconnect(db);
  }
}

function readerOf(session: PostgresSession): Omit<CopySource, 'name'> {
  const one = async (text: string) => (await session.query(text))[0]?.[0] ?? undefined;
  return {
    fingerprint: () => one('select key_fingerprint from installation where id = 1'),
    async bytes() {
      let bytes = 0;
      for (const table of COPIED_TABLES) bytes += Number(await one(bytesOf(table)));
      return bytes;
    },
    count: async ({ name }) => Number(await one(`select count(*) from ${quoted(name)}`)),
    read: (table) =>
      session.pieces(
        `select ${columnList(table)} from ${quoted(table.name)} order by ${table.key.map(quoted).join(', ')}`,
        sizing(),
      ),
    lastGiven: async ({ name }) =>
      (await one(
        `select case when is_called then last_value else last_value - 1 end from ${quoted(`${name}_id_seq`)}`,
      )) ?? '0',
    close: () => session.close(),
  };
}

/** Reads more rows at a time while they are small. */
function sizing(): (rows: readonly (readonly (string | null)[])[]) => number {
  let size = ROWS_AT_FIRST;
  return (rows) => {
    let characters = 0;
    for (const row of rows) for (const value of row) characters += value?.length ?? 0;
    if (characters > CHARACTERS_AT_ONCE) size = Math.max(1, size >> 1);
    else if (rows.length === size && characters < CHARACTERS_AT_ONCE / 2)
      size = Math.min(ROWS_AT_ONCE, size * 2);
    return size;
  };
}

/**
 * A store for a PostgreSQL database, opened exclusively. Marks it before emptying it. The rest is one transaction, whose end
 * removes the mark.
 *
 * @throws ConfigRefused, DatabaseUnusable when it is in use, newer, or contains other tables than ours
 */
export async function postgresTarget({ address, named }: NamedAddress): Promise<CopyTarget> {
  let isInUse = false;
  const session = await lookAndTake({ address, named }, async (db) => {
    isInUse = await holdsRows(db);
  });
  const inserts = new Map<CopiedTable, string>();
  let later: readonly string[] = [];
  return {
    name: nameOf(address),
    isInUse,
    holdsNul: false,
    // The server does not report its free room.
    lackOfRoom: () => undefined,
    afterFailure: 'the target cannot be used until "redoubt store copy" with --replace succeeds',
    async begin() {
      await session.query(`begin; ${removingTables()}; create table ${COPY_MARK} (); commit`);
      await session.query(`begin; ${makingTables()}`);
      later = await takeAway(session);
    },
    async write(table, _, texts) {
      const insert = inserts.get(table) ?? insertOf(table);
      inserts.set(table, insert);
      await session.query(insert, [`[${texts.join(',')}]`]);
    },
    async complete(lastGiven) {
      for (const [table, sequence] of await session.query(IDENTITIES)) {
        const last = `${lastGiven.get(table ?? '') ?? `(select coalesce(max(id), 0) from ${table})`}::bigint`;
        await session.query(`select setval('${sequence}', greatest(${last}, 1), ${last} > 0)`);
      }
      for (const text of later) await session.query(text);
      await session.query(`analyze ${COPIED_TABLES.map(({ name }) => quoted(name)).join(', ')}`);
    },
    async release() {
      await session.query(`drop table ${COPY_MARK}; commit`);
    },
    discard: () => {},
    ...readerOf(session),
  };
}

/** Whether it has rows, tables of another version, or a part of a copy. */
async function holdsRows(db: Database): Promise<boolean> {
  try {
    const version = await postgresVersion(db);
    if (version === 0) return false;
    refuseNewerPostgres(version);
    if (version !== MIGRATIONS.length) return true;
  } catch (error) {
    if (error instanceof CopyBrokenOff) return true;
    throw error;
  }
  for (const { name } of TELLING_TABLES)
    if (await prepare(db, `select 1 from ${quoted(name)} limit 1`).get()) return true;
  return false;
}

const OURS = `(${COPIED_TABLES.map(({ name }) => `'${name}'::regclass`).join(', ')})`;

/** PostgreSQL compresses long texts, so their length may exceed the size of the table on disk. */
function bytesOf({ name, columns }: CopiedTable): string {
  const texts = columns.filter(({ isNumber }) => !isNumber);
  const lengths = ['0', ...texts.map((column) => `coalesce(octet_length(${quoted(column.name)}), 0)`)];
  const table = `'${quoted(name)}'::regclass`;
  return `select pg_indexes_size(${table}) + greatest(pg_relation_size(${table}), sum(${lengths.join(' + ')})) from ${quoted(name)}`;
}

/** The sequences of tables whose numbers may be used again: they continue after the largest current one. */
const IDENTITIES = `select attrelid::regclass::text, pg_get_serial_sequence(attrelid::regclass::text, attname)
  from pg_attribute where attidentity <> '' and attrelid in ${OURS}`;
const INDEXES = `select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
  where indrelid in ${OURS} and not exists (select 1 from pg_constraint where conindid = indexrelid and contype <> 'f')`;
const REFERENCES = `select conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) from pg_constraint
  where contype = 'f' and conrelid in ${OURS}`;

/**
 * Removes rows that the migrations added, and objects that would slow down inserts.
 *
 * @returns the statements that create them again
 */
async function takeAway(session: PostgresSession): Promise<string[]> {
  const [indexes, references] = [await session.query(INDEXES), await session.query(REFERENCES)];
  const tables = COPIED_TABLES.map(({ name }) => quoted(name));
  await session.query(
    [
      ...references.map(([of, name]) => `alter table ${of} drop constraint ${name}`),
      ...indexes.map(([name]) => `drop index ${name}`),
      ...tables.flatMap((name) => [`alter table ${name} disable trigger user`, `delete from ${name}`]),
    ].join(';'),
  );
  return [
    ...indexes.map(([, text]) => `${text}`),
    ...references.map(([of, name, text]) => `alter table ${of} add constraint ${name} ${text}`),
    ...tables.map((name) => `alter table ${name} enable trigger user`),
  ];
}

function insertOf(table: CopiedTable): string {
  const values = table.columns.map(({ isNumber }, at) =>
    isNumber ? `(row->>${at})::bigint` : `row->>${at}`,
  );
  return `insert into ${quoted(table.name)} (${columnList(table)}) select ${values.join(', ')} from jsonb_array_elements($1::jsonb) as row`;
}
