import type { Command } from 'commander';
import { describeAct, typedInput } from '../acts/command.ts';
import { issue, wantedLicense } from '../acts/licenses/keys.ts';
import type { Plan } from '../domain/license/catalog.ts';
import { licenseName } from '../domain/license/license-name.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import type { RefusedAct } from '../operator/act.ts';
import type { WantedLicense } from '../operator/issue-license.ts';
import { ISSUED_MAX, issueLicenses, type PlannedBatch } from '../operator/issue-licenses.ts';
import type { Config } from '../settings/config.ts';
import { loadOffer } from '../settings/offer.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { moduleName, wholeNumber } from '../terminal/options.ts';
import { CommandRefused, NotWritten, print, printJson, printOnce, WrongUsage } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';
import { keyFilePath, withKeyFile } from './key-file.ts';

interface IssueOptions extends ActOptions {
  readonly count?: number;
  readonly out?: string;
  readonly csv?: true;
  readonly json?: true;
}

/** `license issue`: one license, or with `--count` several of the same terms. */
export function addIssueCommand(license: Command, settings: () => Config): void {
  describeAct(license, issue, settings)
    .option('--count <number>', 'issue this many licenses; requires --out', batchSize)
    .option('--out <file>', 'with --count: new file for the keys; never overwrites')
    .option('--csv', 'with --count: write CSV, which is always the case')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  redoubt license issue ${issue.command?.example}`)
    .action(async (options: IssueOptions) => {
      const { json } = options;
      const offer = loadOffer(settings().catalogFile);
      const issued = await issueWanted(options, offer, settings).catch(nothingIssued);
      if (issued) printKey(issued, json);
    });
}

/** How many licenses to issue at once. */
function batchSize(text: string): number {
  const count = wholeNumber('--count')(text);
  if (count < 1 || count > ISSUED_MAX) throw new WrongUsage(`--count must be from 1 to ${ISSUED_MAX}`);
  return count;
}

/** A license with its key, which is shown only now. */
interface IssuedKey {
  readonly license_id: string;
  readonly key: string;
  readonly plan: Plan;
  readonly domains?: readonly string[];
  readonly old_key_works_until?: string | null;
}

/** Throws it again; of a refusal it also says that there is no new license. */
function nothingIssued(error: unknown): never {
  if (error instanceof NotWritten) throw error;
  for (const Refused of [WrongUsage, CommandRefused])
    if (error instanceof Refused) throw new Refused(`nothing was issued: ${error.message}`);
  throw error;
}

async function issueWanted(
  options: IssueOptions,
  offer: Offer,
  settings: () => Config,
): Promise<IssuedKey | undefined> {
  const wanted = wantedLicense(typedInput(issue.fields, options, settings));
  for (const name of [...wanted.allowModules, ...wanted.denyModules]) moduleName(name);
  const { count, out, csv } = options;
  const planned = (store: Store) => issueLicenses(store.db, wanted, count ?? 1, offer, actNow(options));
  if (count !== undefined) {
    await issueMany(count, wanted, options, settings(), planned);
    return undefined;
  }
  if (out !== undefined || csv) throw new WrongUsage('--out and --csv require --count');
  const { keys, range } = await withStore(settings(), (store) => store.act(() => planned(store)));
  const { plan, domains } = wanted;
  return { license_id: range, key: keys[0]?.key ?? '', plan, domains: [...new Set(domains)] };
}

/** Licenses of the same terms, whose keys go to a file. */
async function issueMany(
  count: number,
  { plan, domains, externalId }: WantedLicense,
  { out, json }: IssueOptions,
  config: Config,
  issued: (store: Store) => Promise<PlannedBatch | RefusedAct>,
): Promise<void> {
  if (out === undefined) throw new WrongUsage('--count requires --out, the file for the keys');
  if (count > 1 && (domains.length > 0 || externalId !== null))
    throw new WrongUsage('--domain and --external-id apply to one license. Use "redoubt license import"');
  const { done, file } = await withKeyFile(keyFilePath(out), (keep) =>
    withStore(config, (store) =>
      store.act(async () => {
        const planned = await issued(store);
        if ('refused' in planned) return planned;
        keep([
          ['license_id', 'key'],
          ...planned.keys.map(({ licenseId, key }) => [licenseName(licenseId), key]),
        ]);
        return planned;
      }),
    ),
  );
  const { range } = done;
  if (json) printJson({ licenses: count, license_ids: range, plan, keys_file: file });
  else print(`${range} (${plan}): issued ${count}. Their keys are only in ${file}: keep it safe.`);
}

export function printKey(issued: IssuedKey, json: true | undefined): void {
  const words = `${issued.license_id} (${issued.plan})\n\n  ${issued.key}\n\nKeep this key now: it is not shown again.`;
  printOnce(
    () => (json ? printJson(issued) : print(words)),
    `${issued.license_id} has a new key that could not be printed and is lost. Create another with "redoubt license rotate ${issued.license_id}"`,
  );
}
