import { licenseName } from '../domain/license/license-name.ts';
import type { Database } from '../storage/engine/database.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';
import { readRefusedDomains } from '../storage/licenses/refused-domains.ts';
import { auditContains, FORGOTTEN } from '../storage/operators/audit.ts';
import { type Act, audited, changed, changeOf, isEmpty, type PlannedAct, unchanged } from './act.ts';
import { forgetInTargets } from './notifications/customer-in-targets.ts';

const NOTHING = { customer: null, email: null, externalId: null, note: null };
const NAMES = Object.keys(NOTHING);

/** Deletes the customer of a license, the note and the refused domains, in the license, in notification targets and in the audit log. */
export async function forgetCustomer(db: Database, license: LicenseRecord, act: Act): Promise<PlannedAct> {
  const { id } = license;
  const subject = licenseName(id);
  const { before, after } = changed(license, NOTHING);
  const facts = { subject, names: NAMES };
  const refused = await readRefusedDomains(db, id);
  const inTargets = await forgetInTargets(db, license, act);
  const isAnyStored = !isEmpty(after) || refused.length > 0 || inTargets.jobs.length > 0;
  if (!isAnyStored && !(await auditContains(db, facts)))
    return unchanged(`${subject} has no customer, e-mail, external id or note`);
  const jobs = [
    ...inTargets.jobs,
    ...(isEmpty(after) ? [] : [changeOf(id, after)]),
    { name: 'forgetFacts', input: facts } as const,
    { name: 'forgetRefusedDomains', input: { licenseId: id } } as const,
  ];
  const hidden = Object.fromEntries(Object.keys(before).map((name) => [name, FORGOTTEN]));
  return {
    ...audited(act, 'license.forget', subject, jobs, isEmpty(after) ? {} : { before: hidden, after }),
    notices: [...inTargets.notices, 'existing backups, and reasons in the audit log, still contain them'],
  };
}
