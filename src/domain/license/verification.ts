import { normalizeSiteDomain } from '../site/site-domain.ts';
import type { License, Standing } from './license.ts';

/** What license/verify can find, by which its operator sees why a license is not valid. Callers learn of `suspended` alone. */
export const VERIFICATIONS = [
  'valid',
  'unknown_key',
  'revoked',
  'suspended',
  'expired',
  'pending',
  'malformed_domain',
  'blocked_domain',
  'site_limit_reached',
] as const;
export type Verification = (typeof VERIFICATIONS)[number];
export type RefusalReason = Exclude<Verification, 'valid'>;

/** Whether it was found valid, as logs and metrics say it. */
export const outcomeOf = (verification: Verification): 'valid' | 'invalid' =>
  verification === 'valid' ? 'valid' : 'invalid';

/** Why it was not; undefined when it was. */
export const reasonOf = (verification: Verification): RefusalReason | undefined =>
  verification === 'valid' ? undefined : verification;

/** What the caller is told of why it was not. */
export const disclosedReasonOf = (verification: Verification): 'suspended' | undefined =>
  verification === 'suspended' ? verification : undefined;

/** What a key is worth before anybody looks at the domain; without a standing there is no such key. */
export function verificationOf(standing: Pick<Standing, 'state'> | undefined): Verification {
  if (standing === undefined) return 'unknown_key';
  const { state } = standing;
  return state === 'active' || state === 'trial' ? 'valid' : state;
}

/** How a domain stands to a license: the last three keep it out, and a free site is registered on first use. */
export const BINDINGS = [
  'registered',
  'test_license',
  'development_host',
  'free_site',
  'malformed_domain',
  'blocked_domain',
  'site_limit_reached',
] as const;
export type Binding = (typeof BINDINGS)[number];

export interface DomainBinding {
  readonly binding: Binding;
  /** Normalised; as it was given when it is malformed. */
  readonly domain: string;
}

/** How what a client calls its domain stands to a license with so many sites. */
export function bindingOf(
  { environment, domains, blockedDomains }: Pick<License, 'environment' | 'domains' | 'blockedDomains'>,
  sitesAllowed: number,
  text: string,
  stagingDomains: readonly string[],
): DomainBinding {
  // What sites send all day is a registered name as it stands, and needs no parsing.
  if (domains.includes(text)) return { binding: 'registered', domain: text };
  const site = normalizeSiteDomain(text, stagingDomains);
  if (site === undefined) return { binding: 'malformed_domain', domain: text };
  const is = (binding: Binding): DomainBinding => ({ binding, domain: site.name });
  if (blockedDomains.includes(site.name)) return is('blocked_domain');
  if (domains.includes(site.name)) return is('registered');
  if (environment === 'test') return is('test_license');
  if (!site.counted) return is('development_host');
  return is(domains.length >= sitesAllowed ? 'site_limit_reached' : 'free_site');
}

/** What license/verify finds for a valid license from a domain, once a free site is registered. */
export const admissionOf = (binding: Binding): Verification =>
  VERIFICATIONS.find((verification) => verification === binding) ?? 'valid';
