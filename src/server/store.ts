import { systemAfter, systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { CheckBackup } from '../operator/backup-desk.ts';
import type { Config } from '../settings/config.ts';
import { type Database, disconnect } from '../storage/engine/database.ts';
import { isHousekeeping } from '../storage/engine/jobs.ts';
import { type Room, watchRoom } from '../storage/engine/room.ts';
import { connect, probeDatabase } from '../storage/engine/sqlite/database.ts';
import { checkBackupBeside, openStorageThread, type StorageThread } from '../storage/engine/threads.ts';
import { createGroupWriter, type Writer } from '../storage/engine/writer.ts';
import { takeInstallation } from '../storage/installation.ts';
import { type StoreWatch, watchStore } from './store-watch.ts';

const MIB = 1024 * 1024;

/** The data directory in use: read in this thread, changed by the writer, both in the database that it holds. */
export interface Store {
  /** Of the installation. */
  readonly secret: Uint8Array;
  readonly db: Database;
  /** For reads that belong together. */
  readonly apart: Database;
  /** See probeDatabase. */
  readonly isReadable: () => boolean;
  readonly writer: Writer;
  readonly watch: StoreWatch;
  readonly room: Room;
  readonly truncateLog: StorageThread['truncateLog'];
  readonly computeFeed: StorageThread['computeFeed'];
  /** See checkBackupBeside. */
  readonly checkBackup: CheckBackup;
}

export interface StoreParts {
  readonly config: Pick<Config, 'dataDir' | 'diskReserveMib'>;
  /** The entry of a storage thread. */
  readonly entry: URL;
  readonly log: Log;
  /** Called when a thread died. */
  readonly onFatal: (message: string) => void;
}

/**
 * Takes the data directory and opens what stands in it.
 *
 * @throws DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused, Fault
 */
export async function openStore(closing: AsyncDisposableStack, parts: StoreParts): Promise<Store> {
  const { config, entry, log, onFatal } = parts;
  const { path, secret, release } = takeInstallation(config.dataDir, log);
  closing.defer(release);
  const open = () => {
    const db = connect(path);
    closing.defer(() => disconnect(db));
    return db;
  };
  const db = open();

  const newWorker = () => new Worker(entry, { type: 'module' });
  const openThread = (onDeath: (message: string) => void) => openStorageThread(newWorker(), path, onDeath);
  const writerThread = await openThread(onFatal);
  closing.defer(writerThread.close);

  const room = watchRoom({
    directory: config.dataDir,
    reserveBytes: config.diskReserveMib * MIB,
    monotonic: systemClock.monotonic,
  });
  const watch = await watchStore({ room, thread: writerThread, after: systemAfter, log });
  closing.defer(watch.stop);
  const writer = createGroupWriter({
    commit: watch.commit,
    hasRoomFor: (name) => isHousekeeping(name) || room.isEnough(),
    onFault: (fault) => log.error('a change could not be stored', { fault }),
  });
  closing.defer(writer.close);

  return {
    secret,
    db,
    apart: open(),
    isReadable: probeDatabase(db, path),
    writer,
    watch,
    room,
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
