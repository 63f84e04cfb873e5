import { type CustomersParts, customersPage } from './list.tsx';
import { type CustomerParts, customerPage } from './page.tsx';

/** The pages of customers, for operators. */
export const customerPages = (parts: CustomersParts & CustomerParts) => [
  customersPage(parts),
  customerPage(parts),
];
