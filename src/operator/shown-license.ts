import type { Catalog } from '../domain/license/catalog.ts';
import { HOLDS, licenseStanding } from '../domain/license/license.ts';
import { planShown } from '../domain/license/license-filter.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import type { CsvCell } from '../lib/csv.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';
import type { PreviousKey } from '../storage/licenses/previous-keys.ts';
import { sitesAllowed } from './license-domains.ts';

export type ShownLicense = ReturnType<typeof shownLicense>;

/** As much of a key as may be shown again. */
export const shownKey = ({ keyPrefix, keyLast4 }: Pick<LicenseRecord, 'keyPrefix' | 'keyLast4'>): string =>
  `${keyPrefix}…${keyLast4}`;

/** What an operator sees of a license: never its key. */
export function shownLicense(license: LicenseRecord, catalog: Catalog, now: number) {
  const standing = licenseStanding(license, catalog, now);
  const granted = license.operatorTerms ? license : license.granted;
  return {
    license_id: licenseName(license.id),
    key: shownKey(license),
    status: standing.state,
    kind: license.kind,
    environment: license.environment,
    plan: planShown(license, standing),
    sites_allowed: sitesAllowed(license, catalog, now),
    domains: license.domains,
    blocked_domains: license.blockedDomains,
    modules_allowed: [...new Set([...license.modulesAllowed, ...(license.granted?.modulesAllowed ?? [])])],
    modules_denied: license.modulesDenied,
    holds: HOLDS.filter((hold) => license.holds.includes(hold) || license.paymentHolds.includes(hold)),
    payment_hold_from: isoOrNull(license.paymentHoldFrom),
    subscription: license.subscriptionId,
    created_at: iso(license.createdAt),
    expires_at: isoOrNull(standing.expiresAt),
    granted_plan: granted?.plan ?? null,
    granted_until: isoOrNull(granted?.expiresAt ?? null),
    revoked_at: isoOrNull(license.revokedAt),
    note: license.note,
    customer: license.customer,
    email: license.email,
    external_id: license.externalId,
  };
}

/** As operators see a key that was replaced and still works. */
export const shownPreviousKey = (key: PreviousKey | null | undefined) =>
  key ? { key: shownKey(key), works_until: iso(key.worksUntil) } : null;

/** Every fact of a license, as columns of a table. */
export const LICENSE_COLUMNS =
  `license_id key status kind environment plan sites_allowed domains blocked_domains modules_allowed modules_denied holds
  payment_hold_from subscription created_at expires_at granted_plan granted_until revoked_at note customer email external_id`.split(
    /\s+/,
  ) as (keyof ShownLicense)[];

/** The row of a license in such a table. */
export const licenseCells = (shown: ShownLicense): CsvCell[] =>
  LICENSE_COLUMNS.map((name) => {
    const value = shown[name];
    return typeof value === 'object' && value !== null ? value.join(' ') : value;
  });
