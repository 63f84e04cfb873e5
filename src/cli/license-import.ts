import { statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { type Command, Option } from 'commander';
import { PLANS, type Plan } from '../domain/license/catalog.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { type LicenseRows, readLicenseRows } from '../domain/license/license-rows.ts';
import {
  type LineRefusal,
  readLicenseTable,
  TABLE_BYTES_MAX,
  TABLE_FORMATS,
} from '../domain/license/license-table.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import { readFileAtMost } from '../lib/read-file.ts';
import { importLicenses } from '../operator/import-licenses.ts';
import type { PlannedBatch } from '../operator/issue-licenses.ts';
import type { Config } from '../settings/config.ts';
import { wordsFor } from '../storage/engine/trouble.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { CommandRefused, print, printJson, tell, WrongUsage } from '../terminal/output.ts';
import type { OpenedStore, Store } from '../terminal/store.ts';
import { type KeepKeys, keyFilePath, withKeyFile } from './key-file.ts';

interface ImportOptions extends ActOptions {
  readonly dryRun?: true;
  readonly plan?: Plan;
  readonly out?: string;
  readonly json?: true;
}

interface ImportParts {
  readonly settings: () => Config;
  readonly offer: () => Offer;
  readonly withStore: OpenedStore;
}

const NEEDS_OUT = 'some rows have no key. Name a file for their new keys with --out';
const REFUSALS_SHOWN = 20;
const PROGRESS_LICENSES = 5_000;

class ImportRefused extends CommandRefused {
  readonly refusals: readonly LineRefusal[];

  constructor(why: string, refusals: readonly LineRefusal[]) {
    super(`nothing was imported: ${why}`);
    this.refusals = refusals;
  }
}

/** `license import`: licenses of another system from a file, all or none. */
export function addImportCommand(license: Command, { settings, offer, withStore }: ImportParts): void {
  license
    .command('import <file>')
    .description(
      'issue all licenses of a .csv or .ndjson file, or none; keys from other systems stay the same',
    )
    .addOption(new Option('--plan <plan>', 'plan of rows without one').choices(PLANS))
    .addOption(
      new Option('--out <file>', 'new file for the keys of rows without one; never overwrites').argParser(
        keyFilePath,
      ),
    )
    .option('--dry-run', 'show what would be refused; change nothing')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Columns, in any order, all of them optional; a date alone in "expires" is the start of that day (UTC):
  key, plan, domains (in CSV separated by spaces), expires, note, customer, email, external_id

Example:
  redoubt license import shops.csv --plan starter --out keys.csv --dry-run`,
    )
    .action(async (path: string, options: ImportOptions) => {
      const { plan, out, dryRun, json } = options;
      const sold = offer();
      const rows = readRows(path, plan, settings());
      if (!dryRun && out === undefined && rows.rows.some(({ key }) => key === null))
        throw new WrongUsage(NEEDS_OUT);
      const act = actNow(options);
      const planned = async ({ db }: Store): Promise<PlannedBatch> => {
        const outcome = await importLicenses(db, rows, sold, act);
        if (!('refused' in outcome)) return outcome;
        const { refused, refusals } = outcome;
        const isCut = !json && refusals.length > REFUSALS_SHOWN;
        throw new ImportRefused(isCut ? `${refused} (--json lists all)` : refused, refusals);
      };
      const imported = (keep: KeepKeys) =>
        withStore((store) =>
          store.act(async () => {
            const plan = await planned(store);
            if (plan.keys.length > 0) keep(linesOf(plan));
            return plan;
          }, progressIn(path)),
        );
      const inNoFile = async (done: Promise<PlannedBatch>) => ({ done: await done, file: null });
      const doing = dryRun
        ? inNoFile(withStore(planned))
        : out === undefined
          ? inNoFile(imported(() => {}))
          : withKeyFile(out, imported);
      const { done, file } = await doing.catch((error: unknown) => {
        if (error instanceof ImportRefused) showRefusals(error.refusals, json);
        throw error;
      });
      if (dryRun) {
        for (const notice of done.notices ?? []) tell(notice);
        if (out === undefined && done.keys.length > 0) tell(NEEDS_OUT);
      }
      show(done, rows.rows.length, file, options);
    });
}

/** After the transaction: the reader may be slow. */
function showRefusals(refusals: readonly LineRefusal[], json: true | undefined): void {
  if (json) {
    printJson({ refusals });
    return;
  }
  for (const { line, refused } of refusals.slice(0, REFUSALS_SHOWN)) tell(`line ${line}: ${refused}`);
  const more = refusals.length - REFUSALS_SHOWN;
  if (more > 0) tell(`and ${more} more`);
}

/** Before the database is opened: what root may read, the data directory's owner, whom root becomes, may not be able to. */
function readRows(path: string, plan: Plan | undefined, config: Config): LicenseRows {
  const format = TABLE_FORMATS.find((each) => extname(path).toLowerCase() === `.${each}`);
  if (format === undefined) throw new WrongUsage('the file must end in .csv or .ndjson');
  return readLicenseRows(readLicenseTable(bytesOf(path), format), {
    plan,
    siteOf: (text) => normalizeSiteDomain(text, config.stagingDomains),
    developmentHosts: config.scanAllowPrivate,
  });
}

function bytesOf(path: string): Uint8Array {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw new CommandRefused(`${path}: no such file`);
    if (found.isDirectory()) throw new CommandRefused(`${path} is a directory`);
    const bytes = readFileAtMost(path, TABLE_BYTES_MAX);
    if (bytes !== undefined) return bytes;
  } catch (error) {
    if (error instanceof CommandRefused) throw error;
    throw new CommandRefused(`cannot read ${path}: ${wordsFor(error)}`);
  }
  throw new CommandRefused(`${path} is larger than ${TABLE_BYTES_MAX} bytes. Import it in parts`);
}

const linesOf = ({ keys }: PlannedBatch) => [
  ['license_id', 'key', 'line'],
  ...keys.map(({ licenseId, key, line = 0 }) => [licenseName(licenseId), key, line]),
];

function progressIn(path: string): ((done: number, all: number) => void) | undefined {
  if (!process.stderr.isTTY) return undefined;
  return (done, all) => {
    if (done > 0 && done % PROGRESS_LICENSES === 0) tell(`${basename(path)}: ${done} of ${all} licenses`);
  };
}

function show(
  { keys, range }: PlannedBatch,
  licenses: number,
  file: string | null,
  { dryRun, json }: ImportOptions,
): void {
  if (json) {
    const made = { keys_made: keys.length, keys_file: file };
    printJson({ dry_run: dryRun === true, licenses, license_ids: dryRun ? null : range, ...made });
    return;
  }
  const told = `${licenses} ${licenses === 1 ? 'license' : 'licenses'}, ${keys.length} of them with a new key`;
  if (dryRun) print(`Would import ${told}. Nothing was changed.`);
  else print(`${range}: imported ${told}.${file ? ` Their keys are only in ${file}: keep it safe.` : ''}`);
}
