import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { readLicenseFile } from '../domain/license/license-file.ts';
import { readPublishedKeys } from '../domain/signing/published-keys.ts';
import { iso } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import type { VerifierKey } from '../lib/signed-note.ts';
import { looksLikeBundle } from '../operator/feed-exchange/open-bundle.ts';
import { licenseFileText, readLicenseKeys } from '../operator/verify-license-file.ts';
import { type VerifiedRelease, verifyRelease } from '../operator/verify-release.ts';
import { RELEASE_KEYS } from '../runtime/release-keys.ts';
import type { Config } from '../settings/config.ts';
import { looksLikeBackup } from '../storage/backup/backup-file.ts';
import { CommandRefused, print, printJson } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';
import { identityOption } from './backup-reading.ts';
import { lookThrough, type VerifyOptions } from './backup-verify.ts';
import { keptPublishedKeys } from './kept-keys.ts';
import { verifyFeed } from './verify-feed.ts';
import { looksLikeVulnsBundle, verifyVulnsBundle } from './verify-vulns.ts';
import { verifierKey } from './vulns-bundle.ts';

interface VerifyFileOptions extends VerifyOptions {
  readonly keys?: string;
  readonly key?: VerifierKey;
}

export function verifyCommand(settings: () => Config): Command {
  return new Command('verify')
    .description(
      'verify a file: a release or feed by its signature FILE.minisig, a license file, vulnerability data, or a backup',
    )
    .argument('<file>', 'release file, license file, feed, vulnerability data or backup')
    .addOption(identityOption())
    .option(
      '--keys <file>',
      'for a license file: keys from /.well-known/redoubt-keys, instead of this installation',
    )
    .addOption(
      new Option(
        '--key <key>',
        'for a bundle of vulnerability data: the key that must have signed it',
      ).argParser(verifierKey),
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt verify /mnt/stick/redoubt_0.1.0_amd64.deb\n\nIf you have no redoubt that you trust: minisign -Vm FILE -P KEY',
    )
    .action(async (path: string, options: VerifyFileOptions) => {
      const license = aboutFile(path, () => licenseFileText(path));
      if (license !== undefined) return verifyLicense(path, license, settings, options);
      if (aboutFile(path, () => looksLikeBundle(path))) return verifyFeed(path, settings(), options);
      if (aboutFile(path, () => looksLikeVulnsBundle(path))) return verifyVulnsBundle(path, options);
      if (aboutFile(path, () => looksLikeBackup(path))) return lookThrough(path, settings, options);
      show(
        path,
        aboutFile(path, () => verifyRelease(path, RELEASE_KEYS, Date.now())),
        options,
      );
    });
}

/** Verifies a license file, with keys from a file or, on the installation that signed it, with its own. */
async function verifyLicense(
  path: string,
  text: string,
  settings: () => Config,
  { keys: file, json }: VerifyFileOptions,
): Promise<void> {
  const keys =
    file === undefined ? await ownLicenseKeys(settings()) : aboutFile(file, () => readLicenseKeys(file));
  const found = readLicenseFile(text, keys, Date.now());
  if ('refused' in found) throw new CommandRefused(`${path}: ${found.refused}`);
  if (json) return printJson({ path: resolve(path), sound: true, ...found });
  const { license, plan, domains, expiry, serial, kid } = found;
  const where = domains.length === 0 ? 'no domain' : domains.join(', ');
  print(
    `${path} is a license file of ${license} (${plan}) for ${where}: valid until ${expiry}, serial ${serial}, signed by ${kid}`,
  );
}

const ownLicenseKeys = (config: Config) =>
  withStore(config, async ({ db }) => {
    const published = await keptPublishedKeys(db, config);
    return readPublishedKeys(JSON.stringify({ keys: published }), 'license') ?? [];
  });

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
    `${path} is redoubt ${version}, for ${target === 'any' ? 'any platform' : target}: built ${built_at}, installable until ${expires_at}, signed by ${key}`,
  );
}
