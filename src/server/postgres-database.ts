import { systemAfter, systemClock } from '../lib/clock.ts';
import type { PostgresAddress } from '../settings/database-address.ts';
import type { LimitsAddress } from '../settings/limits-address.ts';
import { disconnect } from '../storage/engine/database.ts';
import { sharedClockWork } from '../storage/engine/postgres/clock-work.ts';
import { connectPostgres } from '../storage/engine/postgres/database.ts';
import { cachesExpired, watchGenerations } from '../storage/engine/postgres/generations.ts';
import { forgetFullBuckets, postgresRateLimits } from '../storage/engine/postgres/rate-limits.ts';
import { NO_BOUND } from '../storage/engine/room.ts';
import {
  type Directories,
  type TakingOptions,
  takePostgresInstallation,
} from '../storage/installation/postgres-installation.ts';
import type { OpenedDatabase } from './opened-database.ts';
import { openSharedLimits } from './shared-limits.ts';

/** Milliseconds. A request that waits longer is refused with STORE_UNAVAILABLE, within two seconds in total. */
const TIMEOUT_MS = 1_500;
const READERS = 8;

export interface PostgresDatabaseParts extends TakingOptions {
  readonly directories: Directories;
  readonly address: PostgresAddress;
  /** The server that counts limits; undefined = the database counts them. */
  readonly limitsAddress: LimitsAddress | undefined;
}

/**
 * Opens a PostgreSQL database. While its notifications arrive, licenses are cached as with SQLite. Otherwise each request looks
 * its license up, and fails if the database is unreachable.
 *
 * @throws ConfigRefused, DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused
 */
export async function openPostgresDatabase(
  closing: AsyncDisposableStack,
  { directories, address, limitsAddress, log, onWait }: PostgresDatabaseParts,
): Promise<OpenedDatabase> {
  const { secret, release } = await takePostgresInstallation(directories, address, { log, onWait });
  closing.defer(release);
  const watch = await watchGenerations({ address, after: systemAfter, monotonic: systemClock.monotonic });
  closing.defer(watch.stop);
  const { isAway } = watch;
  const open = (connectionsMax: number) => {
    const db = connectPostgres(address, { connectionsMax, timeoutMs: TIMEOUT_MS, isAway });
    closing.defer(() => disconnect(db));
    return db;
  };
  const db = open(READERS);
  const sharedDraws = await openSharedLimits(closing, {
    address: limitsAddress,
    secret,
    askDatabase: () => postgresRateLimits(open(1)),
    log,
  });
  return {
    secret,
    place: address,
    db,
    apart: open(1),
    isReadable: () => !isAway(),
    isAway,
    generations: () => (watch.isTrusted() ? watch.last() : { ...watch.last(), licenses: Number.NaN }),
    freshGenerations: watch.read,
    // The change is committed even if this node cannot read the generations now.
    afterCommit: async () => void (await watch.read().catch(() => {})),
    cachesExpired,
    tidy: () => forgetFullBuckets(db),
    clockWork: sharedClockWork(db, systemAfter),
    sharedDraws,
    room: NO_BOUND,
  };
}
