import type { Config } from '../config.ts';
import { databasePath, prepareDataDirectory } from '../storage/data-directory.ts';
import { connect, type Database, prepareDatabase } from '../storage/database.ts';
import { type Job, prepareBatches } from '../storage/writer.ts';

/** The database, for a command beside a running server or without one. */
export interface Store {
  readonly db: Database;
  /** @throws Error when a change could not be stored; then none was */
  change(...jobs: readonly Job[]): unknown[];
}

/** Opens the database of the configured data directory, uses it and closes it again. */
export async function withStore<Value>(
  config: Config,
  use: (store: Store) => Value | Promise<Value>,
): Promise<Value> {
  prepareDataDirectory(config.dataDir);
  const path = databasePath(config.dataDir);
  prepareDatabase(path);
  const db = connect(path);
  try {
    return await use(storeOf(db));
  } finally {
    db.$client.close();
  }
}

export function storeOf(db: Database): Store {
  const run = prepareBatches(db);
  return {
    db,
    change: (...jobs) =>
      run(jobs).map((outcome) => {
        if ('fault' in outcome) throw new Error(outcome.fault);
        return outcome.output;
      }),
  };
}
