import { Option } from 'commander';
import { Fault, reasonOf } from '../lib/fault.ts';
import type { PlannedAct } from '../operator/act.ts';
import { rebuildFeed } from '../operator/rebuild-feed.ts';
import type { Config } from '../settings/config.ts';
import { computeFeed } from '../storage/threats/feed-snapshots.ts';
import { feedTuning } from '../tasks/feed-tuning.ts';
import { type ActOptions, actNow } from '../terminal/act.ts';
import { identitiesOf, type Store } from '../terminal/store.ts';

/** Computes the feed again, outside a transaction, because it takes long and must not block writers. */
export function planRebuild({ db }: Store, config: Config, options: ActOptions): Promise<PlannedAct> {
  const identities = identitiesOf(config);
  const count = (now: number) => computeFeed(db, { ...feedTuning(config), now }, identities);
  return rebuildFeed(db, count, actNow(options));
}

export const rebuildOption = () =>
  new Option('--rebuild', 'rebuild the feed now instead of at the next epoch');

/**
 * Publishes a new epoch after a change.
 *
 * @param done the change, as the beginning of a sentence
 * @throws Fault, whose message includes the change
 */
export async function rebuildAfter(
  store: Store,
  config: Config,
  done: string,
  options: ActOptions,
): Promise<void> {
  try {
    // That the feed needed no change would read as if nothing had been done.
    const { jobs } = await planRebuild(store, config, options);
    await store.act(() => ({ jobs }));
  } catch (error) {
    throw new Fault(
      `${done}. This takes effect at the next epoch, because the feed could not be rebuilt now: ${reasonOf(error)}`,
    );
  }
}

/** When such a change takes effect. */
export const whenInWords = (config: Config, { rebuild }: { readonly rebuild?: true }): string =>
  rebuild
    ? 'The feed was rebuilt. A running server serves it from its next request.'
    : `This takes effect at the next epoch, within ${config.feedEpochSeconds} seconds while the service runs, or now with --rebuild.`;
