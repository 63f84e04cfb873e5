import { parseLicenseName } from '../domain/license/license-name.ts';
import { type LicenseRecord, readLicenses } from '../storage/licenses/licenses.ts';
import { CommandRefused } from '../terminal/output.ts';
import type { Store } from '../terminal/store.ts';

/**
 * The license of a name, as commands are given it.
 *
 * @throws CommandRefused when there is none
 */
export async function findLicense({ db }: Pick<Store, 'db'>, name: string): Promise<LicenseRecord> {
  const id = parseLicenseName(name);
  const found = id === undefined ? undefined : await readLicenses(db).find(id);
  if (found === undefined) throw new CommandRefused(`there is no license ${name}`);
  return found;
}
