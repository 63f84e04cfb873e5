import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { layFile } from '../lib/lay-file.ts';
import { examine } from '../operator/doctor/examine.ts';
import { restoreBackup } from '../operator/restore-backup.ts';
import type { Config } from '../settings/config.ts';
import { databaseAddress } from '../settings/database-address.ts';
import { keysDirectory } from '../settings/keys-directory.ts';
import { asOwner } from '../storage/engine/ownership.ts';
import { wordsFor } from '../storage/engine/trouble.ts';
import { discardPrepared } from '../storage/installation/pending-restore.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { CommandRefused, print, printJson, WrongUsage } from '../terminal/output.ts';
import { databaseInWords, identityOption, onEnd, readingProgress, refusingFile } from './backup-reading.ts';
import { showFindings, unitOption } from './doctor.ts';

interface RestoreOptions extends ActOptions {
  readonly ageIdentity?: readonly string[];
  readonly settings?: true;
  readonly unit: string;
  readonly json?: true;
}

/** Replaces the content of the data directory by a backup, while no server uses it. */
export function restoreCommand(settings: () => Config): Command {
  return new Command('restore')
    .description(
      'restore a backup while the server is stopped; the replaced data is kept; with PostgreSQL, restores only keys',
    )
    .argument('<file>', 'the backup')
    .addOption(identityOption())
    .option('--settings', 'also restore its settings, to the file named by SERVICE_CONFIG')
    .addOption(unitOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt restore /mnt/backup/redoubt-3f9a1c2e-20261124T031426Z.tar --reason "the disk failed"',
    )
    .action((file: string, options: RestoreOptions) => restore(file, settings(), options));
}

async function restore(file: string, config: Config, options: RestoreOptions): Promise<void> {
  const directories = { data: config.dataDir, keys: keysDirectory(config) };
  const address = databaseAddress(config);
  const settingsFile = options.settings ? await settingsPath() : undefined;
  const path = resolve(file);
  onEnd(() => discardPrepared(directories.keys));
  const what = { directories, address, path, identities: options.ageIdentity, onBytes: readingProgress() };
  const { manifest, migratedFrom, untold, ...restored } = await restoreBackup(what, actNow(options)).catch(
    refusingFile(file),
  );
  if (settingsFile) await writeSettings(settingsFile, restored.settings, restored.before, directories.data);
  const { created_at, version, database, counts } = manifest;
  const before = join(directories.keys, restored.before);
  const kept = existsSync(before) ? before : null;
  // The restore is complete with any findings.
  const findings = await examine({ environment: process.env, unit: options.unit });
  if (options.json) {
    printJson({
      restored: path,
      created_at,
      version,
      counts,
      kept,
      ...(database && { database, untold: untold ?? null }),
      migrated_from: migratedFrom ?? null,
      settings: settingsFile ?? null,
      findings,
    });
    return;
  }
  print(
    [
      `restored ${path}, created ${created_at} by redoubt ${version}`,
      ...(kept ? [`the replaced files are in ${kept}. Remove them when everything works`] : []),
      ...(settingsFile ? [`its settings are in ${settingsFile}`] : []),
      ...(database ? [databaseInWords(database), keysInWords(untold)] : []),
    ].join('\n'),
  );
  showFindings(findings, 'no problems found');
}

const keysInWords = (untold: string | undefined): string =>
  untold === undefined
    ? 'its keys match the database that SERVICE_DATABASE_URL names'
    : `restore the database before a node starts. Its keys could not be compared (${untold}); nodes refuse keys that do not match`;

/** Known to be writable before anything is replaced. */
async function settingsPath(): Promise<string> {
  const path = (process.env.SERVICE_CONFIG ?? '').replace(/^-/, '');
  if (path === '') throw new WrongUsage('--settings requires SERVICE_CONFIG, which names the settings file');
  try {
    await asOwner(dirname(path), () => accessSync(dirname(path), constants.W_OK));
  } catch (error) {
    throw new CommandRefused(`nothing was restored: cannot write ${path}: ${wordsFor(error)}`);
  }
  return path;
}

const ROOT = 0;
const OF_GROUP = 0o640;

/** Readable for the group of the previous file; without one, for the service's group. */
async function writeSettings(path: string, text: string, before: string, dataDir: string): Promise<void> {
  const { gid: group } = statSync(dataDir);
  try {
    await asOwner(dirname(path), () => {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found) copyFileSync(path, `${path}.${before}`);
      const { uid, gid } = found ?? { uid: ROOT, gid: group };
      layFile(path, (partial) => {
        writeFileSync(partial, text);
        chmodSync(partial, found ? found.mode & 0o777 : OF_GROUP);
        if (process.geteuid?.() === ROOT) chownSync(partial, uid, gid);
      });
    });
  } catch (error) {
    throw new CommandRefused(
      `the backup was restored, but not its settings: cannot write ${path}: ${wordsFor(error)}`,
    );
  }
}
