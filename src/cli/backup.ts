import { constants, setPriority } from 'node:os';
import { Command } from 'commander';
import { iso } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import { type BackupProgress, type MadeBackup, makeBackup, rememberBackup } from '../operator/back-up.ts';
import type { Config } from '../settings/config.ts';
import { databaseAddress } from '../settings/database-address.ts';
import { keysDirectory } from '../settings/keys-directory.ts';
import { settingsText } from '../settings/settings-text.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { repeatable, wholeNumber } from '../terminal/options.ts';
import { CommandRefused, print, printJson, tell, WrongUsage } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';
import { countsInWords, databaseInWords, megabytes } from './backup-reading.ts';
import { backupVerifyCommand } from './backup-verify.ts';
import { saySeldom } from './progress.ts';

interface CreateOptions extends ActOptions {
  readonly to?: string;
  readonly ageRecipient: readonly string[];
  readonly keepDaily?: number;
  readonly keepWeekly?: number;
  readonly json?: true;
}

/** From this size on copying takes seconds, without progress. */
const LONG_BYTES = 200_000_000;

export function backupCommand(settings: () => Config): Command {
  return new Command('backup')
    .description('create and verify backups')
    .addHelpText('after', '\nExample:\n  redoubt backup create --to /mnt/backup/')
    .addCommand(createCommand(settings))
    .addCommand(backupVerifyCommand(settings));
}

function createCommand(settings: () => Config): Command {
  return new Command('create')
    .description(
      'back up database, keys and settings into one file while the server runs; with PostgreSQL, only keys and settings',
    )
    .option('--to <path>', 'a folder, or a new file; without it the folder "backups" in the data directory')
    .addOption(repeatable('--age-recipient <key>', 'encrypt it for this public key of age (age1...)'))
    .option(
      '--keep-daily <number>',
      'keep the last backup of each of this many days and remove older ones',
      wholeNumber('--keep-daily', 3),
    )
    .option(
      '--keep-weekly <number>',
      'also keep the last backup of each of this many weeks',
      wholeNumber('--keep-weekly', 3),
    )
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt backup create --to /mnt/backup/ --keep-daily 7 --keep-weekly 4\n\nIt contains installation.key and the signing keys: anyone with an unencrypted copy can act as this installation.',
    )
    .action(async ({ to, ageRecipient, keepDaily, keepWeekly, json, ...options }: CreateOptions) => {
      if (to === '') throw new WrongUsage('--to must name a directory or a new file');
      const config = settings();
      const act = actNow(options);
      yieldToServer();
      const isKeeping = keepDaily !== undefined || keepWeekly !== undefined;
      const made = await makeBackup({
        directories: { data: config.dataDir, keys: keysDirectory(config) },
        address: databaseAddress(config),
        to,
        recipients: ageRecipient,
        settings: settingsText(process.env),
        keeping: isKeeping ? { daily: keepDaily ?? 0, weekly: keepWeekly ?? 0 } : undefined,
        now: act.now,
        onProgress: progress(),
      });
      await withStore(config, (store) => store.act(() => rememberBackup(made, act))).catch((error) => {
        if (!(error instanceof Fault)) throw error;
        throw new CommandRefused(
          `${made.path} was created, but could not be recorded in the database: ${error.message}`,
        );
      });
      for (const path of made.leftOut) tell(`${path} was left out: its name is not that of a key`);
      show(made, json === true);
    });
}

/** Requests must not wait for a backup. The lowest priority would be too low: recording a backup locks the database. */
function yieldToServer(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is as quick as any other process then.
  }
}

function progress(): (progress: BackupProgress) => void {
  const sayNow = saySeldom(tell);
  return ({ phase, done, all }) => {
    if (done !== undefined) return sayNow(() => `${phase}, ${megabytes(done)} of ${megabytes(all)}`);
    if (all >= LONG_BYTES) tell(`${phase} the database, ${megabytes(all)}`);
  };
}

function show({ at, leftOut: _, ...made }: MadeBackup, json: boolean): void {
  if (json) {
    printJson({ ...made, created_at: iso(at) });
    return;
  }
  const { path, bytes, encrypted, counts, database, removed } = made;
  const held = database ? 'keys and settings' : countsInWords(counts);
  print(
    [
      `created ${path}: ${megabytes(bytes)}${encrypted ? ', encrypted' : ''}, with ${held}`,
      ...(database ? [databaseInWords(database)] : []),
      ...removed.map((old) => `removed ${old}`),
    ].join('\n'),
  );
}
