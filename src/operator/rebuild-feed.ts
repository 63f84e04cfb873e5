import type { FeedSnapshot } from '../domain/threat/feed.ts';
import type { Database } from '../storage/engine/database.ts';
import { readFeedSnapshot } from '../storage/threats/feed-snapshots.ts';
import { type Act, audited, type PlannedAct, unchanged } from './act.ts';

/**
 * Makes a new epoch of the feed now, unless it says what it should already.
 *
 * @param count what the feed should say; undefined when that is what it says
 */
export async function rebuildFeed(
  db: Database,
  count: (now: number) => Promise<FeedSnapshot | undefined>,
  act: Act,
): Promise<PlannedAct> {
  const snapshot = await count(act.now);
  if (snapshot === undefined) return unchanged('the feed is up to date');
  return audited(act, 'feed.rebuild', 'feed', [{ name: 'publishFeed', input: snapshot }], {
    before: { epoch: (await readFeedSnapshot(db))?.epoch ?? null },
    after: { epoch: snapshot.epoch },
  });
}
