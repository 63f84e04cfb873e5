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

/** Whether it was found valid, as logs and metrics say it. */
export const outcomeOf = (verification: Verification): 'valid' | 'invalid' =>
  verification === 'valid' ? 'valid' : 'invalid';

/** Why it was not; undefined when it was. */
export const reasonOf = (verification: Verification): Exclude<Verification, 'valid'> | undefined =>
  verification === 'valid' ? undefined : verification;
