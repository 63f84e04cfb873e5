import type { Plan } from '../domain/license/catalog.ts';
import { licenseName } from '../domain/license/license.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import type { WantedLicense } from '../operator/issue-license.ts';
import { ISSUED_MAX, issueLicenses } from '../operator/issue-licenses.ts';
import { type ActOptions, actNow } from '../terminal/act.ts';
import { wholeNumber } from '../terminal/options.ts';
import { print, printJson, WrongUsage } from '../terminal/output.ts';
import type { OpenedStore } from '../terminal/store.ts';
import { keyFilePath, withKeyFile } from './key-file.ts';

export interface BatchOptions extends ActOptions {
  readonly plan: Plan;
  readonly domain: readonly string[];
  readonly externalId?: string;
  readonly out?: string;
  readonly csv?: true;
  readonly json?: true;
}

/** How many licenses to issue at once. */
export const batchSize = (text: string): number => {
  const count = wholeNumber('--count')(text);
  if (count < 1 || count > ISSUED_MAX) throw new WrongUsage(`--count takes 1 to ${ISSUED_MAX}`);
  return count;
};

/** `license issue --count`: licenses of the same terms, whose keys go to a file. */
export async function issueMany(
  count: number,
  wanted: WantedLicense,
  options: BatchOptions,
  offer: Offer,
  opened: OpenedStore,
): Promise<void> {
  const { out, plan, domain, externalId, json } = options;
  if (out === undefined) throw new WrongUsage('--count needs --out, the file for the keys');
  if (count > 1 && (domain.length > 0 || externalId !== undefined))
    throw new WrongUsage('--domain and --external-id are of one license: use "redoubt license import"');
  const { done, file } = await withKeyFile(keyFilePath(out), (keep) =>
    opened((store) =>
      store.act(async () => {
        const planned = await issueLicenses(store.db, wanted, count, offer, actNow(options));
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
  else print(`${range} (${plan}): issued ${count}. Their keys are in ${file} alone: keep it safe.`);
}
