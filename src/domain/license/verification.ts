import { normalizeSiteDomain } from '../site/site-domain.ts';
import type { License, Standing } from './license.ts';

/** The outcomes of license/verify, which tell operators why a license is not valid. Callers see only `suspended`. */
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

/** The reason that the caller sees. */
export const disclosedReasonOf = (verification: Verification): 'suspended' | undefined =>
  verification === 'suspended' ? verification : undefined;

/** The outcome for a key, before its domain is checked; without a standing the key is unknown. */
export function verificationOf(standing: Pick<Standing, 'state'> | undefined): Verification {
  if (standing === undefined) return 'unknown_key';
  const { state } = standing;
  return state === 'active' || state === 'trial' ? 'valid' : state;
}

/** The relation of a domain to a license: the last three are refused, and a free site is registered on first use. */
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

/** The relation of a client's domain to a license with so many sites. */
export function bindingOf(
  { environment, domains, blockedDomains }: Pick<License, 'environment' | 'domains' | 'blockedDomains'>,
  sitesAllowed: number,
  text: string,
  stagingDomains: readonly string[],
): DomainBinding {
  // Sites usually send a registered name unchanged, which needs no parsing.
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

/** The outcome of license/verify for a valid license, after a free site is registered. */
export const admissionOf = (binding: Binding): Verification =>
  VERIFICATIONS.find((verification) => verification === binding) ?? 'valid';
