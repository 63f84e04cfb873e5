import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { identitiesIn } from '../lib/age-file.ts';
import { Fault } from '../lib/fault.ts';
import type { Config } from '../settings/config.ts';
import type { BackupFile } from '../storage/backup/backup-file.ts';
import { removeAbandonedChecks, verifyBackup } from '../storage/backup/check-backup.ts';
import { wordsFor } from '../storage/engine/trouble.ts';
import { CommandRefused, print, printJson, tell, WrongUsage } from './output.ts';
import { saySeldom } from './progress.ts';

const IDENTITY_BYTES_MAX = 64 * 1024;
const MB = 1_000_000;

export const identityOption = () =>
  new Option('--age-identity <file>', 'of an encrypted one: the file with your private key of age').argParser(
    identitiesOf,
  );

function identitiesOf(path: string): readonly string[] {
  try {
    if (statSync(path).size > IDENTITY_BYTES_MAX)
      throw new WrongUsage(`${path} is too large for a key of age`);
    return identitiesIn(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof WrongUsage) throw error;
    throw new WrongUsage(`--age-identity ${path} cannot be read, because ${wordsFor(error)}`);
  }
}

/** Refuses a backup by its name. */
export function refusingFile(path: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof Fault ? new CommandRefused(`${path}: ${error.message}`) : error;
  };
}

/** Tells how much of a backup was read. */
export function readingProgress(): (done: number, all: number) => void {
  const sayNow = saySeldom(tell);
  return (done, all) => sayNow(() => `reading, ${Math.round(done / MB)} of ${Math.round(all / MB)} MB`);
}

interface VerifyOptions {
  readonly ageIdentity?: readonly string[];
  readonly json?: true;
}

export function backupVerifyCommand(settings: () => Config): Command {
  return new Command('verify')
    .description(
      'look through a backup, on a copy: whether it is whole and sound, and can be restored by this redoubt',
    )
    .argument('<file>', 'the backup')
    .addOption(identityOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt backup verify /mnt/backup/redoubt-3f9a1c2e-20261124T031426Z.tar',
    )
    .action(async (path: string, { ageIdentity, json }: VerifyOptions) => {
      const { dataDir } = settings();
      const { uid } = statSync(dataDir, { throwIfNoEntry: false }) ?? {};
      const manifest = await verifyBackup(path, {
        identities: ageIdentity,
        trusted: uid === undefined ? [] : [uid],
        workDir: (file) => {
          const workDir = workDirFor(file, dataDir);
          onEnd(() => removeAbandonedChecks(workDir));
          return workDir;
        },
        onBytes: readingProgress(),
      }).catch(refusingFile(path));
      const { created_at, version, schema_version, counts } = manifest;
      if (json)
        return printJson({ path: resolve(path), sound: true, created_at, version, schema_version, counts });
      const { licenses = 0, sites = 0, events = 0 } = counts;
      print(
        `${path} is sound and can be restored: made ${created_at} by redoubt ${version}, with ${licenses} licenses, ${sites} sites and ${events} events`,
      );
    });
}

/**
 * Where the file is, there is room for such sizes; but a stick may be mounted for reading only, and what is encrypted there is not to
 * lie there in clear. The environment's word comes first.
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

/** Has what was laid removed when this process is asked to end before it is done. */
export function onEnd(remove: () => void): void {
  for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 })) {
    process.once(signal, () => {
      remove();
      process.exit(128 + number);
    });
  }
}
