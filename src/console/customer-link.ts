import { PLACES } from './places.ts';

/** The customer of a license. Customers have no name of their own in addresses, because names are for operators alone. */
export const customerPath = (license: string): string => `${PLACES.customers.path}/${license}`;
