import { type Customer, type CustomerMarks, groupCustomers } from '../domain/license/customers.ts';
import type { Clock } from '../lib/clock.ts';
import { FreshValues } from '../lib/fresh-values.ts';
import { ownTurn } from '../lib/own-turn.ts';
import type { Database } from '../storage/engine/database.ts';
import { askGenerations } from '../storage/engine/generations.ts';
import { readCustomerMarks } from '../storage/payments/customer-marks.ts';

export interface CustomerList {
  /** By name. */
  readonly all: readonly Customer[];
  readonly byLicense: ReadonlyMap<number, Customer>;
}

/**
 * Lists customers. All licenses are read for it, some in each turn of the event loop, when somebody asks after a license has
 * changed.
 */
export function createCustomerList(db: Database, { monotonic }: Pick<Clock, 'monotonic'>) {
  const generations = askGenerations(db);
  const step = readCustomerMarks(db);
  const read = async (): Promise<CustomerList> => {
    const marks: CustomerMarks[] = [];
    for (let some = await step(0); some.length > 0; some = await step(some.at(-1)?.id ?? 0)) {
      marks.push(...some);
      await ownTurn();
    }
    const order = new Intl.Collator('en', { numeric: true });
    const all = groupCustomers(marks).sort((one, other) => order.compare(one.name, other.name));
    return {
      all,
      byLicense: new Map(all.flatMap((customer) => customer.licenses.map((id) => [id, customer] as const))),
    };
  };
  const fresh = new FreshValues(read, { freshMs: Number.POSITIVE_INFINITY, max: 1, monotonic });
  return async (): Promise<CustomerList> =>
    (await fresh.get((await generations()).licenses)) ?? { all: [], byLicense: new Map() };
}
