import { PLACES } from './places.ts';

/** Returns the path of a customer's page. It contains one of the customer's licenses, because names must not be in URLs. */
export const customerPath = (license: string): string => `${PLACES.customers.path}/${license}`;
