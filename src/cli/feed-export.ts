import { lstatSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { isOwnMispFile, mispFiles } from '../domain/threat/misp.ts';
import { iso } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import { type ExportedFeed, exportFeed, writeBundle } from '../operator/feed-exchange/export-feed.ts';
import { writeMisp } from '../operator/feed-exchange/write-misp.ts';
import type { Config } from '../settings/config.ts';
import { asOwner } from '../storage/engine/ownership.ts';
import { wordsFor } from '../storage/engine/trouble.ts';
import { readCreations, readFeedObjects } from '../storage/threats/feed-objects.ts';
import { readFeedSnapshot } from '../storage/threats/feed-snapshots.ts';
import { CommandRefused, print, printJson } from '../terminal/output.ts';
import { identitiesOf, type Store, withStoreForRoot } from '../terminal/store.ts';
import { signingKeysOf } from './signing-keys.ts';

const FORMATS = ['bundle', 'misp'] as const;

interface ExportOptions {
  readonly out: string;
  readonly format: (typeof FORMATS)[number];
  readonly json?: true;
}

/** `feed export`: the feed in files, for other installations or for MISP. */
export function addExportCommand(feed: Command, settings: () => Config): void {
  feed
    .command('export')
    .description('export the feed as a signed file for other installations, or as a directory for MISP')
    .requiredOption(
      '--out <path>',
      'bundle: new file, with the signature next to it; misp: directory, in which changed files are written',
    )
    .addOption(
      new Option(
        '--format <name>',
        'bundle: what this installation reported itself; misp: the feed as served',
      )
        .choices(FORMATS)
        .default('bundle'),
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  redoubt feed export --out /mnt/stick/redoubt-feed.json.gz\n  redoubt feed export --format misp --out /srv/misp-feed',
    )
    .action(({ out, format, json }: ExportOptions) =>
      format === 'misp' ? exportMisp(out, settings(), json) : exportBundle(out, settings(), json),
    );
}

async function exportMisp(out: string, config: Config, json: true | undefined): Promise<void> {
  const path = resolve(out);
  const objects = await withStoreForRoot(config, async ({ db }) => {
    await builtFeed(db);
    return readFeedObjects(db)({});
  });
  const { installation } = identitiesOf(config);
  const files = mispFiles(objects, installation);
  const isOwn = (name: string, text: string) => isOwnMispFile(name, text, installation);
  const existing = lstatSync(path, { throwIfNoEntry: false }) ? path : dirname(path);
  const outcome = await writing(path, () => asOwner(existing, () => writeMisp(path, files, isOwn)));
  const threats = objects.filter(({ isWithdrawn }) => !isWithdrawn).length;
  if (json) return printJson({ path, threats, withdrawn: objects.length - threats, ...outcome });
  const { written, unchanged, removed } = outcome;
  print(
    `${path} has ${threatsInWords(threats)}. Files written: ${written}, unchanged: ${unchanged}, removed: ${removed}`,
  );
}

async function exportBundle(out: string, config: Config, json: true | undefined): Promise<void> {
  const path = resolve(out);
  for (const each of [path, `${path}.minisig`])
    if (lstatSync(each, { throwIfNoEntry: false }))
      throw new CommandRefused(`${each} already exists. Use another name`);
  const { kid, ...exported } = await withStoreForRoot(config, (store) => bundleOf(store, config));
  await writing(path, () => asOwner(dirname(path), () => writeBundle(path, exported)));
  const { threats, serial, expiresAt, installation } = exported;
  if (json)
    return printJson({
      path,
      signature: `${path}.minisig`,
      installation,
      serial,
      threats,
      expires_at: iso(expiresAt),
      kid,
    });
  print(
    `${path} has ${threatsInWords(threats)} (serial ${serial}) and is valid until ${iso(expiresAt)}. Copy ${path}.minisig with it`,
  );
}

async function bundleOf(store: Store, config: Config): Promise<ExportedFeed & { readonly kid: string }> {
  const snapshot = await builtFeed(store.db);
  const key = await (await signingKeysOf(store, config)).signer('feed');
  if (key === undefined)
    throw new CommandRefused(
      'no key can sign the feed here. Copy signing/ from the node or the backup that has it',
    );
  const { kid, privateKey } = key;
  const signer = { id: Buffer.from(kid, 'hex'), privateKey };
  return { ...exportFeed(snapshot, signer, await readCreations(store.db)), kid };
}

async function builtFeed(db: Store['db']) {
  const snapshot = await readFeedSnapshot(db);
  if (snapshot) return snapshot;
  throw new CommandRefused('there is no feed yet. Start the server, or rebuild it');
}

/** @throws CommandRefused that says what could not be written */
async function writing<Outcome>(path: string, write: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await write();
  } catch (error) {
    throw new CommandRefused(
      error instanceof Fault ? error.message : `cannot write ${path}: ${wordsFor(error)}`,
    );
  }
}

export const threatsInWords = (threats: number): string =>
  `${threats} ${threats === 1 ? 'threat' : 'threats'}`;
