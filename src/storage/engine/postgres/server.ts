import type { Log } from '../../../lib/log.ts';
import { ConfigRefused } from '../../../settings/config.ts';
import { DATABASE_SETTING, type PostgresAddress } from '../../../settings/database-address.ts';
import { type Database, DatabaseUnusable, isAway } from '../database.ts';
import { prepare } from '../statement.ts';
import { refuseSharedSessions } from './pooler.ts';

const VERSION_MIN = 15;
const PER_MAJOR = 10_000;
const WAIT_MS_MAX = 30_000;
const AGAIN_MS = 500;

/** What is wrong with the address, by the code with which the server or the system refuses it: waiting would not help. */
const WRONG: Readonly<Record<string, string>> = {
  '28P01': 'the server refuses this user or password: correct them',
  '28000': 'the server lets this user not in: look at its pg_hba.conf',
  '3D000': 'the server has no such database: make it first, for instance with createdb',
  '42501': 'this user may not do what is needed: make it the owner of the database',
  ENOTFOUND: 'its host is not known here: correct its name',
  CERT_HAS_EXPIRED: "the server's certificate has expired: renew it",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is not that of this host: correct one of them",
};
/** All else that TLS says of a certificate is that nobody who is trusted has signed it. */
const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|ERR_TLS_.*|CERT_.*)$/;
const NO_TLS = /does not support SSL/;

/** What an address is wrong in, in words for the operator; undefined when the database is merely not there. */
function wrongIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message } = error as NodeJS.ErrnoException;
  if (NO_TLS.test(message))
    return 'the server speaks no TLS, without which it is not asked over a network: switch it on';
  if (code !== undefined && UNTRUSTED.test(code) && WRONG[code] === undefined)
    return "the server's certificate is signed by nobody who is trusted here: name who has signed it by SERVICE_DATABASE_CA";
  return WRONG[code ?? ''] ?? wrongIn(error.cause);
}

/**
 * An error of the database as the operator is to hear it, where something is wrong in the address or in what its user may do.
 *
 * @param named what has the address
 */
export function orConfigRefused(error: unknown, named = DATABASE_SETTING): unknown {
  const wrong = wrongIn(error);
  return wrong === undefined ? error : new ConfigRefused(`${named}: ${wrong}`);
}

/**
 * Waits until a database can be asked.
 *
 * @throws ConfigRefused at once when waiting would not help, DatabaseUnusable after 30 seconds
 */
export async function whenReachable(
  db: Database,
  address: PostgresAddress,
  { log, onWait }: { readonly log: Pick<Log, 'warn'>; readonly onWait: (why: string) => void },
): Promise<void> {
  const until = performance.now() + WAIT_MS_MAX;
  for (let isTold = false; ; isTold = true) {
    try {
      return await asked(db, address);
    } catch (error) {
      if (!isAway(error)) throw error;
      if (performance.now() > until) throw unreachable(error);
      if (!isTold) log.warn('the database cannot be reached: waiting for it');
      onWait('the database cannot be reached');
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

const unreachable = (cause: unknown, named = DATABASE_SETTING): DatabaseUnusable =>
  new DatabaseUnusable(
    isOfStandby(cause)
      ? `the server that ${named} names is a standby: promote it, or name the primary`
      : `the database that ${named} names cannot be reached: start it, or correct the address`,
    { cause },
  );

/** As which a standby refuses to begin a transaction that may change something. */
const OF_STANDBY = '0A000';
const isOfStandby = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === OF_STANDBY || isOfStandby(error.cause));

/** @throws ConfigRefused for what is wrong in the address, DatabaseAway for what may pass */
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
 * Looks whether a server can hold what we keep: its age, how it writes texts, and whether what it has committed is on disk.
 *
 * @param named what has its address
 * @throws ConfigRefused, saying what to do; DatabaseUnusable when it cannot be reached
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
      `${named}: the server is PostgreSQL ${major}, older than ${VERSION_MIN}: upgrade it`,
    );
  if (server.encoding !== 'UTF8')
    throw new ConfigRefused(
      `${named}: the database is encoded as ${server.encoding}: make one with the encoding UTF8`,
    );
  if (server.durable === 'off')
    throw new ConfigRefused(
      `${named}: synchronous_commit is off, with which acknowledged changes may be lost: set it to on`,
    );
}
