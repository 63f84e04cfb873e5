import { MINUTE_MS, systemAfter } from '../lib/clock.ts';
import { loadOnce } from '../lib/load-once.ts';
import type { Log } from '../lib/log.ts';
import type { CheckBackup } from '../operator/backup-desk.ts';
import type { Config } from '../settings/config.ts';
import type { PostgresAddress } from '../settings/database-address.ts';
import { keysDirectory } from '../settings/keys-directory.ts';
import type { LimitsAddress } from '../settings/limits-address.ts';
import { loadJobs } from '../storage/changes.ts';
import type { JobName } from '../storage/engine/jobs/jobs.ts';
import { reserveJobsIn } from '../storage/engine/reserve-jobs.ts';
import { type RetentionJob, retentionJobsIn } from '../storage/engine/retention.ts';
import { openStorageThread, type StorageThread } from '../storage/engine/threads.ts';
import { createGroupWriter, type Writer } from '../storage/engine/writer.ts';
import { checkBackupOn, computeFeedOn } from '../storage/thread-tasks.ts';
import type { FeedTerms } from '../storage/threats/feed-snapshots.ts';
import type { OpenedDatabase } from './opened-database.ts';
import type { openPostgresDatabase } from './postgres-database.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import { type StoreWatch, watchStore } from './store-watch.ts';

/** Sent to the thread as JSON because it is the most frequent job, with up to 100 events. */
const AS_JSON: ReadonlySet<JobName> = new Set(['recordTelemetry']);

/** Timeout. A slower count would be too late for its epoch. */
const FEED_MS_MAX = 2 * MINUTE_MS;

/** The open database: this thread reads it, the writer thread changes it. */
export interface Store extends Omit<OpenedDatabase, 'place' | 'afterCommit' | 'isAway'> {
  readonly writer: Writer;
  readonly watch: StoreWatch;
  readonly truncateLog: StorageThread['truncateLog'];
  /** @param secret the secret of the installation */
  readonly computeFeed: (terms: FeedTerms, secret: Uint8Array) => ReturnType<typeof computeFeedOn>;
  /** Loads the retention jobs. */
  readonly retentionJobs: () => Promise<readonly RetentionJob<JobName>[]>;
  /** See checkBackupOn. */
  readonly checkBackup: CheckBackup;
}

export interface StoreParts {
  readonly config: Pick<Config, 'dataDir' | 'keysDir' | 'diskReserveMib'>;
  /** The PostgreSQL database; undefined = SQLite in the data directory. */
  readonly address: PostgresAddress | undefined;
  /** The server that counts the limits of all nodes; undefined = the database counts them. */
  readonly limitsAddress: LimitsAddress | undefined;
  /** The entry point of storage threads. */
  readonly entry: URL;
  readonly log: Log;
  /** See TakingOptions. */
  readonly onWait: (why: string) => void;
  /** Called when a thread has died. */
  readonly onFatal: (message: string) => void;
}

const openOnPostgres: typeof openPostgresDatabase = async (closing, parts) =>
  (await import('./postgres-database.ts')).openPostgresDatabase(closing, parts);

/**
 * Locks the data directory, opens the database and starts the writer thread.
 *
 * @throws ConfigRefused, DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused, Fault
 */
export async function openStore(closing: AsyncDisposableStack, parts: StoreParts): Promise<Store> {
  const { config, address, limitsAddress, entry, log, onWait, onFatal } = parts;
  const directories = { data: config.dataDir, keys: keysDirectory(config) };
  const { place, afterCommit, isAway, ...opened } = address
    ? await openOnPostgres(closing, { directories, address, limitsAddress, log, onWait })
    : openSqliteDatabase(closing, parts);
  const { room } = opened;

  const newWorker = () => new Worker(entry, { type: 'module' });
  const writerThread = await openStorageThread(newWorker(), place, onFatal, { asJson: AS_JSON });
  closing.defer(writerThread.close);

  const watch = await watchStore({ room, thread: writerThread, after: systemAfter, log });
  closing.defer(watch.stop);
  const jobs = loadOnce(async () => loadJobs(opened.db));
  const reserveJobs = loadOnce(async () => reserveJobsIn(await jobs()));
  const writer = createGroupWriter({
    async commit(work) {
      // On low disk space, only jobs that may use the reserve get here.
      if (!room.isEnough()) room.makeForOperators();
      const outcomes = await watch.commit(work);
      await afterCommit();
      return outcomes;
    },
    isAway,
    hasRoom: () => room.isEnough(),
    mayUseReserve: (name) => reserveJobs().then((jobs) => jobs.has(name)),
    onFault: (fault) => log.error('a change could not be stored', { fault }),
  });
  closing.defer(writer.close);

  return {
    ...opened,
    writer,
    watch,
    retentionJobs: async () => retentionJobsIn(await jobs()),
    truncateLog: writerThread.truncateLog,
    // A count takes moments per epoch, so a permanent thread would be idle most of the time.
    async computeFeed(terms, secret) {
      await using counting = new AsyncDisposableStack();
      const thread = await openStorageThread(newWorker(), place, () => {}, { timeoutMs: FEED_MS_MAX });
      counting.defer(thread.close);
      return await computeFeedOn(thread, { terms, secret });
    },
    checkBackup: (backup, ended) =>
      checkBackupOn(newWorker(), { path: backup, workDir: config.dataDir }, ended),
  };
}
