import type { Duplex } from 'node:stream';
import { nodeSQLiteCodecs } from 'drizzle-orm/node-sqlite';
import { drizzle, type SqliteProxyExecutors } from 'drizzle-orm/sqlite-proxy';
import { Pool, type PoolClient } from 'pg';
import Cursor from 'pg-cursor';
import type { PostgresAddress } from '../../../settings/database-address.ts';
import type { Changed, Connection, Statement, Values } from '../connection.ts';
import { type Database, DatabaseAway, type Queries } from '../database.ts';
import { postgresDialect } from './dialect.ts';
import { isConnectionLost } from './errors.ts';
import { refusalIn } from './server-trouble.ts';
import { fromDrizzle, type Translated, translate } from './translate.ts';
import { getTypeParser } from './types.ts';

export interface PostgresOptions {
  /** The limit of open connections. Each transaction takes one exclusively. */
  readonly connectionsMax: number;
  /** How long connecting, and each statement, may take; then the connection is closed. */
  readonly timeoutMs: number;
  /** Whether the database is known to be unavailable; statements are then refused at once. */
  readonly isAway?: () => boolean;
  /** Whether a standby, which may lag behind, may answer; false by default. */
  readonly mayBeStandby?: boolean;
}

/** Every transaction with changes takes it: changes of all nodes happen one after another. */
export const CHANGES_LOCK = 0x7265_646f;
/**
 * How long a transaction with changes may be idle until PostgreSQL ends it. Otherwise, a node that lost its power or network
 * would keep the lock of all changes until TCP times out, which takes hours.
 */
const SILENT_MS_MAX = 2_000;
/** A standby rejects it. Its answers may be old: it would serve a license that was revoked since. */
export const PROBE = 'begin read write; commit';
/** The limit of statements prepared under a name; further ones are parsed each time. */
const NAMES_MAX = 1_000;
const CONNECTIONS_PER_CURSOR = 4;
const ROWS_AT_ONCE = 200;

type Row = Readonly<Record<string, unknown>>;

/**
 * Opens a database of several nodes. Connects on the first statement. Failures to reach it, or to get an answer in time, are
 * {@link DatabaseAway}; the next statement tries again.
 */
export function connectPostgres(address: PostgresAddress, options: PostgresOptions): Database {
  const connection = new PostgresConnection(address, options);
  const executors = {
    all: (sql: string, params: unknown[], mode?: string) =>
      connection.rows(translated(fromDrizzle(sql)), params, mode),
    get: async (sql: string, params: unknown[], mode?: string) =>
      (await connection.rows(translated(fromDrizzle(sql)), params, mode))[0],
    run: (sql: string, params: unknown[]) => connection.run(translated(fromDrizzle(sql)), params),
  } as SqliteProxyExecutors;
  // Values of columns are read as those of SQLite.
  const queries = drizzle(executors, { codecs: nodeSQLiteCodecs }) as unknown as Queries;
  return Object.assign(queries, { sqlDialect: postgresDialect, connection });
}

interface Known extends Translated {
  /** Undefined for a statement too rare, or too varied, to be prepared. */
  readonly name: string | undefined;
}

const known = new Map<string, Known>();
let named = 0;

function translated(sql: string): Known {
  const found = known.get(sql);
  if (found) return found;
  const isNamed = named < NAMES_MAX;
  const made = { ...translate(sql), name: isNamed ? `s${named++}` : undefined };
  if (isNamed) known.set(sql, made);
  return made;
}

class PostgresConnection implements Connection {
  readonly #pool: Pool;
  /** For rows that are read one by one. Their reader runs more statements in between, and must not wait for itself. */
  readonly #cursors: Pool;
  readonly #options: PostgresOptions;
  /** The connection of the transaction; null when it was lost and the transaction has not ended. */
  #held: PoolClient | null | undefined;
  #inFlight = 0;

  constructor(address: PostgresAddress, options: PostgresOptions) {
    this.#options = options;
    const poolOf = (max: number, pipeline: boolean) => {
      const pool = new Pool({
        ...address,
        max,
        pipeline,
        connectionTimeoutMillis: options.timeoutMs,
        query_timeout: options.timeoutMs,
        idleTimeoutMillis: 0,
        keepAlive: true,
        types: { getTypeParser },
        // Not by `verify`: a client that times out while it runs never returns the connection.
        ...(options.mayBeStandby ? {} : { onConnect: (client) => client.query(PROBE) }),
      });
      // An idle connection that is lost is replaced on the next use; on one in use, the statement fails.
      pool.on('connect', (client) => client.on('error', () => {}));
      return pool.on('error', () => {});
    };
    this.#pool = poolOf(options.connectionsMax, true);
    this.#cursors = poolOf(Math.ceil(options.connectionsMax / CONNECTIONS_PER_CURSOR), false);
  }

  prepare<Read>(text: string): Statement<Read> {
    const statement = translated(text);
    return {
      get: async (...values) =>
        (await this.rows(statement, inOrder(statement, values)))[0] as Read | undefined,
      all: async (...values) => (await this.rows(statement, inOrder(statement, values))) as Read[],
      iterate: (...values) => this.#iterate(statement, inOrder(statement, values)) as AsyncIterable<Read>,
      run: (...values) => this.run(statement, inOrder(statement, values)),
    };
  }

  async execute(text: string): Promise<void> {
    await this.#with((client) => client.query(text));
  }

  rows(statement: Known, values: readonly unknown[], mode?: string): Promise<Row[]> {
    const query = asked(statement, values);
    return this.#with(async (client) => {
      const { rows } = await (mode === 'array'
        ? client.query({ ...query, rowMode: 'array' })
        : client.query(query));
      return rows as Row[];
    });
  }

  run(statement: Known, values: readonly unknown[]): Promise<Changed> {
    return this.#with(async (client) => {
      const { rowCount } = await client.query(asked(statement, values));
      return { changes: rowCount ?? 0 };
    });
  }

  beginReading(): Promise<void> {
    return this.#begin('begin isolation level repeatable read');
  }

  beginChanging(): Promise<void> {
    const { timeoutMs } = this.#options;
    // Plans are cached. A sequential scan that was planned for a small table would stay after the table has grown.
    return this.#begin(
      `begin; set local lock_timeout = ${timeoutMs}; set local idle_in_transaction_session_timeout = ${SILENT_MS_MAX};
      set local enable_seqscan = off; select pg_advisory_xact_lock(${CHANGES_LOCK})`,
    );
  }

  async commit(): Promise<void> {
    // A pending statement would be lost, or become part of the next transaction.
    if (this.#inFlight > 0) throw new Error('a statement of this transaction was not awaited');
    await this.#end('commit');
  }

  async rollback(): Promise<void> {
    if (this.#held !== undefined) await this.#end('rollback').catch(() => {});
  }

  async attempt(statement: () => PromiseLike<unknown>): Promise<boolean> {
    const isWithin = this.#held !== undefined;
    if (isWithin) await this.execute('savepoint attempt');
    try {
      await statement();
      if (isWithin) await this.execute('release attempt');
      return true;
    } catch {
      if (isWithin) await this.execute('rollback to attempt; release attempt');
      return false;
    }
  }

  async probe(write: boolean): Promise<void> {
    await this.execute(write ? 'update generations set licenses = licenses' : PROBE);
  }

  /** The server does that automatically. */
  async truncateLog(): Promise<void> {}

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#cursors.end()]);
  }

  async #begin(text: string): Promise<void> {
    if (this.#held !== undefined) throw new Error('there is a transaction on this connection');
    this.#refuseAway();
    const client = await take(this.#pool);
    this.#held = client;
    try {
      await client.query(text);
    } catch (error) {
      this.#held = undefined;
      client.release(true);
      throw worded(error);
    }
  }

  async #end(text: 'commit' | 'rollback'): Promise<void> {
    const client = this.#held;
    this.#held = undefined;
    if (!client) throw lost();
    try {
      await client.query(text);
      client.release();
    } catch (error) {
      client.release(true);
      throw worded(error);
    }
  }

  async #with<Value>(work: (client: PoolClient) => Promise<Value>): Promise<Value> {
    const { client, release } = await this.#borrow();
    this.#inFlight += 1;
    sendTogether(client);
    try {
      const value = await work(client);
      release(false);
      return value;
    } catch (error) {
      release(isConnectionLost(error));
      throw worded(error);
    } finally {
      this.#inFlight -= 1;
    }
  }

  /**
   * The transaction's connection, or any outside of one. A transaction that loses its connection never continues on another.
   */
  async #borrow(): Promise<{ client: PoolClient; release: (isLost: boolean) => void }> {
    const held = this.#held;
    if (held === null) throw lost();
    this.#refuseAway();
    if (held === undefined) {
      const client = await take(this.#pool);
      return { client, release: (isLost) => client.release(isLost) };
    }
    return {
      client: held,
      release: (isLost) => {
        if (!isLost || this.#held !== held) return;
        this.#held = null;
        held.release(true);
      },
    };
  }

  #refuseAway(): void {
    if (this.#options.isAway?.()) throw new DatabaseAway('the database has stopped responding');
  }

  async *#iterate(statement: Known, values: readonly unknown[]): AsyncGenerator<Row> {
    // A cursor in a transaction would block all other statements until its end.
    if (this.#held !== undefined) return yield* await this.rows(statement, values);
    this.#refuseAway();
    const client = await take(this.#cursors);
    const cursor = client.query(
      new Cursor<Row>(statement.text, values.map(storable), { types: { getTypeParser } }),
    );
    let isLost = false;
    try {
      for (;;) {
        const rows = await cursor.read(ROWS_AT_ONCE);
        yield* rows;
        if (rows.length < ROWS_AT_ONCE) return;
      }
    } catch (error) {
      isLost = isConnectionLost(error);
      throw worded(error);
    } finally {
      if (!isLost) await cursor.close().catch(() => {});
      client.release(isLost);
    }
  }
}

/** Sends all statements of one turn of the event loop in one packet: sending costs more than most statements. */
function sendTogether(client: PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

async function take(pool: Pool): Promise<PoolClient> {
  return pool.connect().catch((error) => {
    throw worded(error);
  });
}

/**
 * PostgreSQL's texts cannot contain NUL. Input with one is refused earlier; this is for unforeseen paths, which must not fail.
 */
const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;

const asked = ({ text, name }: Known, values: readonly unknown[]) => ({
  text,
  values: values.map(storable),
  ...(name === undefined ? {} : { name }),
});

/** Named values in the order of a statement's placeholders. */
function inOrder({ names }: Translated, values: Values): readonly unknown[] {
  if (names === undefined) return values;
  const [byName] = values as readonly [Readonly<Record<string, unknown>>];
  return names.map((name) => byName[name] ?? null);
}

const lost = () => new DatabaseAway('the connection was lost during the transaction');

const worded = (error: unknown): unknown =>
  isConnectionLost(error) && !(error instanceof DatabaseAway)
    ? new DatabaseAway(refusalIn(error) ?? 'the database does not respond', { cause: error })
    : error;
