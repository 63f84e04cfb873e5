import { Command } from 'commander';
import { readFile } from '../lib/read-file.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import type { Config } from '../settings/config.ts';
import { DATABASE_SETTING, databaseAddress, postgresAddress } from '../settings/database-address.ts';
import { keysDirectory } from '../settings/keys-directory.ts';
import { type CopyProgress, copyStore } from '../storage/copy/copy-store.ts';
import { type CopyEnds, withSides } from '../storage/copy/open-sides.ts';
import { wordsFor } from '../storage/engine/trouble.ts';
import { confirmFinal, YES_MEANS } from '../terminal/final-act.ts';
import { CommandRefused, print, printJson, tell, WrongUsage } from '../terminal/output.ts';
import { onEnd } from './backup-reading.ts';
import { saySeldom } from './progress.ts';

interface CopyOptions {
  readonly to?: string;
  readonly toFile?: string;
  readonly from?: string;
  readonly fromFile?: string;
  readonly ca?: string;
  readonly replace?: true;
  readonly yes?: true;
  readonly json?: true;
}

export function storeCommand(settings: () => Config): Command {
  return new Command('store')
    .description('copy the database to or from PostgreSQL')
    .addHelpText('after', '\nExample:\n  redoubt store copy --to-file /etc/redoubt/database-url')
    .addCommand(copyCommand(settings));
}

function copyCommand(settings: () => Config): Command {
  return new Command('copy')
    .description('copy between the configured database and PostgreSQL; no server may use either')
    .option('--to <url>', 'copy the configured database to this PostgreSQL database')
    .option('--to-file <path>', 'the same, with the URL in a file')
    .option('--from <url>', 'copy this PostgreSQL database to the configured one')
    .option('--from-file <path>', 'the same, with the URL in a file')
    .option('--ca <file>', 'CA certificates of that server (PEM); default: SERVICE_DATABASE_CA')
    .option('--replace', 'empty the target first; required after an interrupted copy')
    .option('--yes', `with --replace: ${YES_MEANS}`)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt store copy --to postgres://redoubt@db.example.com/redoubt\n\nIf the URL contains a password, use a file: other users of this host can see the command line.',
    )
    .action((options: CopyOptions) => copy(settings(), options));
}

async function copy(config: Config, options: CopyOptions): Promise<void> {
  const copied = await withSides(endsOf(config, options), async (source, target) => {
    if (target.isInUse && !options.replace)
      throw new CommandRefused(
        `${target.name} is not empty. Name an empty database, or add --replace to empty it first`,
      );
    if (target.isInUse)
      await confirmFinal(options, `all data in ${target.name} will be deleted`, 'Replace it?');
    onEnd(() => target.discard());
    const { counts, ...sums } = await copyStore(source, target, progress());
    return { from: source.name, to: target.name, ...sums, counts };
  });
  const { from, to, rows, textsChanged, seconds, counts } = copied;
  if (textsChanged > 0)
    tell(`warning: PostgreSQL cannot store NUL. It was replaced by U+FFFD in ${textsChanged} texts`);
  if (options.json)
    return printJson({ from, to, tables: counts, rows, texts_changed: textsChanged, seconds });
  print(
    `copied ${rows} rows of ${Object.keys(counts).length} tables from ${from} to ${to} in ${seconds} s and verified them`,
  );
}

function endsOf(config: Config, options: CopyOptions): CopyEnds {
  const { to, toFile, from, fromFile, ca = config.databaseCa } = options;
  const given = Object.entries({ '--to': to, '--from': from, '--to-file': toFile, '--from-file': fromFile });
  const [one, ...more] = given.filter(([, value]) => value !== undefined);
  if (one === undefined || more.length > 0)
    throw new WrongUsage('use one of --to, --to-file, --from and --from-file');
  const [named = '', value = ''] = one;
  const isFile = named.endsWith('-file');
  const url = isFile ? trimInvisible(textIn(value, named)) : value;
  const address = postgresAddress(url, ca === undefined ? undefined : textIn(ca, '--ca'), named);
  if (!isFile && address.password !== undefined)
    tell(
      `warning: a password on the command line is visible to other users. ${named}-file reads the URL from a file`,
    );
  const ofSettings = databaseAddress(config);
  return {
    dataDir: config.dataDir,
    keysDir: keysDirectory(config),
    here: ofSettings && { address: ofSettings, named: DATABASE_SETTING },
    there: { address, named },
    isFrom: named.startsWith('--from'),
  };
}

function textIn(path: string, option: string): string {
  try {
    return readFile(path);
  } catch (error) {
    throw new WrongUsage(`cannot read ${option} ${path}: ${wordsFor(error)}`);
  }
}

function progress(): (progress: CopyProgress) => void {
  const sayNow = saySeldom(tell);
  const words = { copying: 'copying', finishing: 'creating indexes after', verifying: 'verifying' };
  return ({ phase, done, all }) => sayNow(() => `${words[phase]} ${done} of ${all} rows`);
}
