import { newLicenseKey } from '../domain/license/license-key.ts';
import { licenseName } from '../domain/license/license-name.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import type { Database } from '../storage/engine/database.ts';
import { issuedFacts } from '../storage/licenses/license-jobs.ts';
import { type NewLicense, nextLicenseId } from '../storage/licenses/licenses.ts';
import { type Act, audited, type PlannedAct, type RefusedAct } from './act.ts';
import { licenseOf, refusalOfWanted, type WantedLicense } from './issue-license.ts';
import { sharedDomains } from './license-domains.ts';

/** How many licenses may be issued together. */
export const ISSUED_MAX = 100_000;

/** Licenses that are issued together, or not at all. */
export interface PlannedBatch extends PlannedAct {
  /** Keys that were made, shown once and kept nowhere, in the order of the licenses' ids. */
  readonly keys: readonly MadeKey[];
  /** Of the ids, which follow each other, such as `lic_1..lic_9`; of one license its id. */
  readonly range: string;
}

export interface MadeKey {
  readonly licenseId: number;
  readonly key: string;
  /** Of the file that wanted the license. */
  readonly line?: number;
}

/** The ids of so many licenses from the first one on. */
export const rangeOf = (firstId: number, count: number): string =>
  count === 1 ? licenseName(firstId) : `${licenseName(firstId)}..${licenseName(firstId + count - 1)}`;

/**
 * Issues licenses of the same terms, with one audit entry.
 *
 * @param count from 1 to {@link ISSUED_MAX}; of more than one, none has domains or an external id
 */
export async function issueLicenses(
  db: Database,
  wanted: WantedLicense,
  count: number,
  offer: Offer,
  act: Act,
): Promise<PlannedBatch | RefusedAct> {
  const wrong = await refusalOfWanted(db, wanted, offer, act.now);
  if (wrong) return wrong;
  const firstId = await nextLicenseId(db);
  const same = licenseOf(wanted, act);
  const keys: MadeKey[] = [];
  const licenses: NewLicense[] = [];
  for (let licenseId = firstId; licenseId < firstId + count; licenseId += 1) {
    const { key, stored } = newLicenseKey(same.environment);
    keys.push({ licenseId, key });
    licenses.push({ ...same, ...stored, id: licenseId });
  }
  const range = rangeOf(firstId, count);
  const notices = await sharedDomains(db, same.domains);
  // This job writes the audit entry itself.
  if (count === 1)
    return { jobs: licenses.map((input) => ({ name: 'issueLicense', input })), keys, range, notices };
  const jobs = licenses.map((input) => ({ name: 'issueOfBatch', input }) as const);
  const after = { licenses: count, ...issuedFacts(same) };
  return { ...audited(act, 'license.issue', range, jobs, { after }), keys, range, notices };
}
