import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import type { Config } from '../settings/config.ts';
import type { BackupFile } from '../storage/backup/backup-file.ts';
import { removeAbandonedChecks, verifyBackup } from '../storage/backup/check-backup.ts';
import { print, printJson } from '../terminal/output.ts';
import {
  countsInWords,
  databaseInWords,
  identityOption,
  onEnd,
  readingProgress,
  refusingFile,
} from './backup-reading.ts';

export interface VerifyOptions {
  readonly ageIdentity?: readonly string[];
  readonly json?: true;
}

export function backupVerifyCommand(settings: () => Config): Command {
  return new Command('verify')
    .description('verify a copy of a backup: complete, intact and restorable by this version')
    .argument('<file>', 'the backup')
    .addOption(identityOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt backup verify /mnt/backup/redoubt-3f9a1c2e-20261124T031426Z.tar',
    )
    .action((path: string, options: VerifyOptions) => lookThrough(path, settings, options));
}

/** Checks a backup and prints the result. */
export async function lookThrough(
  path: string,
  settings: () => Config,
  { ageIdentity, json }: VerifyOptions,
): Promise<void> {
  const { dataDir } = settings();
  const manifest = await verifyBackup(path, {
    dataDir,
    identities: ageIdentity,
    workDir: (file) => {
      const workDir = workDirFor(file, dataDir);
      onEnd(() => removeAbandonedChecks(workDir));
      return workDir;
    },
    onBytes: readingProgress(),
  }).catch(refusingFile(path));
  const { created_at, version, schema_version, database, counts } = manifest;
  if (json) {
    const told = { created_at, version, schema_version, ...(database && { database }), counts };
    return printJson({ path: resolve(path), sound: true, ...told });
  }
  const made = `${path} is intact and can be restored. Created ${created_at} by redoubt ${version}`;
  if (database) print(`${made}, with keys and settings\n${databaseInWords(database)}`);
  else print(`${made}, with ${countsInWords(counts)}`);
}

/**
 * The folder of the file has room for such sizes, but a stick may be mounted read-only, and decrypted data must not be written
 * to it. The environment has priority.
 */
function workDirFor(file: BackupFile, dataDir: string): string {
  const beside = file.isEncrypted ? dataDir : dirname(resolve(file.path));
  if (process.env.TMPDIR) return process.env.TMPDIR;
  try {
    accessSync(beside, constants.W_OK);
    return beside;
  } catch {
    return tmpdir();
  }
}
