import type { Database } from './database.ts';

/** Counters that grow with every committed change, whichever process made it. */
export interface Generations {
  readonly licenses: number;
  readonly feed: number;
  /** Of which snapshot is used, and of what the operator asserts. */
  readonly mirror: number;
}

/**
 * Reads the counters at most once in a turn of the event loop. A request that is sent after a change
 * was committed is read in a later turn, so no request is answered from before such a change.
 */
export function readGenerations(db: Database): () => Generations {
  // Every request asks this, so it goes to the driver directly: the mapping costs more than the read.
  const statement = db.$client.prepare('select licenses, feed, mirror from generations');
  let thisTurn: Generations | undefined;
  return () => {
    if (thisTurn === undefined) {
      thisTurn = (statement.get() as Generations | undefined) ?? { licenses: 0, feed: 0, mirror: 0 };
      setImmediate(() => {
        thisTurn = undefined;
      });
    }
    return thisTurn;
  };
}
