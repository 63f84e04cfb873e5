import { Client } from 'pg';
import { SECOND_MS } from '../../../lib/clock.ts';
import { ConfigRefused } from '../../../settings/config.ts';
import { DATABASE_SETTING, type PostgresAddress } from '../../../settings/database-address.ts';
import { DatabaseAway } from '../database.ts';
import { isConnectionLost } from './errors.ts';
import { refusalIn } from './server-trouble.ts';

const TIMEOUT_MS = 5 * SECOND_MS;
/** Another client of a pooler may hand the right session back at the wrong moment. */
const TRIES = 3;
/** As which PgBouncer refuses a transaction where each statement has a session of its own. */
const PROTOCOL_VIOLATION = '08P01';

/**
 * Looks whether what is said over a connection stays with it. Behind a pooler that gives each transaction another session, a node
 * would hear nothing of the others, and serve while a command has the database for itself.
 *
 * @param named what has the address
 * @throws ConfigRefused, saying what to do; DatabaseAway
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

/** A transaction beside it takes the session that was used last, where that may be anybody's. */
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
  // What is asked next tells.
  client.on('error', () => {});
  return client;
}

const shared = (named: string): ConfigRefused =>
  new ConfigRefused(
    `${named}: it is a pooler that shares sessions, such as PgBouncer with pool_mode = transaction. Connect to PostgreSQL itself, or set pool_mode = session`,
  );
