import { Client } from 'pg';
import { SECOND_MS } from '../../../lib/clock.ts';
import { ConfigRefused } from '../../../settings/config.ts';
import { DATABASE_SETTING, type PostgresAddress } from '../../../settings/database-address.ts';
import { DatabaseAway } from '../database.ts';
import { isConnectionLost } from './errors.ts';
import { refusalIn } from './server-trouble.ts';

const TIMEOUT_MS = 5 * SECOND_MS;
/** Another client of a pooler may return the right session at the wrong moment. */
const TRIES = 3;
/** PgBouncer's code for a transaction when each statement has its own session. */
const PROTOCOL_VIOLATION = '08P01';

/**
 * Checks that a connection keeps its session. Behind a pooler that changes the session after each transaction, a node would not
 * be notified by the others, and would serve while a command has the database exclusively.
 *
 * @param named the setting or option with the address
 * @throws ConfigRefused, with instructions; DatabaseAway
 */
export async function refuseSharedSessions(
  address: PostgresAddress,
  named = DATABASE_SETTING,
): Promise<void> {
  const [ours, beside] = [connectionTo(address), connectionTo(address)];
  try {
    await Promise.all([ours.connect(), beside.connect()]);
    for (let tries = 0; tries < TRIES; tries++) if (!(await isOurs(ours, beside))) throw shared(named);
  } catch (error) {
    if ((error as { code?: unknown }).code === PROTOCOL_VIOLATION) throw shared(named);
    throw isConnectionLost(error) && !(error instanceof ConfigRefused)
      ? new DatabaseAway(refusalIn(error) ?? 'the database does not respond', { cause: error })
      : error;
  } finally {
    await Promise.all([ours, beside].map((client) => client.end().catch(() => {})));
  }
}

/** A second transaction takes the last used session, if sessions are shared. */
async function isOurs(ours: Client, beside: Client): Promise<boolean> {
  await ours.query("set redoubt.session = 'ours'");
  await beside.query('begin');
  const { rows } = await ours.query<{ value: string | null }>(
    "select current_setting('redoubt.session', true) as value",
  );
  await beside.query('rollback');
  await ours.query('reset redoubt.session');
  return rows[0]?.value === 'ours';
}

function connectionTo(address: PostgresAddress): Client {
  const client = new Client({ ...address, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS });
  // The next statement reports it.
  client.on('error', () => {});
  return client;
}

const shared = (named: string): ConfigRefused =>
  new ConfigRefused(
    `${named}: it is a pooler that shares sessions, such as PgBouncer with pool_mode = transaction. Connect to PostgreSQL itself, or set pool_mode = session`,
  );
