import { type Command, Option } from 'commander';
import { iso, isoOrNull } from '../lib/clock.ts';
import { importFeed } from '../operator/feed-exchange/import-feed.ts';
import { type OpenedBundle, openBundle } from '../operator/feed-exchange/open-bundle.ts';
import { addTrust, removeTrust, WEIGHT_MAX } from '../operator/feed-exchange/trusts.ts';
import type { Config } from '../settings/config.ts';
import { countImported, type FeedTrust, readFeedTrusts } from '../storage/threats/feed-trusts.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { wholeNumber } from '../terminal/options.ts';
import { print, printJson, table } from '../terminal/output.ts';
import { type Store, withStore, withStoreForRoot } from '../terminal/store.ts';
import { refusingFile } from './backup-reading.ts';
import { addExportCommand, threatsInWords } from './feed-export.ts';
import { ownFeedKeys, publicKeyOf } from './feed-key.ts';
import { rebuildAfter, rebuildOption, whenInWords } from './feed-rebuild.ts';

interface ChangeOptions extends ActOptions {
  readonly rebuild?: true;
  readonly json?: true;
}

/** `feed export`, `import` and `trust`: feeds that go from one installation to another on a stick. */
export function addExchangeCommands(feed: Command, settings: () => Config): void {
  addExportCommand(feed, settings);
  feed
    .command('import')
    .description('import the feed of a trusted installation; replaces its previous one')
    .argument('<file>', 'the feed, with its signature next to it')
    .addOption(rebuildOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt feed import /mnt/stick/redoubt-feed.json.gz --rebuild')
    .action((file: string, options: ChangeOptions) => importFrom(file, settings(), options));
  addTrustCommands(feed, settings);
}

async function importFrom(file: string, config: Config, options: ChangeOptions): Promise<void> {
  const opened = await withStoreForRoot(config, ({ db }) => readFeedTrusts(db))
    .then((trusts) => openBundle(file, trusts))
    .catch(refusingFile(file));
  await withStore(config, (store) => importOpened(opened, store, config, options));
}

async function importOpened(
  opened: OpenedBundle,
  store: Store,
  config: Config,
  options: ChangeOptions,
): Promise<void> {
  const { db, act } = store;
  const { trust, bundle, threats } = opened;
  await act(async () => importFeed(opened, await readFeedTrusts(db), actNow(options)));
  const said = `${trust.name} contributes ${threatsInWords(threats.length)}, counted as ${trust.weight === 1 ? 'one customer' : `${trust.weight} customers`}`;
  if (options.rebuild) await rebuildAfter(store, config, said, options);
  if (options.json)
    return printJson({
      name: trust.name,
      weight: trust.weight,
      serial: bundle.serial,
      threats: threats.length,
      expires_at: iso(bundle.expiresAt),
      takes_effect: options.rebuild ? 'now' : 'next_epoch',
    });
  print(`${said}, until ${iso(bundle.expiresAt)}.\n${whenInWords(config, options)}`);
}

function addTrustCommands(feed: Command, settings: () => Config): void {
  const trust = feed
    .command('trust')
    .description('manage installations whose feeds count here')
    .addHelpText('after', '\nExample:\n  redoubt feed trust list');
  trust
    .command('add')
    .description('trust the feed of an installation')
    .argument('<name>', 'its name here')
    .argument('<key>', 'its public key, or a file with it: run "redoubt keys export feed" there')
    .addOption(
      new Option('--weight <number>', `customers that it counts as, up to ${WEIGHT_MAX}`)
        .argParser(wholeNumber('--weight', 3))
        .default(1),
    )
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt feed trust add north /mnt/stick/north.pub')
    .action((name: string, key: string, { weight, json, ...options }: ChangeOptions & { weight: number }) => {
      // Before this process becomes the owner of the data directory, who may not read what root may.
      const wanted = { name, key: publicKeyOf(key), weight };
      return withStore(settings(), async ({ db, act }) => {
        const own = await ownFeedKeys(db, settings());
        await act(async () => addTrust(await readFeedTrusts(db), own, wanted, actNow(options)));
        if (json) printJson(wanted);
        else print(`${name} is trusted with ${wanted.key}. Import its feed next`);
      });
    });
  trust
    .command('list')
    .description('list trusted installations and their entries that count')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt feed trust list')
    .action(({ json }: { json?: true }) =>
      withStore(settings(), async ({ db }) => {
        const counts = await countImported(db);
        const shown = (await readFeedTrusts(db)).map((each) => shownTrust(each, counts.get(each.id) ?? 0));
        if (json) printJson(shown);
        else print(table(COLUMNS, shown.map(Object.values)));
      }),
    );
  trust
    .command('remove')
    .description('stop trusting an installation and withdraw its entries')
    .argument('<name>', 'its name here')
    .addOption(rebuildOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt feed trust remove north --rebuild --reason "it was broken into"',
    )
    .action((name: string, options: ChangeOptions) =>
      withStore(settings(), async (store) => {
        const { db, act } = store;
        await act(async () => removeTrust(await readFeedTrusts(db), name, actNow(options)));
        if (options.rebuild) await rebuildAfter(store, settings(), `${name} is no longer trusted`, options);
        if (options.json) return printJson({ name, takes_effect: options.rebuild ? 'now' : 'next_epoch' });
        print(`${name} is no longer trusted.\n${whenInWords(settings(), options)}`);
      }),
    );
}

const COLUMNS = ['name', 'weight', 'state', 'threats', 'serial', 'imported at', 'expires at', 'key'];

/** In the order of {@link COLUMNS}. */
const shownTrust = ({ name, weight, serial, importedAt, expiresAt, key }: FeedTrust, threats: number) => ({
  name,
  weight,
  state: expiresAt === null ? 'not imported' : expiresAt > Date.now() ? 'counts' : 'expired',
  threats,
  serial,
  imported_at: isoOrNull(importedAt),
  expires_at: isoOrNull(expiresAt),
  key,
});
