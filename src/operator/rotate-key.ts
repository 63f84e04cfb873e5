import { licenseName } from '../domain/license/license.ts';
import { newLicenseKey } from '../domain/license/license-key.ts';
import type { LicenseRecord } from '../storage/licenses.ts';
import { type Act, audited, changeOf, type PlannedAct, type RefusedAct, refusalOfRevoked } from './act.ts';

/** Gives a license another key in place of the one that it has, which stops at once. */
export function rotateKey(
  license: LicenseRecord,
  act: Act,
): (PlannedAct & { readonly key: string }) | RefusedAct {
  const { id, environment } = license;
  const { key, stored } = newLicenseKey(environment);
  return (
    refusalOfRevoked(license) ?? {
      ...audited(act, 'license.rotate', licenseName(id), [changeOf(id, stored)]),
      key,
    }
  );
}
