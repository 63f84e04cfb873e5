import { existsSync } from 'node:fs';
import { createIdentities, type DerivedIdentities } from '../domain/identity.ts';
import { Fault, faultOf } from '../lib/fault.ts';
import { oneAfterAnother } from '../lib/one-after-another.ts';
import type { PlannedAct, RefusedAct } from '../operator/act.ts';
import type { Config } from '../settings/config.ts';
import { databaseAddress, type PostgresAddress } from '../settings/database-address.ts';
import { keysDirectory } from '../settings/keys-directory.ts';
import { prepareChanges } from '../storage/changes.ts';
import {
  DataDirectoryUnusable,
  databasePath,
  installationKeyPath,
} from '../storage/engine/data-directory.ts';
import { type Database, disconnect } from '../storage/engine/database.ts';
import type { Job } from '../storage/engine/jobs/jobs.ts';
import { asOwner } from '../storage/engine/ownership.ts';
import { troubleOf } from '../storage/engine/trouble.ts';
import { openInstallation } from '../storage/installation/installation.ts';
import { readSecret, secretIn } from '../storage/installation/installation-key.ts';
import { CommandRefused, tell } from './output.ts';

/** The database of a command, with or without a running server. */
export interface Store {
  readonly db: Database;
  /** @throws Fault if a job fails, in which case nothing was stored */
  change(...jobs: readonly Job[]): Promise<unknown[]>;
  /**
   * Plans an act based on the stored data and runs its jobs in one transaction, then prints its notices.
   *
   * @param onJob called with the number of finished jobs, and of all jobs
   * @returns the plan and the results of its jobs
   * @throws CommandRefused if the act is refused, Fault if a job fails, in which case nothing was stored
   */
  act<Plan extends PlannedAct>(
    plan: () => Plan | RefusedAct | Promise<Plan | RefusedAct>,
    onJob?: (done: number, all: number) => void,
  ): Promise<Plan & { readonly outputs: readonly unknown[] }>;
}

/** Runs a function with an open database, and then closes it. */
export type OpenedStore = <Value>(use: (store: Store) => Promise<Value>) => Promise<Value>;

/** Opens the configured database, runs `use`, and closes the database. */
export async function withStore<Value>(
  config: Config,
  use: (store: Store) => Value | Promise<Value>,
): Promise<Value> {
  const address = databaseAddress(config);
  const { db, cachesExpired } = address
    ? await openOnPostgres(config, address)
    : { db: openInstallation(config.dataDir), cachesExpired: undefined };
  try {
    return await use(storeOf(db, cachesExpired));
  } catch (error) {
    const isWorded = error instanceof Fault || error instanceof DataDirectoryUnusable;
    const trouble = isWorded ? undefined : troubleOf(error);
    throw trouble === undefined
      ? error
      : new Fault(`cannot use the database in ${config.dataDir}: ${trouble}`);
  } finally {
    await disconnect(db);
  }
}

async function openOnPostgres(config: Config, address: PostgresAddress) {
  const { openPostgresInstallation } = await import('../storage/installation/postgres-installation.ts');
  const { cachesExpired } = await import('../storage/engine/postgres/generations.ts');
  const directories = { data: config.dataDir, keys: keysDirectory(config) };
  return { db: await openPostgresInstallation(directories, address), cachesExpired };
}

/**
 * Like `withStore`, but a process started by root becomes root again afterwards, because its other files may be accessible only
 * to root. Until then, concurrent work of the process would run as the owner of the data, so there should be none.
 */
export const withStoreForRoot = <Value>(
  config: Config,
  use: (store: Store) => Value | Promise<Value>,
): Promise<Value> => {
  const work = () => withStore(config, use);
  return existsSync(config.dataDir) ? asOwner(config.dataDir, work) : work();
};

/** @param cachesExpired resolves when no server can answer from caches older than the committed act */
export function storeOf(db: Database, cachesExpired?: () => Promise<void>): Store {
  const transact = prepareChanges(db);
  const attempt: typeof transact = async (change) => {
    try {
      return await transact(change);
    } catch (error) {
      if (error instanceof CommandRefused) throw error;
      const trouble = troubleOf(error);
      throw new Fault(trouble === undefined ? faultOf(error) : `nothing was changed: ${trouble}`);
    }
  };
  return {
    db,
    change: (...jobs) => attempt((run) => oneAfterAnother(jobs, run)),
    async act(plan, onJob) {
      const done = await attempt(async (run) => {
        const planned = await plan();
        if ('refused' in planned) throw new CommandRefused(planned.refused);
        const outputs = await oneAfterAnother(planned.jobs, (job, done) => {
          onJob?.(done, planned.jobs.length);
          return run(job);
        });
        return { ...planned, outputs };
      });
      await cachesExpired?.();
      for (const notice of done.notices ?? []) tell(notice);
      return done;
    },
  };
}

/** Without `installation.key`, the secret is empty: there are no licenses yet, so nothing was derived from it. */
export const identitiesOf = (config: Config): DerivedIdentities =>
  createIdentities(secretOf(config) ?? new Uint8Array());

/**
 * Like `identitiesOf`, for identities that are stored.
 *
 * @throws Fault without `installation.key`
 */
export function keyedIdentitiesOf(config: Config): DerivedIdentities {
  const secret = secretOf(config);
  if (secret === undefined)
    throw new Fault(
      'this host has no installation.key. Start the server here once, or copy the key from another node',
    );
  return createIdentities(secret);
}

function secretOf(config: Config): Uint8Array | undefined {
  const { dataDir, databaseUrl } = config;
  const key = installationKeyPath(keysDirectory(config));
  return databaseUrl === undefined ? readSecret(key, databasePath(dataDir)) : secretIn(key);
}
