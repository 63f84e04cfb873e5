import { join } from 'node:path';
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { DataDirectoryUnusable } from '../../storage/engine/data-directory.ts';
import { asOwner } from '../../storage/engine/ownership.ts';
import {
  type DatabaseBefore,
  findDatabaseBefore,
  putDatabaseBack,
} from '../../storage/installation/database-before.ts';
import { beforeName } from '../before-name.ts';
import { type Installed, isPrevious, refuseWithoutPrevious, withInstalled } from './installed.ts';
import { putPreviousBack } from './replace.ts';
import { restart, startAgain, stop } from './restart.ts';
import { askVersion, runRelease } from './run-release.ts';
import { readUnfinished, removeNote } from './unfinished.ts';
import { findUpdatedService, problemsOf, type UpdatedService } from './updated-service.ts';

const LOOK_MS_MAX = 2 * MINUTE_MS;

/** The outcome of going back. */
export interface WayBack {
  readonly version: string;
  /** Whether dpkg still takes it for the newer one, whose package it has. */
  readonly isPackaged: boolean;
  /** The directory with the database that only the newer executable knows; null where it could stay. */
  readonly kept: string | null;
  readonly service: ServiceNow;
  /** Why the service is not ready; null when it is, or should not run. */
  readonly problem: string | null;
}

/** `ready` = restarted; `stopped` = it was, and still is; `untouched` = nothing had to be changed; `unknown` = systemd has no such unit, so the operator restarts it. */
export type ServiceNow = 'ready' | 'not_ready' | 'stopped' | 'untouched' | 'unknown';

/** The executable before, and what it needs. */
interface Previous {
  readonly version: string;
  readonly before: DatabaseBefore | undefined;
}

export interface GoBackOptions {
  /** Of its systemd unit. */
  readonly service: string;
  /** How long the service may take to be ready. */
  readonly waitMs: number;
  /** Whether the database may be put back as it was before the update. */
  readonly olderData: boolean;
}

/**
 * Restores the executable that the last update has replaced, and, if that does not support the current database, the database
 * from before the update; the newer one is kept.
 *
 * @throws Fault, DataDirectoryUnusable or DatabaseUnusable when nothing was changed
 */
export async function goBack({ service: name, waitMs, olderData }: GoBackOptions): Promise<WayBack> {
  const service = await findUpdatedService(name);
  return withInstalled(service.unit, async (installed) => {
    if (nothingWasReplaced(installed)) {
      removeNote(installed.path);
      const { version } = installed.running;
      return { version, isPackaged: false, kept: null, service: 'untouched', problem: null };
    }
    refuseWithoutPrevious(installed);
    const previous = await lookAtPrevious(installed, service);
    if (previous.before && !olderData)
      throw new Fault(
        `redoubt ${previous.version} does not support version ${previous.before.version} of the database. --older-data restores ${previous.before.copy}, which lacks everything since the update, and keeps the current database`,
      );
    // A service that does not answer may be the reason for going back.
    const problems = await problemsOf(service).catch(() => []);
    return putBack(installed, service, previous, problems, waitMs);
  });
}

/** Whether an update noted its beginning and came no further. */
function nothingWasReplaced({ path, running }: Installed): boolean {
  const noted = readUnfinished(path);
  return (
    noted !== undefined && !isPrevious() && noted.from === running.version && noted.to !== running.version
  );
}

/**
 * Checks what going back requires, next to a running service.
 *
 * @throws Fault, DatabaseUnusable when there is no way back
 */
export async function lookAtPrevious(
  { previous }: Installed,
  { store, dataDir, environment }: UpdatedService,
): Promise<Previous> {
  const { version, schema_version } = askVersion(previous);
  if (store === 'postgresql') {
    const { exitCode, said } = runRelease(previous, ['migrate', '--status'], environment, LOOK_MS_MAX);
    if (exitCode !== 0) throw new Fault(`redoubt ${version} could not serve the database: ${said}`);
  }
  const before =
    store === 'embedded'
      ? await asOwner(dataDir, () => findDatabaseBefore(dataDir, schema_version))
      : undefined;
  return { version, before };
}

/**
 * Goes back. The database comes first: a process or host that goes down in between leaves the newer executable, which migrates it again.
 *
 * @param problems that the service may have
 * @throws Fault, DataDirectoryUnusable, DatabaseUnusable; then the newer executable is still there
 */
export async function putBack(
  installed: Installed,
  service: UpdatedService,
  { version, before }: Previous,
  problems: readonly string[],
  waitMs: number,
): Promise<WayBack> {
  const { dataDir, isToRun, unit } = service;
  const { isPackaged } = installed;
  if (isToRun) await stop(service);
  let kept: string | null = null;
  try {
    if (before) {
      const name = beforeName(dataDir, 'rollback', Date.now());
      const work = () => putDatabaseBack(dataDir, before, name);
      // An operator who stopped the service waits for other commands himself.
      await asOwner(dataDir, () => (isToRun ? whenFree(work) : work()));
      kept = join(dataDir, name);
    }
    putPreviousBack(installed);
  } catch (error) {
    // Better the newer one than none.
    if (isToRun) startAgain(service);
    throw error;
  }
  removeNote(installed.path);
  if (!isToRun) return { version, isPackaged, kept, service: unit ? 'stopped' : 'unknown', problem: null };
  const problem = await restart(service, problems, waitMs);
  const now = problem === undefined ? 'ready' : 'not_ready';
  return { version, isPackaged, kept, service: now, problem: problem ?? null };
}

/** Commands that use the data may need as long: a backup of much data takes a minute. */
const FREE_MS_MAX = 2 * MINUTE_MS;

/** Tries again while others use the data directory. */
async function whenFree(work: () => void): Promise<void> {
  for (const endsAt = performance.now() + FREE_MS_MAX; ; ) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof DataDirectoryUnusable) || performance.now() > endsAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
    }
  }
}
