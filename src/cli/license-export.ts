import { accessSync, closeSync, constants, lstatSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Catalog } from '../domain/license/catalog.ts';
import { LICENSE_FILE_DAYS_MAX } from '../domain/signing/purposes.ts';
import { exportLicenseFile } from '../operator/export-license-file.ts';
import type { Config } from '../settings/config.ts';
import { asOwner } from '../storage/engine/ownership.ts';
import { wordsFor } from '../storage/engine/trouble.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { wholeNumber } from '../terminal/options.ts';
import { CommandRefused, print, WrongUsage } from '../terminal/output.ts';
import { withStoreForRoot } from '../terminal/store.ts';
import { findLicense } from './find-license.ts';
import { signingKeysOf } from './signing-keys.ts';

interface ExportOptions extends ActOptions {
  readonly days: number;
  readonly out?: string;
}

const DAYS = 30;

/** `license export`: a file with the rights of a license, for offline use. */
export function addLicenseExportCommand(
  license: Command,
  { settings, catalog }: { readonly settings: () => Config; readonly catalog: () => Catalog },
): void {
  license
    .command('export <id>')
    .description('sign a license file for an offline host; it cannot be revoked')
    .option(
      '--days <number>',
      `days until it expires, never later than the license; up to ${LICENSE_FILE_DAYS_MAX}`,
      daysIn,
      DAYS,
    )
    .option('--out <file>', 'new file for it, never overwrites; default: print it')
    .addOption(reasonOption())
    .addHelpText('after', '\nExample:\n  redoubt license export lic_1 --days 90 --out shop.lic')
    .action(async (name: string, { days, out, ...options }: ExportOptions) => {
      if (out !== undefined) await inFolderOf(out, () => refuseUnwritable(out));
      const { text, expiry, serial } = await withStoreForRoot(settings(), async (store) => {
        const key = await (await signingKeysOf(store, settings())).signer('license');
        if (key === undefined)
          throw new CommandRefused('no key can sign license files here. See redoubt keys list license');
        return store.act(async () => {
          const found = await findLicense(store, name);
          return exportLicenseFile(found, { catalog: catalog(), key, days }, actNow(options));
        });
      });
      if (out === undefined) return print(text.trimEnd());
      await inFolderOf(out, () => writeNew(out, text));
      print(`${out} is valid until ${expiry}, with serial ${serial}`);
    });
}

/** What root does in its own folders, it does as root. */
async function inFolderOf(path: string, work: () => void): Promise<void> {
  try {
    await asOwner(dirname(resolve(path)), work);
  } catch (error) {
    if (error instanceof CommandRefused) throw error;
    throw new CommandRefused(`cannot write ${path}: ${wordsFor(error)}`);
  }
}

/** Before the audit log says that there is one. */
function refuseUnwritable(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new CommandRefused(`${path} already exists. Use another name`);
  accessSync(dirname(resolve(path)), constants.W_OK);
}

function writeNew(path: string, text: string): void {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, text);
  } catch (error) {
    rmSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

function daysIn(text: string): number {
  const days = wholeNumber('--days', 3)(text);
  if (days < 1 || days > LICENSE_FILE_DAYS_MAX)
    throw new WrongUsage(`--days must be from 1 to ${LICENSE_FILE_DAYS_MAX}`);
  return days;
}
