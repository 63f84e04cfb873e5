import type { Log } from '../../../lib/log.ts';
import { ConfigRefused } from '../../../settings/config.ts';
import { DATABASE_SETTING, type PostgresAddress } from '../../../settings/database-address.ts';
import { type Database, DatabaseUnusable, isAway } from '../database.ts';
import { prepare } from '../statement.ts';
import { refuseSharedSessions } from './pooler.ts';
import { refuseMissingRights } from './rights.ts';
import { refusalIn, wrongIn } from './server-trouble.ts';

const VERSION_MIN = 15;
const PER_MAJOR = 10_000;
const WAIT_MS_MAX = 30_000;
const AGAIN_MS = 500;

/**
 * Converts a database error into one for the operator if the address, or the rights of its user, are wrong.
 *
 * @param named the setting or option with the address
 */
export function orConfigRefused(error: unknown, named = DATABASE_SETTING): unknown {
  const wrong = wrongIn(error);
  return wrong === undefined ? error : new ConfigRefused(`${named}: ${wrong}`);
}

/**
 * Waits until a database answers.
 *
 * @throws ConfigRefused at once when waiting would not help, DatabaseUnusable after 30 seconds
 */
export async function whenReachable(
  db: Database,
  address: PostgresAddress,
  { log, onWait }: { readonly log: Pick<Log, 'warn'>; readonly onWait: (why: string) => void },
): Promise<void> {
  const until = performance.now() + WAIT_MS_MAX;
  for (let isLogged = false; ; isLogged = true) {
    try {
      return await asked(db, address);
    } catch (error) {
      if (!isAway(error)) throw error;
      if (performance.now() > until) throw unreachable(error);
      if (!isLogged) log.warn('the database is unreachable; waiting for it', { reason: refusalIn(error) });
      onWait('the database is unreachable');
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

const unreachable = (cause: unknown, named = DATABASE_SETTING): DatabaseUnusable => {
  const why = refusalIn(cause);
  const words =
    why === undefined ? 'is unreachable. Start it, or correct the address' : `cannot be used: ${why}`;
  return new DatabaseUnusable(`the database that ${named} names ${words}`, { cause });
};

/** @throws ConfigRefused for a wrong address, DatabaseAway for errors that may pass */
async function asked(db: Database, address: PostgresAddress, named?: string): Promise<void> {
  try {
    await refuseSharedSessions(address, named);
    await prepare(db, 'select 1').get();
  } catch (error) {
    throw orConfigRefused(error, named);
  }
}

interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly durable: string;
}

/**
 * Checks a server's version, encoding, flushing of commits, and the rights of its user.
 *
 * @param named the setting or option with the address
 * @throws ConfigRefused, with instructions; DatabaseUnusable when it cannot be reached
 */
export async function examineServer(
  db: Database,
  address: PostgresAddress,
  named = DATABASE_SETTING,
): Promise<void> {
  await asked(db, address, named).catch((error) => {
    if (!isAway(error)) throw error;
    throw unreachable(error, named);
  });
  const server = await prepare<Server>(
    db,
    `select current_setting('server_version_num')::bigint as version, current_setting('server_encoding') as encoding,
      current_setting('synchronous_commit') as durable`,
  ).get();
  if (server === undefined) return;
  const major = Math.floor(server.version / PER_MAJOR);
  if (major < VERSION_MIN)
    throw new ConfigRefused(
      `${named}: the server is PostgreSQL ${major}, older than ${VERSION_MIN}. Upgrade it`,
    );
  if (server.encoding !== 'UTF8')
    throw new ConfigRefused(
      `${named}: the encoding of the database is ${server.encoding}. Create one with the encoding UTF8`,
    );
  if (server.durable === 'off')
    throw new ConfigRefused(
      `${named}: synchronous_commit is off, which can lose acknowledged changes. Turn it on`,
    );
  await refuseMissingRights(db, named);
}
