import type { PlannedAct } from '../operator/act.ts';
import { rebuildFeed } from '../operator/rebuild-feed.ts';
import { type Config, feedTuning } from '../settings/config.ts';
import { computeFeed } from '../storage/feed-snapshots.ts';
import { type ActOptions, actNow } from './act.ts';
import { identitiesOf, type Store } from './store.ts';

/** Counts the feed anew, outside a transaction: that takes long, and is to keep nobody from writing. */
export function planRebuild({ db }: Store, config: Config, options: ActOptions): Promise<PlannedAct> {
  const identities = identitiesOf(config);
  const count = (now: number) => computeFeed(db, { ...feedTuning(config), now }, identities);
  return rebuildFeed(db, count, actNow(options));
}
