import { systemAfter, systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { PostgresAddress } from '../settings/database-address.ts';
import { disconnect } from '../storage/engine/database.ts';
import { connectPostgres } from '../storage/engine/postgres/database.ts';
import { heardEverywhere, watchGenerations } from '../storage/engine/postgres/generations.ts';
import { NO_BOUND } from '../storage/engine/room.ts';
import { takePostgresInstallation } from '../storage/postgres-installation.ts';
import type { OpenedDatabase } from './opened-database.ts';

/** Whoever waits longer is answered that the store is unavailable, within two seconds in all. */
const TIMEOUT_MS = 1_500;
const READERS = 8;

export interface PostgresDatabaseParts {
  readonly directory: string;
  readonly address: PostgresAddress;
  readonly log: Log;
}

/**
 * Opens a database of PostgreSQL. While it is heard of, licenses are remembered as with SQLite; when it is not, each is looked up, which
 * fails then.
 *
 * @throws ConfigRefused, DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused
 */
export async function openPostgresDatabase(
  closing: AsyncDisposableStack,
  { directory, address, log }: PostgresDatabaseParts,
): Promise<OpenedDatabase> {
  const { secret, release } = await takePostgresInstallation(directory, address, log);
  closing.defer(release);
  const watch = await watchGenerations({ address, after: systemAfter, monotonic: systemClock.monotonic });
  closing.defer(watch.stop);
  const { isAway } = watch;
  const open = (connectionsMax: number) => {
    const db = connectPostgres(address, { connectionsMax, timeoutMs: TIMEOUT_MS, isAway });
    closing.defer(() => disconnect(db));
    return db;
  };
  return {
    secret,
    place: address,
    db: open(READERS),
    apart: open(1),
    isReadable: () => !isAway(),
    isAway,
    generations: () => (watch.isTrusted() ? watch.last() : { ...watch.last(), licenses: Number.NaN }),
    freshGenerations: watch.read,
    // What was committed holds, whether or not that is seen here at once.
    afterCommit: async () => void (await watch.read().catch(() => {})),
    heard: heardEverywhere,
    room: NO_BOUND,
  };
}
