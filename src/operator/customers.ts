import { type Customer, CustomerGroups } from '../domain/license/customers.ts';
import type { Clock } from '../lib/clock.ts';
import { FreshValues } from '../lib/fresh-values.ts';
import { ownTurn } from '../lib/own-turn.ts';
import type { Database } from '../storage/engine/database.ts';
import { askGenerations } from '../storage/engine/generations.ts';
import { readCustomerMarks } from '../storage/payments/customer-marks.ts';

/** What lists customers, from memory until a license changes. */
export type ListCustomers = () => Promise<CustomerList>;

export interface CustomerList {
  /** By name. */
  readonly all: readonly Customer[];
  readonly byLicense: ReadonlyMap<number, Customer>;
}

const CUSTOMERS_PER_TURN = 1_000;

const byName = ([one]: readonly [string, Customer], [other]: readonly [string, Customer]): number =>
  one < other ? -1 : Number(one > other);

/** Lists customers. Reads all licenses, some in each turn of the event loop, on the first call after a license has changed. */
export function createCustomerList(db: Database, { monotonic }: Pick<Clock, 'monotonic'>): ListCustomers {
  const generations = askGenerations(db);
  const step = readCustomerMarks(db);
  const read = async (): Promise<CustomerList> => {
    const groups = new CustomerGroups();
    for (let some = await step(0); some.length > 0; some = await step(some.at(-1)?.id ?? 0)) {
      for (const marks of some) groups.add(marks);
      await ownTurn();
    }
    const named: [string, Customer][] = [];
    const byLicense = new Map<number, Customer>();
    for (const customer of groups.customers()) {
      if (named.length % CUSTOMERS_PER_TURN === CUSTOMERS_PER_TURN - 1) await ownTurn();
      named.push([customer.name.toLowerCase(), customer]);
      for (const id of customer.licenses) byLicense.set(id, customer);
    }
    return { all: named.sort(byName).map(([, customer]) => customer), byLicense };
  };
  const fresh = new FreshValues(read, { freshMs: Number.POSITIVE_INFINITY, max: 1, monotonic });
  return async () => (await fresh.get((await generations()).licenses)) ?? { all: [], byLicense: new Map() };
}
