import type { PlannedAct } from '../operator/act.ts';
import { rebuildFeed } from '../operator/rebuild-feed.ts';
import { type Config, corroborationRule } from '../settings/config.ts';
import { type ActOptions, actNow } from './act.ts';
import { identitiesOf, type Store } from './store.ts';

/** Counts the feed anew, outside a transaction: that takes long, and is to keep nobody from writing. */
export const planRebuild = ({ db }: Store, config: Config, options: ActOptions): Promise<PlannedAct> =>
  rebuildFeed(
    db,
    { rule: corroborationRule(config), epochSeconds: config.feedEpochSeconds },
    identitiesOf(config.dataDir),
    actNow(options),
  );
