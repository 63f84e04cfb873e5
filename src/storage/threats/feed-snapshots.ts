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

/** The last published feed, if any. */
export async function readFeedSnapshot(db: Database): Promise<FeedSnapshot | undefined> {
  const { epoch, generatedAt, entries, own } = feedSnapshots;
  return db.select({ epoch, generatedAt, entries, own }).from(feedSnapshots).get();
}

/** A published feed, and its difference from the previous one. */
export interface PublishedFeed {
  readonly snapshot: FeedSnapshot;
  readonly changes: readonly ChangedEntry[];
}

export const feedPublishing = reactionPoint<PublishedFeed>();

/** The parameters of a feed. */
export interface FeedTerms {
  readonly rule: CorroborationRule;
  readonly epochSeconds: number;
  readonly now: number;
}

/**
 * The current feed, or undefined when it is unchanged. Reads only, from one state of the database, so that it can run next to
 * the writer.
 *
 * @param identities hash the customers' mailboxes as those of trials are hashed
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
     * Replaces the snapshot of an earlier epoch, and records the changes for clients that follow them. Of two computed at the
     * same time, the later begun one stays: the other may have been computed before a ruling. It may use the reserve of the disk,
     * because it carries out operators' rulings.
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
