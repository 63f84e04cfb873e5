import type { FeedSnapshot } from '../domain/threat/feed.ts';
import type { Clock } from '../lib/clock.ts';
import { Turns } from '../lib/turns.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Act, PlannedAct } from './act.ts';
import { rebuildFeed } from './rebuild-feed.ts';

/** Publishes a computed feed; of two computations, the one begun later stays. */
export interface PlannedRebuild extends PlannedAct {
  readonly facts: Readonly<Record<string, never>>;
  readonly holdsAnyway: true;
}

/** Rebuilds the feed for operators, one after another: each computes on what the previous one has published. */
export interface FeedDesk {
  /**
   * Counting takes long, so it is over before the act has its turn among the others.
   *
   * @param publish does what was planned
   */
  rebuild<Done>(by: Act, publish: (planned: PlannedRebuild) => Promise<Done>): Promise<Done>;
}

export interface FeedDeskParts {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  /** What the feed should say at a moment, counted beside the requests; undefined when that is what it says. */
  readonly countFeed: (now: number) => Promise<FeedSnapshot | undefined>;
}

export function createFeedDesk({ db, clock, countFeed }: FeedDeskParts): FeedDesk {
  const turns = new Turns();
  return {
    rebuild: (by, publish) =>
      turns.take(async () => {
        const planned = await rebuildFeed(db, countFeed, { ...by, now: clock.now() });
        return publish({ ...planned, facts: {}, holdsAnyway: true });
      }),
  };
}
