import type { Database } from './database.ts';
import { prepare } from './statement.ts';

/** Counters that grow with every committed change, whichever process made it. */
export interface Generations {
  readonly licenses: number;
  readonly feed: number;
  /** Of the snapshot in use, and of operators' assertions. */
  readonly mirror: number;
}

const NONE: Generations = { licenses: 0, feed: 0, mirror: 0 };

/** Reads the counters, in a transaction or on their own. */
export function askGenerations(db: Database): () => Promise<Generations> {
  const counters = prepare<Generations>(db, 'select licenses, feed, mirror from generations');
  return async () => (await counters.get()) ?? NONE;
}
