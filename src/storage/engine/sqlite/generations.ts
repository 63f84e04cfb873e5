import type { Database } from '../database.ts';
import type { Generations } from '../generations.ts';
import { clientOf } from './client.ts';

/**
 * Reads the counters at most once in a turn of the event loop. A request that is sent after a change
 * was committed is read in a later turn, so no request is answered from before such a change.
 */
export function readGenerations(db: Database): () => Generations {
  // Every request asks this, so it goes to the driver directly: the mapping costs more than the read.
  const statement = clientOf(db).prepare('select licenses, feed, mirror from generations');
  let thisTurn: Generations | undefined;
  return () => {
    if (thisTurn === undefined) {
      thisTurn = statement.get() as unknown as Generations;
      setImmediate(() => {
        thisTurn = undefined;
      });
    }
    return thisTurn;
  };
}
