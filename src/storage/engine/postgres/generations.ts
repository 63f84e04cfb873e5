import { Client } from 'pg';
import { type After, SECOND_MS } from '../../../lib/clock.ts';
import type { PostgresAddress } from '../../../settings/database-address.ts';
import { DatabaseAway, DatabaseUnusable } from '../database.ts';
import type { Generations } from '../generations.ts';
import { MIGRATIONS } from '../migrations.ts';
import { PROBE } from './database.ts';
import { refusalIn } from './server-trouble.ts';
import { getTypeParser } from './types.ts';

/** Shared by the connected servers of a database; exclusive for a process that needs it alone. */
export const SERVER_LOCK = 0x7265_7376;

/** Another process has the database exclusively. */
export class TakenAlone extends DatabaseUnusable {
  constructor() {
    super(
      'a command such as "redoubt store copy" has exclusive use of the database of SERVICE_DATABASE_URL. Start when it is done',
    );
  }
}

/** How long cached data is trusted without an answer from the database, in milliseconds. */
const TRUSTED_MS = 250;
/** After how long a silence, in milliseconds, statements are refused at once instead of waiting. */
const AWAY_MS = SECOND_MS;
const HEARD_EVERYWHERE_MS = 300;
const EVERY_MS = 100;
const TIMEOUT_MS = SECOND_MS;

/** Waits, after an operator's act was committed, until no server trusts older cached data. */
export const cachesExpired = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, HEARD_EVERYWHERE_MS));

/** Caches the counters while the database is reachable. */
export interface GenerationWatch {
  /** The counters of the last read. */
  last(): Generations;
  /** Whether the last answer is recent enough to trust cached data. */
  isTrusted(): boolean;
  /** Whether the database has been silent for so long that statements are refused. */
  isAway(): boolean;
  /**
   * Reads the counters again, of this moment or a later one.
   *
   * @throws DatabaseAway
   */
  read(): Promise<Generations>;
  stop(): Promise<void>;
}

export interface WatchParts {
  readonly address: PostgresAddress;
  readonly after: After;
  readonly monotonic: () => number;
}

/**
 * Watches the counters over a separate connection, which is notified at once when another node changes something, and polls ten
 * times a second because a connection can fail silently. Reconnects until it succeeds.
 *
 * @throws DatabaseAway when the database is unavailable at first, TakenAlone when another process has it exclusively
 */
export async function watchGenerations({ address, after, monotonic }: WatchParts): Promise<GenerationWatch> {
  let last: Generations = { licenses: 0, feed: 0, mirror: 0 };
  /** When the last answered poll was sent, and when it was answered. */
  let [askedLastAt, answeredLastAt] = [-Infinity, -Infinity];
  let hasFailed = false;
  let client: Promise<Client> | undefined;
  let reading: Promise<Generations> | undefined;
  let next: Promise<Generations> | undefined;
  let cancel = () => {};
  let isStopped = false;

  const connect = async (): Promise<Client> => {
    const made = new Client({
      ...address,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
      types: { getTypeParser },
    });
    // The next poll reports it and reconnects.
    made.on('error', () => {});
    made.on('notification', () => void read().catch(() => {}));
    try {
      await made.connect();
      await made.query(PROBE);
      await made.query('listen redoubt');
      const { rows } = await made.query<{ taken: number }>(
        `select pg_try_advisory_lock_shared(${SERVER_LOCK}) as taken`,
      );
      if (rows[0]?.taken !== 1) throw new TakenAlone();
      const { rows: from } = await made.query<{ version: number }>(SERVED_FROM);
      if ((from[0]?.version ?? 0) > MIGRATIONS.length)
        throw new DatabaseAway('the database was migrated to a newer version that this one does not support');
    } catch (error) {
      void made.end().catch(() => {});
      throw error;
    }
    return made;
  };

  const ask = async (): Promise<Generations> => {
    const askedAt = monotonic();
    client ??= connect();
    const asking = client;
    try {
      const { rows } = await (await asking).query<Generations>(QUERY);
      const [found] = rows;
      if (found === undefined) throw new DatabaseAway('the database has lost its counters');
      last = found;
      [askedLastAt, answeredLastAt, hasFailed] = [askedAt, monotonic(), false];
      return found;
    } catch (error) {
      hasFailed = true;
      if (client === asking) client = undefined;
      void asking.then((lost) => lost.end()).catch(() => {});
      throw error instanceof DatabaseAway || error instanceof TakenAlone
        ? error
        : new DatabaseAway(refusalIn(error) ?? 'the database does not respond', { cause: error });
    }
  };

  /** A poll in progress may have been sent before the change: then one more is needed. */
  const read = (): Promise<Generations> => {
    if (next) return next;
    if (reading) {
      next = reading
        .catch(() => {})
        .then(() => {
          next = undefined;
          return begin();
        });
      return next;
    }
    return begin();
  };
  const begin = (): Promise<Generations> => {
    const begun = ask().finally(() => {
      if (reading === begun) reading = undefined;
    });
    reading = begun;
    return begun;
  };

  const beat = () => {
    void read()
      .catch(() => {})
      .then(() => {
        if (!isStopped) cancel = after(EVERY_MS, beat);
      });
  };

  await read();
  cancel = after(EVERY_MS, beat);
  return {
    last: () => last,
    isTrusted: () => monotonic() <= askedLastAt + TRUSTED_MS,
    // Silence alone may be this process's own, after it was halted.
    isAway: () => hasFailed && monotonic() > answeredLastAt + AWAY_MS,
    read,
    async stop() {
      isStopped = true;
      cancel();
      await client?.then((open) => open.end()).catch(() => {});
    },
  };
}

/** Cached licenses are useless when they cannot be read any longer. */
const QUERY = {
  name: 'generations',
  text: 'select licenses, feed, mirror from generations where coalesce((select max(id) from licenses), 0) >= 0',
};

/** The version of the last migration that required servers to stop: older servers cannot work with it. */
const SERVED_FROM =
  "select coalesce(obj_description('redoubt_version'::regclass, 'pg_class')::bigint, 0) as version";
