import type { Config } from '../config.ts';
import { Fault, faultOf } from '../lib/fault.ts';
import type { Database } from '../storage/database.ts';
import { openInstallation } from '../storage/installation.ts';
import { troubleOf } from '../storage/trouble.ts';
import { type Job, prepareChanges } from '../storage/writer.ts';

/** The database, for a command beside a running server or without one. */
export interface Store {
  readonly db: Database;
  /** @throws Fault when not all of it could be stored; then nothing was */
  change(...jobs: readonly Job[]): unknown[];
}

/** Opens the database of the configured data directory, uses it and closes it again. */
export async function withStore<Value>(
  config: Config,
  use: (store: Store) => Value | Promise<Value>,
): Promise<Value> {
  const db = openInstallation(config.dataDir);
  try {
    return await use(storeOf(db));
  } catch (error) {
    const trouble = troubleOf(error);
    throw trouble === undefined
      ? error
      : new Fault(`the database in ${config.dataDir} cannot be used, because ${trouble}`);
  } finally {
    db.$client.close();
  }
}

export function storeOf(db: Database): Store {
  const run = prepareChanges(db);
  return {
    db,
    change(...jobs) {
      try {
        return run(jobs);
      } catch (error) {
        const trouble = troubleOf(error);
        throw new Fault(trouble === undefined ? faultOf(error) : `nothing was changed, because ${trouble}`);
      }
    },
  };
}
