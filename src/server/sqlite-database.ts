import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Config } from '../settings/config.ts';
import { ALONE } from '../storage/engine/clock-work.ts';
import { disconnect } from '../storage/engine/database.ts';
import { watchRoom } from '../storage/engine/room.ts';
import { connect, probeDatabase } from '../storage/engine/sqlite/database.ts';
import { readGenerations } from '../storage/engine/sqlite/generations.ts';
import { takeInstallation } from '../storage/installation/installation.ts';
import type { OpenedDatabase } from './opened-database.ts';

const MIB = 1024 * 1024;

export interface SqliteDatabaseParts {
  readonly config: Pick<Config, 'dataDir' | 'diskReserveMib'>;
  readonly log: Log;
}

/**
 * Opens the SQLite database in the data directory.
 *
 * @throws DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused
 */
export function openSqliteDatabase(
  closing: AsyncDisposableStack,
  { config, log }: SqliteDatabaseParts,
): OpenedDatabase {
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
    cachesExpired: nothing,
    clockWork: ALONE,
    tidy: nothing,
    sharedDraws: undefined,
    room: watchRoom({
      directory: config.dataDir,
      reserveBytes: config.diskReserveMib * MIB,
      monotonic: systemClock.monotonic,
    }),
  };
}
