import type { DerivedIdentities } from '../domain/identity.ts';
import type { Database } from '../storage/engine/database.ts';
import { computeFeed, type FeedTerms, readFeedSnapshot } from '../storage/feed-snapshots.ts';
import { type Act, audited, type PlannedAct, unchanged } from './act.ts';

/** Makes a new epoch of the feed now, unless it says what it should already. */
export async function rebuildFeed(
  db: Database,
  terms: Omit<FeedTerms, 'now'>,
  identities: Pick<DerivedIdentities, 'emailHash'>,
  act: Act,
): Promise<PlannedAct> {
  const snapshot = await computeFeed(db, { ...terms, now: act.now }, identities);
  if (snapshot === undefined) return unchanged('the feed says what it should already');
  return audited(act, 'feed.rebuild', 'feed', [{ name: 'publishFeed', input: snapshot }], {
    before: { epoch: (await readFeedSnapshot(db))?.epoch ?? null },
    after: { epoch: snapshot.epoch },
  });
}
