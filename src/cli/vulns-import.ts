import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { isoOrNull } from '../lib/clock.ts';
import type { VerifierKey } from '../lib/signed-note.ts';
import { FEED_FORMATS, type FeedFormat, type FeedSummary } from '../mirror/facts.ts';
import type { ConcernedComponents } from '../operator/concerned-components.ts';
import type { WantedFeed } from '../operator/import-vulnerabilities.ts';
import type { Config } from '../settings/config.ts';
import type { SourceChange } from '../storage/mirror/snapshot-changes.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { print, printJson, table, tell, WrongUsage } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';
import { verifierKey, withBundle } from './vulns-bundle.ts';
import { type Imported, importFeeds } from './vulns-import-feeds.ts';

interface ImportOptions extends ActOptions {
  readonly format: FeedFormat | 'auto';
  readonly source?: string;
  readonly sha256?: string;
  readonly bundle?: true;
  readonly key?: VerifierKey;
  readonly dryRun?: true;
  readonly force?: true;
  readonly json?: true;
}

const SOURCE_NAME = /^[a-z0-9][a-z0-9:._-]{0,63}$/;
const SHA256 = /^[0-9A-Fa-f]{64}$/;
const REFUSALS_SHOWN = 5;

/** `vulns import`: reads feeds from files and uses them for all tenants. */
export function addImportCommand(vulns: Command, settings: () => Config): void {
  vulns
    .command('import <files...>')
    .description('import feeds from files; other sources are unchanged')
    .addOption(
      new Option('--format <format>', 'format of the files, instead of detecting it')
        .choices(['auto', ...FEED_FORMATS])
        .default('auto'),
    )
    .option('--source <name>', 'name of the source, instead of the one in the files', sourceName)
    .option('--sha256 <hex>', 'refuse the file unless this is its SHA-256', sha256)
    .addOption(
      new Option('--bundle', 'the file is a bundle of "redoubt vulns pack"; with --key').conflicts([
        'format',
        'source',
        'sha256',
      ]),
    )
    .option('--key <vkey>', 'refuse the bundle unless this public key signed it', verifierKey)
    .option('--dry-run', 'show what would change, also for the sites of this installation; change nothing')
    .option(
      '--force',
      'import sources even if they are older or have far fewer records than the imported ones',
    )
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt vulns import wordfence.json known_exploited.json epss.csv.gz',
    )
    .action((files: readonly string[], options: ImportOptions) => {
      const { force = false, dryRun = false } = options;
      const act = actNow(options);
      const withFeeds = feedsOf(files, options);
      return withStore(settings(), (store) => {
        const { dataDir: directory } = settings();
        return withFeeds(directory, async (feeds) => {
          const imported = await importFeeds(store, { directory, feeds, force, dryRun, act });
          tellRefused(feeds, imported.summaries);
          if (options.json) printJson(described(feeds, imported));
          else show(imported);
        });
      });
    });
}

function sourceName(text: string): string {
  if (!SOURCE_NAME.test(text))
    throw new WrongUsage(
      '--source must have up to 64 lower-case letters, digits and : . _ -, such as osv:npm, and start with a letter or digit',
    );
  return text;
}

function sha256(text: string): string {
  if (!SHA256.test(text)) throw new WrongUsage('--sha256 must have 64 hexadecimal digits');
  return text;
}

/** Lets feeds be used, for as long as they are there. */
type WithFeeds = (directory: string, use: (feeds: readonly WantedFeed[]) => Promise<void>) => Promise<void>;

/** Looks at the words before anything is opened. */
function feedsOf(files: readonly string[], options: ImportOptions): WithFeeds {
  const { format, source, sha256, bundle, key } = options;
  if ((bundle === undefined) !== (key === undefined))
    throw new WrongUsage('--bundle and --key require each other');
  const [path = ''] = files;
  if (files.length > 1 && key !== undefined)
    throw new WrongUsage('--bundle takes one file. Import the bundles one after another');
  if (key !== undefined) return (directory, use) => withBundle(path, key, directory, use);
  if (files.length > 1 && sha256 !== undefined)
    throw new WrongUsage('--sha256 applies to one file. Import the files one after another');
  const known = format === 'auto' ? undefined : format;
  return (_, use) => use(files.map((each) => ({ path: each, format: known, source, sha256 })));
}

function tellRefused(feeds: readonly WantedFeed[], summaries: readonly FeedSummary[]): void {
  for (const [at, { refused, refusals }] of summaries.entries()) {
    if (refused === 0) continue;
    const first = refusals.slice(0, REFUSALS_SHOWN).map(({ id, reason }) => `${id} ${reason}`);
    tell(`${fileName(feeds[at])}: records refused: ${refused}. First: ${first.join('; ')}`);
  }
}

const fileName = (feed: WantedFeed | undefined): string => basename(feed?.path ?? '');

const described = (feeds: readonly WantedFeed[], { snapshot, changes, summaries, ...rest }: Imported) => ({
  snapshot_id: snapshot,
  dry_run: snapshot === null,
  sources: changes.map(({ after, before, added, changed, gone }) => ({
    source: after.name,
    format: after.format,
    records_before: before?.records ?? null,
    records_after: after.records,
    added,
    changed,
    gone,
    published_at: isoOrNull(after.publishedAt),
  })),
  files: summaries.map(({ source, sha256, bytes, records, withdrawn, skipped, refused, refusals }, at) => ({
    file: fileName(feeds[at]),
    source,
    sha256,
    bytes,
    records,
    withdrawn,
    skipped,
    refused,
    refusals,
  })),
  notices: rest.notices,
  components: rest.concerned && concernedOf(rest.concerned),
});

const concernedOf = ({ moreUrgent, ...concerned }: ConcernedComponents) => ({
  ...concerned,
  more_urgent: moreUrgent,
});

const COLUMNS = ['source', 'previous records', 'after', 'added', 'changed', 'gone', 'date'];

function show({ snapshot, changes, notices, concerned }: Imported): void {
  for (const notice of notices) tell(notice);
  print(`${table(COLUMNS, changes.map(row))}\n`);
  if (concerned !== null) print(wordsFor(concerned));
  print(snapshot === null ? 'No changes were made.' : `snapshot ${snapshot} is active`);
}

const row = ({ after, before, added, changed, gone }: SourceChange) => [
  after.name,
  before?.records,
  after.records,
  added,
  changed,
  gone,
  isoOrNull(after.publishedAt),
];

const wordsFor = ({ worse, moreUrgent, better, sites }: ConcernedComponents): string =>
  `Components of this installation's sites with new vulnerabilities: ${worse}; with the same ones, but some more urgent: ${moreUrgent}; with fewer: ${better}. Affected sites: ${sites}.`;
