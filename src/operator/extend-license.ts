import { grantedTerms } from '../domain/license/license.ts';
import { licenseName } from '../domain/license/license-name.ts';
import type { LicenseRecord, OperatorGrant } from '../storage/licenses/licenses.ts';
import { type Act, type ActOutcome, audited, refusalOfRevoked } from './act.ts';
import { refusalOfEnd } from './terms.ts';

/**
 * Sets a new expiry date of a license; overrides billing.
 *
 * @param expiresAt milliseconds since the Unix epoch
 */
export function extendLicense(license: LicenseRecord, expiresAt: number, act: Act): ActOutcome {
  const { id, pendingUntil } = license;
  const refusal = refusalOfRevoked(license) ?? refusalOfEnd(expiresAt, act.now);
  if (refusal) return refusal;
  if (pendingUntil !== null) return { refused: `${licenseName(id)} is still waiting for its card` };
  const input: OperatorGrant = { id, terms: { expiresAt }, now: act.now };
  return audited(act, 'license.extend', licenseName(id), [{ name: 'grantTerms', input }], {
    before: { expiresAt: grantedTerms(license, act.now).expiresAt },
    after: { expiresAt },
  });
}
