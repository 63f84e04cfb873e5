import { Command } from 'commander';
import type { FeedEntry } from '../domain/threat/feed.ts';
import { iso } from '../lib/clock.ts';
import type { Config } from '../settings/config.ts';
import { readFeedSnapshot } from '../storage/threats/feed-snapshots.ts';
import { readOrigins } from '../storage/threats/feed-trusts.ts';
import { type ActOptions, reasonOption } from '../terminal/act.ts';
import { CommandRefused, print, printJson, table } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';
import { addExchangeCommands } from './feed-exchange.ts';
import { planRebuild } from './feed-rebuild.ts';
import { addRulingCommands } from './feed-rulings.ts';

const show = async ({ db }: Store, json: true | undefined): Promise<void> => {
  const snapshot = await readFeedSnapshot(db);
  if (snapshot === undefined)
    throw new CommandRefused('there is no feed yet. Start the server, or rebuild it');
  const entries = JSON.parse(snapshot.entries) as FeedEntry[];
  const generatedAt = iso(snapshot.generatedAt);
  const origins = await readOrigins(db, entries, Date.now());
  if (json) {
    const shown = entries.map((entry, at) => ({ ...entry, origins: origins[at] }));
    printJson({ epoch: snapshot.epoch, generated_at: generatedAt, entries: shown });
    return;
  }
  print(`epoch ${snapshot.epoch}, generated ${generatedAt}, ${entries.length} entries\n`);
  print(
    table(
      ['fingerprint', 'attack type', 'severity', 'customers', 'also from'],
      entries.map((entry, at) => [
        entry.fingerprint,
        entry.attack_type,
        entry.severity,
        entry.corroboration_count,
        origins[at]?.join(', ') || '-',
      ]),
    ),
  );
};

/** The operator's view of the feed. */
export function feedCommand(settings: () => Config): Command {
  const feed = new Command('feed')
    .description('show, edit and rebuild the threat feed, and exchange it with other installations')
    .addHelpText('after', '\nExample:\n  redoubt feed show');
  feed
    .command('show')
    .description('show the feed as served')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt feed show')
    .action((options: { json?: true }) => withStore(settings(), (store) => show(store, options.json)));
  feed
    .command('rebuild')
    .description('rebuild the feed now; a running server serves it from its next request')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt feed rebuild')
    .action((options: ActOptions & { json?: true }) =>
      withStore(settings(), async (store) => {
        const plan = await planRebuild(store, settings(), options);
        await store.act(() => plan);
        await show(store, options.json);
      }),
    );
  addRulingCommands(feed, settings);
  addExchangeCommands(feed, settings);
  return feed;
}
