import type { Database } from './database.ts';
import { generations } from './schema.ts';

/** Counters that grow with every committed change, whichever process made it. */
export interface Generations {
  readonly licenses: number;
  readonly feed: number;
}

/**
 * Reads the counters at most once in a turn of the event loop. A request that is sent after a change
 * was committed is read in a later turn, so no request is answered from before such a change.
 */
export function readGenerations(db: Database): () => Generations {
  const statement = db
    .select({ licenses: generations.licenses, feed: generations.feed })
    .from(generations)
    .prepare();
  let thisTurn: Generations | undefined;
  return () => {
    if (thisTurn === undefined) {
      thisTurn = statement.get() ?? { licenses: 0, feed: 0 };
      setImmediate(() => {
        thisTurn = undefined;
      });
    }
    return thisTurn;
  };
}
