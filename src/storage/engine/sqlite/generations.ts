import type { Database } from '../database.ts';
import type { Generations } from '../generations.ts';
import { clientOf } from './client.ts';

/**
 * Reads the counters at most once in a turn of the event loop. A request sent after a commit is read in a later turn, so no
 * answer is older than the commit.
 */
export function readGenerations(db: Database): () => Generations {
  // Every request runs this, so it uses the driver directly: the mapping costs more than the read.
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
