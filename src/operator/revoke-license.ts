import { licenseName } from '../domain/license/license-name.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';
import { type Act, type ActOutcome, audited, changeOf, refusalOfRevoked } from './act.ts';

const NAMED_MAX = 5;

/** Ends a license for good. */
export function revokeLicense(license: LicenseRecord, act: Act): ActOutcome {
  const { id } = license;
  const after = { revokedAt: act.now };
  return (
    refusalOfRevoked(license) ??
    audited(act, 'license.revoke', licenseName(id), [changeOf(id, after)], { after })
  );
}

/** The effect of revoking a license, for the question before it. */
export function revocationWarning({ id, plan, domains }: LicenseRecord): string {
  const more = domains.length > NAMED_MAX ? ' and more' : '';
  const named = domains.length > 0 ? `, with ${domains.slice(0, NAMED_MAX).join(', ')}${more}` : '';
  return (
    `${licenseName(id)} (${plan}${named}) will be revoked permanently. Its keys are refused from the next request ` +
    'and its credentials are revoked. This cannot be undone. To stop it for a while, suspend it.'
  );
}
