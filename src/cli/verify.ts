import { resolve } from 'node:path';
import { Command } from 'commander';
import { iso } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import { type VerifiedRelease, verifyRelease } from '../operator/verify-release.ts';
import { RELEASE_KEYS } from '../runtime/release-keys.ts';
import type { Config } from '../settings/config.ts';
import { looksLikeBackup } from '../storage/backup/backup-file.ts';
import { identityOption } from './backup-reading.ts';
import { lookThrough, type VerifyOptions } from './backup-verify.ts';
import { CommandRefused, print, printJson } from './output.ts';

export function verifyCommand(settings: () => Config): Command {
  return new Command('verify')
    .description(
      'whether a file is of a release of ours, by the signature beside it, FILE.minisig; or look through a backup',
    )
    .argument('<file>', 'a file of a release, or a backup')
    .addOption(identityOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt verify /mnt/stick/redoubt_0.1.0_amd64.deb\n\nWithout a redoubt that you trust: minisign -Vm FILE -P KEY.',
    )
    .action(async (path: string, options: VerifyOptions) => {
      if (aboutFile(path, () => looksLikeBackup(path))) return lookThrough(path, settings, options);
      show(
        path,
        aboutFile(path, () => verifyRelease(path, RELEASE_KEYS, Date.now())),
        options,
      );
    });
}

/** Does something with a file, and names it when that is refused. */
function aboutFile<Value>(path: string, look: () => Value): Value {
  try {
    return look();
  } catch (error) {
    throw error instanceof Fault ? new CommandRefused(`${path}: ${error.message}`) : error;
  }
}

function show(path: string, release: VerifiedRelease, { json }: VerifyOptions) {
  const { version, serial, target, key } = release;
  const [built_at, expires_at] = [iso(release.builtAt), iso(release.expiresAt)];
  if (json)
    return printJson({
      path: resolve(path),
      sound: true,
      version,
      serial,
      target,
      built_at,
      expires_at,
      key,
    });
  print(
    `${path} is of redoubt ${version}, for ${target === 'any' ? 'any platform' : target}: built ${built_at}, to be installed until ${expires_at}, signed by ${key}`,
  );
}
