import type { DerivedIdentities } from '../../domain/identity.ts';
import type { CorroborationRule } from '../../domain/threat/corroboration.ts';
import { type FeedSnapshot, nextSnapshot } from '../../domain/threat/feed.ts';
import { type ChangedEntry, changesBetween } from '../../domain/threat/feed-object.ts';
import { type Database, readAtOnce } from '../engine/database.ts';
import { reactionPoint } from '../engine/jobs/reactions.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { recordFeedObjects } from './feed-objects.ts';
import { feedSnapshots } from './tables.ts';
import { corroboratedThreats } from './threat-reports.ts';
import { readVouchers } from './vouchers.ts';

const ONLY_ROW = 1;

/** The feed as published last, if it ever was. */
export async function readFeedSnapshot(db: Database): Promise<FeedSnapshot | undefined> {
  const { epoch, generatedAt, entries, own } = feedSnapshots;
  return db.select({ epoch, generatedAt, entries, own }).from(feedSnapshots).get();
}

/** A feed that was published, and how it differs from the previous one. */
export interface PublishedFeed {
  readonly snapshot: FeedSnapshot;
  readonly changes: readonly ChangedEntry[];
}

export const feedPublishing = reactionPoint<PublishedFeed>();

/** By what a feed is made. */
export interface FeedTerms {
  readonly rule: CorroborationRule;
  readonly epochSeconds: number;
  readonly now: number;
}

/**
 * What the feed should say now, or undefined when that is what it says already. Reads only, all of it from one state
 * of the database, so that it can run beside the writer.
 *
 * @param identities hash the mailboxes that the operator noted, as those of trials are hashed
 */
export const computeFeed = (
  db: Database,
  { rule, epochSeconds, now }: FeedTerms,
  identities: Pick<DerivedIdentities, 'emailHash'>,
): Promise<FeedSnapshot | undefined> =>
  readAtOnce(db, async () => {
    const last = await readFeedSnapshot(db);
    const threats = await corroboratedThreats(db, rule, await readVouchers(db, rule, identities, now), now);
    const next = await nextSnapshot(last, threats, rule.minCorroboration, now, epochSeconds);
    return next === last ? undefined : next;
  });

export function feedJobs(db: Database) {
  const react = feedPublishing.of(db);
  return {
    /**
     * Puts a snapshot in the place of an earlier epoch's, and records what changed for clients that follow the changes. Of two that
     * were counted side by side the one that was begun later stays: the other may have been counted before a ruling. It may use the
     * reserve of the disk, because it carries out operators' rulings.
     */
    publishFeed: usesReserve(async (snapshot: FeedSnapshot): Promise<void> => {
      const last = await readFeedSnapshot(db);
      if (last && last.epoch >= snapshot.epoch && last.generatedAt > snapshot.generatedAt) return;
      await db
        .insert(feedSnapshots)
        .values({ id: ONLY_ROW, ...snapshot })
        .onConflictDoUpdate({ target: feedSnapshots.id, set: snapshot })
        .run();
      const changes = changesBetween(last?.entries ?? '[]', snapshot.entries);
      await recordFeedObjects(db, changes, snapshot.generatedAt);
      await react({ snapshot, changes });
    }),
  };
}
