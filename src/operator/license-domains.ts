import type { Catalog } from '../domain/catalog.ts';
import { type License, licenseName, licenseStanding, sitesOf } from '../domain/license.ts';
import type { Database } from '../storage/database.ts';
import { type LicenseRecord, readLicensesByDomain } from '../storage/licenses.ts';
import { type Act, type ActOutcome, audited, refusalOfRevoked } from './act.ts';

// Domains here are normalised.

const NAMED_MAX = 5;

/** How many sites a license may have: now, or by its own terms while it is not valid. */
export function sitesAllowed(license: License, catalog: Catalog, now: number): number {
  const standing = licenseStanding(license, catalog, now);
  return standing.valid ? standing.sitesAllowed : sitesOf(license, catalog);
}

/** Tells which other licenses have domains registered, unless they are revoked. */
export function sharedDomains(db: Database, domains: readonly string[], licenseId?: number): string[] {
  const licensesBy = readLicensesByDomain(db);
  return domains.flatMap((domain) => {
    // One more than is told, and perhaps the license itself.
    const others = licensesBy(domain, NAMED_MAX + 2).filter((id) => id !== licenseId);
    if (others.length === 0) return [];
    const named = others.slice(0, NAMED_MAX).map(licenseName).join(', ');
    return `warning: ${domain} is registered for ${named}${others.length > NAMED_MAX ? ' and more' : ''} as well`;
  });
}

/**
 * Registers a domain by the operator's word, while the license has a free site, or confirms by it one that is
 * registered.
 */
export function bindDomain(
  db: Database,
  license: LicenseRecord,
  domain: string,
  catalog: Catalog,
  act: Act,
): ActOutcome {
  const { id, domains } = license;
  const name = licenseName(id);
  const refusal = refusalOfRevoked(license);
  if (refusal) return refusal;
  const allowed = sitesAllowed(license, catalog, act.now);
  if (!domains.includes(domain) && domains.length >= allowed) {
    const more = `redoubt license change ${name} --sites ${domains.length + 1}`;
    return { refused: `${name} has no free site, with ${domains.length} of ${allowed} in use: ${more}` };
  }
  const input = { licenseId: id, domain, now: act.now };
  return {
    ...audited(act, 'license.bind', name, [{ name: 'bindDomain', input }], { after: { domain } }),
    notices: sharedDomains(db, [domain], id),
  };
}

/** Gives a registered domain up. */
export function unbindDomain(license: LicenseRecord, domain: string, act: Act): ActOutcome {
  const { id, domains } = license;
  const name = licenseName(id);
  const refusal = refusalOfRevoked(license);
  if (refusal) return refusal;
  if (!domains.includes(domain)) return { refused: `${domain} is not registered for ${name}` };
  const input = { licenseId: id, domain };
  return audited(act, 'license.unbind', name, [{ name: 'unbindDomain', input }], { before: { domain } });
}
