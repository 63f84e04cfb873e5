import { type CorroborationRule, type FeedSnapshot, nextSnapshot } from '../domain/feed.ts';
import type { Database } from './database.ts';
import { feedSnapshots } from './schema.ts';
import { corroboratedThreats } from './threat-reports.ts';

const ONLY_ROW = 1;

/** The feed as published last, if it ever was. */
export function readFeedSnapshot(db: Database): FeedSnapshot | undefined {
  const { epoch, generatedAt, entries } = feedSnapshots;
  return db.select({ epoch, generatedAt, entries }).from(feedSnapshots).get();
}

/**
 * What the feed should say now, or undefined when that is what it says already. Reads only, so that
 * it can run beside the writer.
 */
export function computeFeed(
  db: Database,
  rule: CorroborationRule,
  epochSeconds: number,
  now: number,
): FeedSnapshot | undefined {
  const last = readFeedSnapshot(db);
  const next = nextSnapshot(last, corroboratedThreats(db, rule, now), now, epochSeconds);
  return next === last ? undefined : next;
}

export function feedJobs(db: Database) {
  return {
    /** Puts a snapshot in the place of an earlier epoch's. */
    publishFeed(snapshot: FeedSnapshot): void {
      db.insert(feedSnapshots)
        .values({ id: ONLY_ROW, ...snapshot })
        .onConflictDoUpdate({ target: feedSnapshots.id, set: snapshot })
        .run();
    },
  };
}
