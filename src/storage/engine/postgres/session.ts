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
/** PostgreSQL's code for a lock that was not available in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** A value in PostgreSQL's text format. */
type Text = string | null;

/** One connection without timeouts, which reads every value as text. */
export interface PostgresSession {
  /** Runs one statement and returns its rows, or several statements without values and rows. */
  query(text: string, values?: readonly Text[]): Promise<readonly (readonly Text[])[]>;
  /**
   * Reads rows in pieces; the next is read while one is used.
   *
   * @param sizeNext the number of rows to request after a piece, at first after an empty one
   */
  pieces(
    text: string,
    sizeNext: (rows: readonly (readonly Text[])[]) => number,
  ): AsyncGenerator<(readonly Text[])[]>;
  close(): Promise<void>;
}

/**
 * Locks a database against servers and changes for the duration of the session.
 *
 * @param named the setting or option with the address
 * @throws DatabaseUnusable, with instructions
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
  // The next statement reports it.
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
          text,
          rowMode: 'array',
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
          // If the user of the rows fails first, nothing else awaits it.
          next.catch(() => {});
          yield rows;
        }
      } catch (error) {
        throw worded(error);
      } finally {
        // If closed before it has answered, it would never report that it is closed.
        await next.catch(() => {});
        await cursor.close().catch(() => {});
      }
    },
    close: () => client.end().catch(() => {}),
  };
}
