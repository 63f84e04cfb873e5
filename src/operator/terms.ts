import { licenseName } from '../domain/license/license-name.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import { iso } from '../lib/clock.ts';
import { isWritable, LAST_MOMENT_MS } from '../lib/timestamp.ts';
import type { Database } from '../storage/engine/database.ts';
import { readLicenses } from '../storage/licenses/licenses.ts';
import type { RefusedAct } from './act.ts';

/** Refuses modules that no plan holds and that are not sold by themselves either. */
export function refusalOfModules(
  { catalog, priceList }: Offer,
  named: readonly string[],
): RefusedAct | undefined {
  const sold = [...Object.values(catalog), ...Object.values(priceList)].flatMap(
    ({ modules }) => modules ?? [],
  );
  if (named.every((module) => sold.includes(module))) return undefined;
  const known = [...new Set(sold)].sort().join(', ');
  return { refused: `there is no such module in the catalogue. It has ${known}` };
}

/** Refuses an end that is over, or too late to be written. Both in milliseconds since the Unix epoch; null or undefined = none. */
export function refusalOfEnd(expiresAt: number | null | undefined, now: number): RefusedAct | undefined {
  if (expiresAt == null) return undefined;
  if (expiresAt <= now)
    return { refused: 'the expiry is in the past. To stop a license, suspend or revoke it' };
  return isWritable(expiresAt) ? undefined : { refused: `the expiry is later than ${iso(LAST_MOMENT_MS)}` };
}

/**
 * Refuses what another system calls a license by, when it calls another one so that is not revoked.
 *
 * @param ownId of the license that is to have it; undefined = of a new one
 */
export async function refusalOfTakenId(
  db: Database,
  externalId: string | null | undefined,
  ownId?: number,
): Promise<RefusedAct | undefined> {
  if (externalId == null) return undefined;
  const namesake = await readLicenses(db).findByExternalId(externalId);
  if (namesake === undefined || namesake.id === ownId) return undefined;
  const licenseId = licenseName(namesake.id);
  return { refused: `${licenseId} already has this external id`, code: 'EXTERNAL_ID_TAKEN', licenseId };
}
