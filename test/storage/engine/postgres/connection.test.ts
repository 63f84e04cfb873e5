import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { PostgresAddress } from '../../../../src/settings/database-address.ts';
import {
  type Database,
  DatabaseAway,
  disconnect,
  inTransaction,
  isAway,
} from '../../../../src/storage/engine/database.ts';
import { MIGRATIONS } from '../../../../src/storage/engine/migrations.ts';
import { connectPostgres, PROBE } from '../../../../src/storage/engine/postgres/database.ts';
import { migratePostgres, postgresVersion } from '../../../../src/storage/engine/postgres/migrate.ts';
import { execute, prepare } from '../../../../src/storage/engine/statement.ts';
import { type Forwarder, startForwarder } from '../../../support/forwarder.ts';
import { openPostgres, type PostgresServer, startPostgres } from '../../../support/postgres.ts';

const TIMEOUT_MS = 500;

let server: PostgresServer;
let address: PostgresAddress;
let db: Database;
const open = (connectionsMax = 1) => connectPostgres(address, { connectionsMax, timeoutMs: TIMEOUT_MS });
beforeAll(async () => {
  server = await startPostgres(['fsync = off']);
  address = { ...server.address, database: 'postgres' };
});
afterAll(() => server.stop('SIGQUIT'));
beforeEach(async () => {
  db = open();
  await execute(
    db,
    'drop schema public cascade; create schema public; create table kept (id bigint primary key)',
  );
});
afterEach(() => disconnect(db));

const ids = async () =>
  (await prepare<{ id: number }>(db, 'select id from kept order by id').all()).map(({ id }) => id);
const add = async (id: number): Promise<unknown> => prepare(db, 'insert into kept values (?)').run(id);
/** Ends every other connection to the database, as an administrator or a failover does. */
const cutOff = async () => {
  const other = open();
  await prepare(
    other,
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
  ).all();
  await disconnect(other);
};

describe('a transaction', () => {
  test('with a lost connection never continues on another, even when errors are caught', async () => {
    const attempt = inTransaction(db, async () => {
      await add(1);
      await cutOff();
      await add(2).catch(() => {});
      await add(3).catch(() => {});
    });
    await expect(attempt).rejects.toBeInstanceOf(DatabaseAway);
    expect(await ids()).toEqual([]);
    await inTransaction(db, () => add(4));
    expect(await ids()).toEqual([4]);
  });

  test('does not commit while one of its statements is not awaited', async () => {
    const attempt = inTransaction(db, async () => {
      void add(1);
    });
    await expect(attempt).rejects.toThrow('not awaited');
    expect(await ids()).toEqual([]);
  });

  test('loses only an expected failing statement', async () => {
    await inTransaction(db, async () => {
      await add(1);
      expect(await db.connection.attempt(async () => add(1))).toBe(false);
      expect(await db.connection.attempt(async () => add(2))).toBe(true);
    });
    expect(await ids()).toEqual([1, 2]);
  });

  test('waits for that of another connection, and is refused when that does not end', async () => {
    const other = open();
    await other.connection.beginChanging();
    await expect(inTransaction(db, async () => add(1))).rejects.toBeInstanceOf(DatabaseAway);
    await other.connection.rollback();
    await inTransaction(db, async () => add(2));
    expect(await ids()).toEqual([2]);
    await disconnect(other);
  });

  test('of an unresponsive node is ended, so that others can change its rows', async () => {
    const silent = open();
    await silent.connection.beginChanging();
    await until(async () => inTransaction(db, () => add(1)).then(() => true));
    await expect(prepare(silent, 'insert into kept values (2)').run()).rejects.toBeInstanceOf(DatabaseAway);
    await silent.connection.rollback();
    await inTransaction(silent, async () => prepare(silent, 'insert into kept values (3)').run());
    expect(await ids()).toEqual([1, 3]);
    await disconnect(silent);
  });
});

describe('an unavailable database', () => {
  test('is queried again automatically after a connection was cut off', async () => {
    await add(1);
    await cutOff();
    const answers = await Promise.allSettled([ids(), ids()]);
    for (const answer of answers) if (answer.status === 'rejected') expect(isAway(answer.reason)).toBe(true);
    expect(await ids()).toEqual([1]);
  });

  test('is reported in limited time when it is frozen, also within a transaction, and works afterwards', async () => {
    await db.connection.beginChanging();
    server.freeze('SIGSTOP');
    const began = performance.now();
    await expect(add(1)).rejects.toBeInstanceOf(DatabaseAway);
    expect(performance.now() - began).toBeLessThan(4 * TIMEOUT_MS);
    await db.connection.rollback();
    await expect(ids()).rejects.toBeInstanceOf(DatabaseAway);
    server.freeze('SIGCONT');
    await until(async () => (await ids()).length === 0);
  });

  test('is reported when it was stopped, and works after a start', async () => {
    await add(1);
    await server.stop('SIGQUIT');
    await expect(ids()).rejects.toBeInstanceOf(DatabaseAway);
    await server.start();
    expect(await ids()).toEqual([1]);
  });
});

/** Each takes a connection from a pool. */
const WAYS: Readonly<Record<string, (db: Database) => Promise<unknown>>> = {
  'a statement': async (db) => execute(db, 'select 1'),
  'a transaction': (db) => inTransaction(db, async () => {}),
  'a reader of rows one by one': (db) => Array.fromAsync(prepare(db, 'select 1 as one').iterate()),
};

describe('after a request timed out while its new connection was checked', () => {
  const timeoutMs = 200;
  const ENDS: Readonly<Record<string, (forwarder: Forwarder) => void>> = {
    'is answered late': (forwarder) => forwarder.release(),
    'is cut off': (forwarder) => {
      forwarder.release();
      forwarder.leadTo(server.directory);
    },
    'is never answered': () => {},
  };

  for (const [way, ask] of Object.entries(WAYS))
    for (const [end, bringAbout] of Object.entries(ENDS))
      test(`${way} gets a connection, where the check ${end}`, async () => {
        const forwarder = await startForwarder(server.directory);
        const { port } = forwarder;
        const pooled = connectPostgres(
          { ...address, host: '127.0.0.1', port },
          { connectionsMax: 1, timeoutMs },
        );
        forwarder.withholdAnswersTo(PROBE);
        const first = ask(pooled).catch((error) => error);
        // The second request waits for the first connection, and then times out during the check of its own.
        await Bun.sleep(timeoutMs / 2);
        expect(isAway(await ask(pooled).catch((error) => error))).toBe(true);
        expect(isAway(await first)).toBe(true);
        bringAbout(forwarder);
        const next = await ask(pooled).catch((error) => error);
        forwarder.release();
        // It may get the connection that was cut off, or wait for one that never answers.
        if (isAway(next)) await ask(pooled);
        await disconnect(pooled);
        forwarder.end();
      });
});

describe('a migration', () => {
  test('of an empty database by several nodes together happens once', async () => {
    await execute(db, 'drop table kept');
    const nodes = Array.from({ length: 3 }, () => openPostgres(address));
    const before = await Promise.all(nodes.map((node) => migratePostgres(node)));
    expect(before.toSorted()).toEqual([0, MIGRATIONS.length, MIGRATIONS.length].toSorted());
    expect(await postgresVersion(db)).toBe(MIGRATIONS.length);
    expect(await prepare<{ count: number }>(db, 'select count(*) as count from generations').get()).toEqual({
      count: 1,
    });
    await Promise.all(nodes.map(disconnect));
  });

  test('does not change tables of others, nor a newer database', async () => {
    await expect(migratePostgres(db)).rejects.toThrow('do not belong to redoubt');
    expect(await ids()).toEqual([]);
    await execute(
      db,
      `create table redoubt_version (version bigint); insert into redoubt_version values (${MIGRATIONS.length + 1})`,
    );
    await expect(migratePostgres(db)).rejects.toThrow('but this executable supports only');
  });

  test('that fails leaves the database unchanged', async () => {
    await execute(db, 'drop table kept');
    const broken = [
      {
        name: 'broken',
        version: 1,
        sql: 'create table half (id bigint); select no_such_function()',
        stopsTheWorld: false,
      },
    ];
    await expect(migratePostgres(db, { migrations: broken })).rejects.toThrow();
    expect(await postgresVersion(db)).toBe(0);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (;;) {
    if (await holds().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
