import type { Database } from '../../storage/engine/database.ts';
import type { Job } from '../../storage/engine/jobs/jobs.ts';
import { prepare } from '../../storage/engine/statement.ts';
import type { LicenseRecord } from '../../storage/licenses/licenses.ts';
import { readTargets } from '../../storage/notifications/targets.ts';
import type { Act, PlannedAct } from '../act.ts';
import { removeTarget } from './target-acts.ts';

type Named = Pick<LicenseRecord, 'id' | 'customer' | 'email'>;
type Planned = Required<Pick<PlannedAct, 'jobs' | 'notices'>>;

/**
 * Plans to rename the customer of a license in operators' targets, unless another license has the same one. A target without any
 * other filter is removed with the name: it would receive the events of all customers.
 *
 * @param to null = the name is deleted
 */
export async function renameInTargets(
  db: Database,
  { id, customer }: Named,
  to: string | null,
  act: Act,
): Promise<Planned> {
  const targets = customer === null ? [] : await readTargets(db).list(null);
  const naming = targets.filter(({ customers }) => customers.some((name) => name === customer));
  if (naming.length === 0 || (await isOfOther(db, id, customer))) return { jobs: [], notices: [] };
  const jobs: Job[] = [];
  const notices: string[] = [];
  for (const target of naming) {
    const kept = target.customers.filter((name) => name !== customer && name !== to);
    const customers = to === null ? kept : [...kept, to];
    if (customers.length + target.licenses.length > 0) {
      jobs.push({ name: 'changeTarget', input: { id: target.id, change: { customers } } });
    } else {
      jobs.push(...removeTarget(target, act).jobs);
      notices.push(`the notification target ${target.name} is removed: it was only for this customer`);
    }
  }
  return { jobs, notices };
}

/** Plans to delete the customer of a license from targets, with the mailboxes that its tenant configured. */
export async function forgetInTargets(db: Database, license: Named, act: Act): Promise<Planned> {
  const { jobs, notices } = await renameInTargets(db, license, null, act);
  const targets = readTargets(db);
  const mailboxes = (await targets.list(license.id)).filter(({ kind }) => kind === 'mail');
  const address = `mailto:${license.email}`.toLowerCase();
  const same = (await targets.list(null)).filter((target) => target.address.toLowerCase() === address);
  return {
    jobs: [...jobs, ...mailboxes.flatMap((target) => removeTarget(target, act).jobs)],
    notices: [
      ...notices,
      ...same.map(({ name }) => `the notification target ${name} still has the same mail address`),
    ],
  };
}

async function isOfOther(db: Database, id: number, customer: string | null): Promise<boolean> {
  const other = prepare<{ id: number }>(db, 'select id from licenses where customer = ? and id <> ? limit 1');
  return (await other.get(customer, id)) !== undefined;
}
