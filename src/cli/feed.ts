import { Command } from 'commander';
import type { Config } from '../config.ts';
import type { FeedEntry } from '../domain/feed.ts';
import { iso } from '../lib/clock.ts';
import { computeFeed, readFeedSnapshot } from '../storage/feed-snapshots.ts';
import { CommandRefused, print, printJson, table } from './output.ts';
import { type Store, withStore } from './store.ts';

const show = ({ db }: Store, json: true | undefined): void => {
  const snapshot = readFeedSnapshot(db);
  if (snapshot === undefined)
    throw new CommandRefused('there is no feed yet: start the server, or rebuild it');
  const entries = JSON.parse(snapshot.entries) as FeedEntry[];
  const generatedAt = iso(snapshot.generatedAt);
  if (json) {
    printJson({ epoch: snapshot.epoch, generated_at: generatedAt, entries });
    return;
  }
  print(`epoch ${snapshot.epoch}, generated ${generatedAt}, ${entries.length} entries\n`);
  print(
    table(
      ['fingerprint', 'attack type', 'severity', 'licenses'],
      entries.map((entry) => [
        entry.fingerprint,
        entry.attack_type,
        entry.severity,
        entry.corroboration_count,
      ]),
    ),
  );
};

/** The operator's view of the feed. */
export function feedCommand(settings: () => Config): Command {
  const feed = new Command('feed')
    .description('show and rebuild the threat feed')
    .addHelpText('after', '\nExample:\n  redoubt feed show');
  feed
    .command('show')
    .description('the feed as served')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt feed show')
    .action((options: { json?: true }) => withStore(settings(), (store) => show(store, options.json)));
  feed
    .command('rebuild')
    .description('make a new epoch now; a running server serves it from its next request on')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt feed rebuild')
    .action((options: { json?: true }) =>
      withStore(settings(), (store) => {
        const { feedMinCorroboration, feedWindowDays, feedEpochSeconds } = settings();
        const rule = { minCorroboration: feedMinCorroboration, windowDays: feedWindowDays };
        const snapshot = computeFeed(store.db, rule, feedEpochSeconds, Date.now());
        if (snapshot) store.change({ name: 'publishFeed', input: snapshot });
        show(store, options.json);
      }),
    );
  return feed;
}
