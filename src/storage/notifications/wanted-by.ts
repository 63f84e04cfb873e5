import type { NotificationType } from '../../domain/notification/event.ts';
import { isWanted, type SelectedBy, type TargetFilter } from '../../domain/notification/target.ts';
import type { Database } from '../engine/database.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepare } from '../engine/statement.ts';

/** A target as far as events are matched with it. */
export interface MatchedTarget extends TargetFilter {
  readonly id: number;
  readonly digestMs: number;
}

interface MatchedRow extends Omit<MatchedTarget, 'events' | 'licenses' | 'customers'> {
  readonly events: string;
  readonly licenses: string;
  readonly customers: string;
}

/** Decides whether a target receives an event. */
export const selectedBy = perDatabase((db: Database) => {
  const customerOf = prepare<{ customer: string | null }>(db, 'select customer from licenses where id = ?');
  return async (target: TargetFilter, event: Omit<SelectedBy, 'customer'>): Promise<boolean> => {
    const isAsked = target.customers.length > 0 && event.licenseId !== null;
    const customer = isAsked ? ((await customerOf.get(event.licenseId))?.customer ?? null) : null;
    return isWanted(target, { ...event, customer });
  };
});

/** Reads the targets that want an event of a type, of any severity: operators', and those of one license's tenant. */
export const prepareWanting = perDatabase((db: Database) => {
  const all = prepare<MatchedRow>(
    db,
    `
    select id, events, min_severity as minSeverity, digest_ms as digestMs, licenses, customers,
        license_id as licenseId
      from targets where license_id is null or license_id = ?
    `,
  );
  return async (type: NotificationType, licenseId: number | null): Promise<MatchedTarget[]> =>
    (await all.all(licenseId)).flatMap(({ events, licenses, customers, ...target }) =>
      events.includes(`"${type}"`)
        ? {
            ...target,
            events: JSON.parse(events),
            licenses: JSON.parse(licenses),
            customers: JSON.parse(customers),
          }
        : [],
    );
});
