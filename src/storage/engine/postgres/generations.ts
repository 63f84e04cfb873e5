import { Client } from 'pg';
import { type After, SECOND_MS } from '../../../lib/clock.ts';
import type { PostgresAddress } from '../../../settings/database-address.ts';
import { DatabaseAway, DatabaseUnusable } from '../database.ts';
import type { Generations } from '../generations.ts';
import { MIGRATIONS } from '../migrations.ts';
import { PROBE } from './database.ts';
import { refusalIn } from './server-trouble.ts';
import { getTypeParser } from './types.ts';

/** Shared by the servers that use a database, for as long as they are connected. Whoever needs it for itself takes it alone. */
export const SERVER_LOCK = 0x7265_7376;

/** Somebody has the database for itself. */
export class TakenAlone extends DatabaseUnusable {
  constructor() {
    super(
      'a command such as "redoubt store copy" has exclusive use of the database of SERVICE_DATABASE_URL. Start when it is done',
    );
  }
}

/** How long what is remembered of the database is trusted without word of it, in milliseconds. */
const TRUSTED_MS = 250;
/** After how long a silence, in milliseconds, whoever asks the database is refused at once rather than made to wait. */
const AWAY_MS = SECOND_MS;
const HEARD_EVERYWHERE_MS = 300;
const EVERY_MS = 100;
const TIMEOUT_MS = SECOND_MS;

/** Waits, after an act of an operator was committed, until no server trusts what it remembers of before. */
export const heardEverywhere = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, HEARD_EVERYWHERE_MS));

/** Keeps the counters in mind for as long as the database is heard. */
export interface GenerationWatch {
  /** Those that were read last. */
  last(): Generations;
  /** Whether the database was heard so lately that what is remembered may be trusted. */
  isTrusted(): boolean;
  /** Whether it was not heard for so long that asking it is in vain. */
  isAway(): boolean;
  /**
   * Reads them anew, of this moment or a later one.
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
 * Watches the counters over a connection of its own, which hears at once when another node has changed something, and asks ten
 * times a second besides: a connection may be lost without a word. One that is lost is made anew until it holds.
 *
 * @throws DatabaseAway when the database cannot be heard at first, TakenAlone when somebody has it alone
 */
export async function watchGenerations({ address, after, monotonic }: WatchParts): Promise<GenerationWatch> {
  let last: Generations = { licenses: 0, feed: 0, mirror: 0 };
  /** When the last question that was answered was asked, and when it was answered. */
  let [askedLastAt, heardLastAt] = [-Infinity, -Infinity];
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
    // The next question tells, and connects anew.
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
      [askedLastAt, heardLastAt, hasFailed] = [askedAt, monotonic(), false];
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

  /** What is under way may have been asked before the change that is to be seen: then once more. */
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
    isAway: () => hasFailed && monotonic() > heardLastAt + AWAY_MS,
    read,
    async stop() {
      isStopped = true;
      cancel();
      await client?.then((open) => open.end()).catch(() => {});
    },
  };
}

/** What is remembered of licenses is good for nothing where they cannot be read any more. */
const QUERY = {
  name: 'generations',
  text: 'select licenses, feed, mirror from generations where coalesce((select max(id) from licenses), 0) >= 0',
};

/** The version of the last migration for which servers had to stop: those of an older one cannot live with it. */
const SERVED_FROM =
  "select coalesce(obj_description('redoubt_version'::regclass, 'pg_class')::bigint, 0) as version";
