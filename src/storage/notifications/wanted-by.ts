import { planInForce } from '../../domain/license/license.ts';
import type { NotificationType } from '../../domain/notification/event.ts';
import { isForPlan, isWanted, type SelectedBy, type TargetFilter } from '../../domain/notification/target.ts';
import type { Database } from '../engine/database.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepare } from '../engine/statement.ts';
import { readLicenses } from '../licenses/licenses.ts';

/** The fields of a target that select events. */
export interface MatchedTarget extends TargetFilter {
  readonly id: number;
  readonly digestMs: number;
}

interface MatchedRow extends Omit<MatchedTarget, 'events' | 'licenses' | 'customers'> {
  readonly events: string;
  readonly licenses: string;
  readonly customers: string;
}

/** Decides whether the owner of a target receives events of a type at a moment: a tenant by the plan of its license. */
export const prepareIsServed = perDatabase((db: Database) => {
  const licenses = readLicenses(db);
  return async (licenseId: number | null, type: NotificationType, now: number): Promise<boolean> => {
    if (licenseId === null) return true;
    const license = await licenses.find(licenseId);
    return license !== undefined && isForPlan(type, planInForce(license, now));
  };
});

/** Decides whether a target receives an event at a moment. */
export const selectedBy = perDatabase((db: Database) => {
  const isServed = prepareIsServed(db);
  const customerOf = prepare<{ customer: string | null }>(db, 'select customer from licenses where id = ?');
  return async (target: TargetFilter, event: Omit<SelectedBy, 'customer'>, now: number): Promise<boolean> => {
    const isAsked = target.customers.length > 0 && event.licenseId !== null;
    const customer = isAsked ? ((await customerOf.get(event.licenseId))?.customer ?? null) : null;
    return isWanted(target, { ...event, customer }) && isServed(target.licenseId, event.type, now);
  };
});

/** How a target is selected by events, in SQL. */
const COLUMNS = `id, events, min_severity as minSeverity, digest_ms as digestMs, licenses, customers,
  license_id as licenseId`;

const parsed = ({ events, licenses, customers, ...target }: MatchedRow): MatchedTarget => ({
  ...target,
  events: JSON.parse(events),
  licenses: JSON.parse(licenses),
  customers: JSON.parse(customers),
});

/** Reads the targets that may receive events about a license, or about none: operators', and those of its tenant. */
export const prepareTargetsFor = perDatabase((db: Database) => {
  const some = prepare<MatchedRow>(
    db,
    `select ${COLUMNS} from targets where license_id is null or license_id = ?`,
  );
  return async (licenseId: number | null): Promise<MatchedTarget[]> =>
    (await some.all(licenseId)).map(parsed);
});

/** Reads all targets that may want an event of a type with this prefix. */
export const prepareAllTargets = perDatabase((db: Database) => {
  const all = prepare<MatchedRow>(
    db,
    `select ${COLUMNS} from targets where events like '%"' || :prefix || '%' order by id`,
  );
  return async (prefix: string): Promise<MatchedTarget[]> => (await all.all({ prefix })).map(parsed);
});
