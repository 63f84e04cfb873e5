import type { Catalog, Plan } from './catalog.ts';
import { type License, type LicenseState, licenseStanding, type Standing } from './license.ts';

/** Which licenses an operator looks for; what is left out does not matter. */
export interface LicenseFilter {
  readonly state?: LicenseState | undefined;
  /** See `planShown`. */
  readonly plan?: Plan | undefined;
  /** Registered, normalised. */
  readonly domain?: string | undefined;
  /** Not revoked, and what it has ends within so many milliseconds from now. */
  readonly endsWithinMs?: number | undefined;
  /** Not revoked, and none of its sites was heard of for a day, also where it has none. */
  readonly silent?: boolean | undefined;
}

/** The plan that an operator is shown: what holds now, or the license's own while it is not valid. */
export const planShown = ({ plan }: License, standing: Standing): Plan =>
  standing.valid ? standing.plan : plan;

/** Whether a filter lets a license through, by what is derived from its facts: by all of it but `silent`. */
export function passes(license: License, filter: LicenseFilter, catalog: Catalog, nowMs: number): boolean {
  const { state, plan, domain, endsWithinMs } = filter;
  const standing = licenseStanding(license, catalog, nowMs);
  if (state !== undefined && standing.state !== state) return false;
  if (plan !== undefined && planShown(license, standing) !== plan) return false;
  if (domain !== undefined && !license.domains.includes(domain)) return false;
  if (endsWithinMs === undefined) return true;
  const { expiresAt } = standing;
  const endsSoon = expiresAt !== null && expiresAt > nowMs && expiresAt <= nowMs + endsWithinMs;
  return endsSoon && standing.state !== 'revoked';
}
