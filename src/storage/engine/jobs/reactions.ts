import { Fault } from '../../../lib/fault.ts';
import type { Database } from '../database.ts';

/** Runs in the transaction of a change, after it. */
export type React<Change> = (change: Change) => Promise<void>;

/** Prepares how a subject reacts to a change of an earlier one; called while jobs are prepared. */
export type Reaction = (db: Database) => void;

/** A kind of change to which later subjects react, so that the subject that makes it need not know them. */
export interface ReactionPoint<Change> {
  /** A reaction for the list of its subject. */
  with(make: (db: Database) => React<Change>): Reaction;
  /** Runs all reactions to a change, in the order of subjects. */
  of(db: Database): React<Change>;
}

export function reactionPoint<Change>(): ReactionPoint<Change> {
  const reactions = new WeakMap<Database, React<Change>[]>();
  return {
    with: (make) => (db) => {
      reactions.set(db, [...(reactions.get(db) ?? []), make(db)]);
    },
    of: (db) => async (change) => {
      const prepared = reactions.get(db);
      if (prepared === undefined) throw new Fault('a change was made before its reactions were prepared');
      for (const react of prepared) await react(change);
    },
  };
}
