import { Elysia } from 'elysia';
import { createCustomerList } from '../../operator/customers.ts';
import type { ConsoleParts } from '../visit.ts';
import { customersPage } from './list.tsx';
import { customerPage } from './page.tsx';

/** The pages of customers, for operators. */
export const customerPages = (parts: ConsoleParts) => {
  const list = createCustomerList(parts.db, parts.clock);
  return new Elysia().use(customersPage(parts, list)).use(customerPage(parts, list));
};
