import type { CustomerMarks } from '../../domain/license/customers.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

const LICENSES_PER_STEP = 1_000;

/** Reads the customer data of the next licenses after an id that have any; none = no more. */
export function readCustomerMarks(db: Database): (after: number) => Promise<CustomerMarks[]> {
  const step = prepare<CustomerMarks>(
    db,
    `
    select licenses.id, customer, email, subscriptions.customer_id as payer from licenses
      left join subscriptions on subscriptions.id = licenses.subscription_id
      where licenses.id > :after and (customer is not null or email is not null or subscriptions.customer_id is not null)
      order by licenses.id limit :limit
    `,
  );
  return async (after) => step.all({ after, limit: LICENSES_PER_STEP });
}
