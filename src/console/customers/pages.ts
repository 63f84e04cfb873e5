import { createCustomerList } from '../../operator/customers.ts';
import { type CustomersParts, customersPage } from './list.tsx';
import { type CustomerParts, customerPage } from './page.tsx';

/** The pages of customers, for operators. */
export const customerPages = (parts: CustomersParts & CustomerParts) => {
  const list = createCustomerList(parts.db, parts.clock);
  return [customersPage(parts, list), customerPage(parts, list)];
};
