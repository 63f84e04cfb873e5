import { type Hold, withHold } from '../domain/license/license.ts';
import { licenseName } from '../domain/license/license-name.ts';
import type { Job } from '../storage/engine/jobs/jobs.ts';
import type { LicenseChange, LicenseRecord } from '../storage/licenses/licenses.ts';
import {
  type Act,
  type ActOutcome,
  audited,
  changed,
  changeOf,
  isEmpty,
  refusalOfRevoked,
  unchanged,
} from './act.ts';

/** Puts a hold on a license. */
export const suspendLicense = (license: LicenseRecord, hold: Hold, act: Act): ActOutcome =>
  setHolds(license, 'license.suspend', { holds: withHold(license.holds, hold, true) }, act);

/** Lifts a hold, also one that an operator has set; the others stay. The payment processor sets it again only for another cause. */
export function resumeLicense(license: LicenseRecord, hold: Hold, act: Act): ActOutcome {
  const wanted = {
    holds: withHold(license.holds, hold, false),
    paymentHolds: withHold(license.paymentHolds, hold, false),
    ...(hold === 'payment' ? { paymentHoldFrom: null } : {}),
  };
  const jobs = [{ name: 'liftHoldCauses', input: { licenseId: license.id, hold } } as const];
  return setHolds(license, 'license.resume', wanted, act, jobs);
}

function setHolds(
  license: LicenseRecord,
  action: string,
  wanted: LicenseChange,
  act: Act,
  jobs: readonly Job[] = [],
): ActOutcome {
  const name = licenseName(license.id);
  const refusal = refusalOfRevoked(license);
  if (refusal) return refusal;
  const facts = changed(license, wanted);
  return isEmpty(facts.after)
    ? unchanged(`${name} already has these suspension reasons`)
    : audited(act, action, name, [changeOf(license.id, facts.after), ...jobs], facts);
}
