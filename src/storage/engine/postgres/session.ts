import { Client } from 'pg';
import Cursor from 'pg-cursor';
import type { PostgresAddress } from '../../../settings/database-address.ts';
import { DatabaseUnusable } from '../database.ts';
import { CHANGES_LOCK } from './database.ts';
import { isConnectionLost } from './errors.ts';
import { SERVER_LOCK } from './generations.ts';
import { orConfigRefused } from './server.ts';

const CONNECT_MS_MAX = 30_000;
const COMMAND_MS_MAX = 30_000;
/** PostgreSQL's, when a lock was not to be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** A value as PostgreSQL writes it. */
type Text = string | null;

/** One connection that takes as long as it needs, and reads every value as a text. */
export interface PostgresSession {
  /** Runs one statement and gives its rows, or several ones, which have no values and give none. */
  query(text: string, values?: readonly Text[]): Promise<readonly (readonly Text[])[]>;
  /**
   * Reads rows in pieces, of which the next is read while one is used.
   *
   * @param sizeNext how many rows are asked for after a piece, at first after an empty one
   */
  pieces(
    text: string,
    sizeNext: (rows: readonly (readonly Text[])[]) => number,
  ): AsyncGenerator<(readonly Text[])[]>;
  close(): Promise<void>;
}

/**
 * Takes a database from servers and from what changes it, for as long as the session lasts.
 *
 * @param named what has the address
 * @throws DatabaseUnusable, saying what to do
 */
export async function openExclusiveSession(
  address: PostgresAddress,
  named: string,
): Promise<PostgresSession> {
  const session = await connect(address, named);
  try {
    const [row] = await session.query(`select pg_try_advisory_lock(${SERVER_LOCK})`);
    if (row?.[0] !== 't')
      throw new DatabaseUnusable(
        `a redoubt is serving or copying the database that ${named} names. Stop it first`,
      );
    await session.query(
      `set lock_timeout = ${COMMAND_MS_MAX}; select pg_advisory_lock(${CHANGES_LOCK}); set lock_timeout = 0`,
    );
    return session;
  } catch (error) {
    await session.close();
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new DatabaseUnusable(
      `a command is changing the database that ${named} names. Wait until it is done`,
    );
  }
}

async function connect(address: PostgresAddress, named: string): Promise<PostgresSession> {
  const client = new Client({
    ...address,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    types: { getTypeParser: () => String },
  });
  // Whatever is asked then tells.
  client.on('error', () => {});
  const worded = (error: unknown): unknown =>
    isConnectionLost(error) && (error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE
      ? new DatabaseUnusable(`the database that ${named} names is unreachable`, { cause: error })
      : orConfigRefused(error, named);
  try {
    await client.connect();
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
  } catch (error) {
    void client.end().catch(() => {});
    throw worded(error);
  }
  return {
    async query(text, values) {
      try {
        const { rows } = await client.query<Text[]>({
          ...{ text, rowMode: 'array' },
          ...(values && { values: [...values] }),
        });
        return rows;
      } catch (error) {
        throw worded(error);
      }
    },
    async *pieces(text, sizeNext) {
      const cursor = client.query(
        new Cursor<Text[]>(text, [], { rowMode: 'array', types: { getTypeParser: () => String } }),
      );
      let next = cursor.read(sizeNext([]));
      try {
        for (;;) {
          const rows = await next;
          if (rows.length === 0) return;
          next = cursor.read(sizeNext(rows));
          // Whoever uses the rows may fail first, and then nobody else awaits it.
          next.catch(() => {});
          yield rows;
        }
      } catch (error) {
        throw worded(error);
      } finally {
        // Closed before it has answered, it would never say that it is.
        await next.catch(() => {});
        await cursor.close().catch(() => {});
      }
    },
    close: () => client.end().catch(() => {}),
  };
}
