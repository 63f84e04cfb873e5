import type { Awaitable } from '../lib/awaitable.ts';
import { systemAfter, systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { CheckBackup } from '../operator/backup-desk.ts';
import type { Config } from '../settings/config.ts';
import { type Database, disconnect } from '../storage/engine/database.ts';
import type { Generations } from '../storage/engine/generations.ts';
import { isHousekeeping } from '../storage/engine/jobs.ts';
import { type Room, watchRoom } from '../storage/engine/room.ts';
import { connect, probeDatabase } from '../storage/engine/sqlite/database.ts';
import { readGenerations } from '../storage/engine/sqlite/generations.ts';
import {
  checkBackupBeside,
  type DatabasePlace,
  openStorageThread,
  type StorageThread,
} from '../storage/engine/threads.ts';
import { createGroupWriter, type Writer } from '../storage/engine/writer.ts';
import { takeInstallation } from '../storage/installation.ts';
import { postgresOf } from '../storage/postgres-installation.ts';
import { openPostgresDatabase } from './postgres-database.ts';
import { type StoreWatch, watchStore } from './store-watch.ts';

const MIB = 1024 * 1024;

/** What an engine's database is, to a server. */
export interface OpenedDatabase {
  /** Of the installation. */
  readonly secret: Uint8Array;
  /** Where a storage thread finds it. */
  readonly place: DatabasePlace;
  readonly db: Database;
  /** For reads that belong together. */
  readonly apart: Database;
  /** Whether it can be read, and is the one that was opened. */
  readonly isReadable: () => boolean;
  /** Whether the database was not heard for so long that asking it is in vain. */
  readonly isAway: () => boolean;
  /** The counters of what is remembered; that of licenses is NaN while they may have changed without a word of it. */
  readonly generations: () => Generations;
  /** The counters of this moment or a later one. */
  readonly freshGenerations: () => Awaitable<Generations>;
  /** Has what was committed here seen in the counters. */
  readonly afterCommit: () => Awaitable<void>;
  /** Waits, after an act was committed, until nobody answers from before it. */
  readonly heard: () => Awaitable<void>;
  readonly room: Room;
}

/** The data directory in use: read in this thread, changed by the writer, both in the database. */
export interface Store extends Omit<OpenedDatabase, 'place' | 'afterCommit' | 'isAway'> {
  readonly writer: Writer;
  readonly watch: StoreWatch;
  readonly truncateLog: StorageThread['truncateLog'];
  readonly computeFeed: StorageThread['computeFeed'];
  /** See checkBackupBeside. */
  readonly checkBackup: CheckBackup;
}

export interface StoreParts {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseCa' | 'diskReserveMib'>;
  /** The entry of a storage thread. */
  readonly entry: URL;
  readonly log: Log;
  /** Called when a thread died. */
  readonly onFatal: (message: string) => void;
}

/**
 * Takes the data directory and opens the database.
 *
 * @throws ConfigRefused, DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused, Fault
 */
export async function openStore(closing: AsyncDisposableStack, parts: StoreParts): Promise<Store> {
  const { config, entry, log, onFatal } = parts;
  const address = postgresOf(config);
  const { place, afterCommit, isAway, ...opened } = address
    ? await openPostgresDatabase(closing, { directory: config.dataDir, address, log })
    : openSqliteDatabase(closing, parts);
  const { room } = opened;

  const newWorker = () => new Worker(entry, { type: 'module' });
  const openThread = (onDeath: (message: string) => void) => openStorageThread(newWorker(), place, onDeath);
  const writerThread = await openThread(onFatal);
  closing.defer(writerThread.close);

  const watch = await watchStore({ room, thread: writerThread, after: systemAfter, log });
  closing.defer(watch.stop);
  const writer = createGroupWriter({
    async commit(work) {
      const outcomes = await watch.commit(work);
      await afterCommit();
      return outcomes;
    },
    isAway,
    hasRoomFor: (name) => isHousekeeping(name) || room.isEnough(),
    onFault: (fault) => log.error('a change could not be stored', { fault }),
  });
  closing.defer(writer.close);

  return {
    ...opened,
    writer,
    watch,
    truncateLog: writerThread.truncateLog,
    // An epoch's count takes moments, so a thread for it would rest most of its life.
    async computeFeed(terms, secret) {
      await using counting = new AsyncDisposableStack();
      const thread = await openThread(() => {});
      counting.defer(thread.close);
      return await thread.computeFeed(terms, secret);
    },
    checkBackup: (backup, ended) =>
      checkBackupBeside(newWorker(), { path: backup, workDir: config.dataDir }, ended),
  };
}

function openSqliteDatabase(closing: AsyncDisposableStack, { config, log }: StoreParts): OpenedDatabase {
  const { path, secret, release } = takeInstallation(config.dataDir, log);
  closing.defer(release);
  const open = () => {
    const db = connect(path);
    closing.defer(() => disconnect(db));
    return db;
  };
  const db = open();
  const generations = readGenerations(db);
  const nothing = () => {};
  return {
    secret,
    place: path,
    db,
    apart: open(),
    isReadable: probeDatabase(db, path),
    isAway: () => false,
    generations,
    freshGenerations: generations,
    afterCommit: nothing,
    heard: nothing,
    room: watchRoom({
      directory: config.dataDir,
      reserveBytes: config.diskReserveMib * MIB,
      monotonic: systemClock.monotonic,
    }),
  };
}
