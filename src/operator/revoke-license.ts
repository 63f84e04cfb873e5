import { licenseName } from '../domain/license/license.ts';
import type { LicenseRecord } from '../storage/licenses.ts';
import { type Act, type ActOutcome, audited, changeOf, refusalOfRevoked } from './act.ts';

/** Ends a license for good. */
export function revokeLicense(license: LicenseRecord, act: Act): ActOutcome {
  const { id } = license;
  const after = { revokedAt: act.now };
  return (
    refusalOfRevoked(license) ??
    audited(act, 'license.revoke', licenseName(id), [changeOf(id, after)], { after })
  );
}
