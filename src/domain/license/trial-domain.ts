import { registrableDomain } from '../site/registrable-domain.ts';
import type { SiteDomain } from '../site/site-domain.ts';

// Separate from the other rules of trials: it loads the public suffix list, which few commands need.

/**
 * The registrable domain, by which trials are counted: subdomains share one trial. Customers of one host, such as
 * `alice.github.io`, are counted apart.
 *
 * @returns undefined for a name that cannot have a trial: a development host, an address, a public suffix alone
 */
export const trialDomain = ({ name, counted }: SiteDomain): string | undefined =>
  counted ? registrableDomain(name, { privateSuffixes: true }) : undefined;
