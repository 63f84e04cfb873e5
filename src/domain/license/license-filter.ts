import type { Catalog, Plan } from './catalog.ts';
import { type License, type LicenseState, licenseStanding, type Standing } from './license.ts';

/** An operator's filter of licenses; an omitted field matches all. */
export interface LicenseFilter {
  readonly state?: LicenseState | undefined;
  /** See `planShown`. */
  readonly plan?: Plan | undefined;
  /** Registered, normalised. */
  readonly domain?: string | undefined;
  /** Not revoked, and its current terms end within so many milliseconds. */
  readonly endsWithinMs?: number | undefined;
  /** Not revoked, and no site has reported for a day, or there is none. */
  readonly silent?: boolean | undefined;
}

/** The plan to show to an operator: the plan in force, or the license's own while it is not valid. */
export const planShown = ({ plan }: License, standing: Standing): Plan =>
  standing.valid ? standing.plan : plan;

/** Whether a license passes a filter, except for `silent`. */
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
