import { DAY_MS, utcDayNumber } from '../../lib/clock.ts';
import type { Job } from '../../storage/engine/jobs/jobs.ts';
import { CUSTOMERS, type DemoCustomer } from './customers.ts';

const DAYS = 38;
/** Since the customer disputes the payment. */
const DISPUTED_DAYS = 2;

const wasActive = ({ age, endsIn = 1, state }: DemoCustomer, daysAgo: number): boolean =>
  age >= daysAgo &&
  state !== 'pending' &&
  state !== 'revoked' &&
  (state !== 'dispute' || daysAgo > DISPUTED_DAYS) &&
  -endsIn < daysAgo;

/** How many licenses and sites there were on each day before today, as a running service notes it. */
export const demoFleetDays = (now: number): Job[] =>
  Array.from({ length: DAYS }, (_, at): Job => {
    const daysAgo = at + 1;
    const active = CUSTOMERS.filter((customer) => wasActive(customer, daysAgo));
    const sites = active.reduce((sum, customer) => sum + customer.sites.length, 0);
    const input = { day: utcDayNumber(now - daysAgo * DAY_MS), activeLicenses: active.length, sites };
    return { name: 'noteFleetDay', input: { ...input, reportingSites: sites - ((daysAgo * 5) % 4) } };
  });
