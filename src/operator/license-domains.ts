import type { Catalog } from '../domain/license/catalog.ts';
import { type License, licenseStanding, sitesOf } from '../domain/license/license.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { ownTurn } from '../lib/own-turn.ts';
import type { Database } from '../storage/engine/database.ts';
import { type LicenseRecord, readLicensesByDomain } from '../storage/licenses/licenses.ts';
import { type Act, type ActOutcome, audited, refusalOfRevoked, unchanged } from './act.ts';

// Domains here are normalised.

const NAMED_MAX = 5;
const DOMAINS_PER_TURN = 500;
/** The server keeps them in memory with the license. */
const BLOCKED_MAX = 1_000;

/** How many sites a license may have: now, or by its own terms while it is not valid. */
export function sitesAllowed(license: License, catalog: Catalog, now: number): number {
  const standing = licenseStanding(license, catalog, now);
  return standing.valid ? standing.sitesAllowed : sitesOf(license, catalog);
}

/** Reports which other unrevoked licenses have domains registered. */
export async function sharedDomains(
  db: Database,
  domains: readonly string[],
  licenseId?: number,
): Promise<string[]> {
  const licensesBy = readLicensesByDomain(db);
  const notices: string[] = [];
  for (const [at, domain] of domains.entries()) {
    if (at % DOMAINS_PER_TURN === DOMAINS_PER_TURN - 1) await ownTurn();
    // One more than is shown, and perhaps the license itself.
    const others = (await licensesBy(domain, NAMED_MAX + 2)).filter((id) => id !== licenseId);
    if (others.length === 0) continue;
    const named = others.slice(0, NAMED_MAX).map(licenseName).join(', ');
    const more = others.length > NAMED_MAX ? ' and more' : '';
    notices.push(`warning: ${domain} is also registered for ${named}${more}`);
  }
  return notices;
}

/** Registers a domain on the operator's behalf, if a site is free, or confirms a registered one. */
export async function bindDomain(
  db: Database,
  license: LicenseRecord,
  domain: string,
  catalog: Catalog,
  act: Act,
): Promise<ActOutcome> {
  const { id, domains } = license;
  const name = licenseName(id);
  const refusal = refusalOfRevoked(license);
  if (refusal) return refusal;
  const allowed = sitesAllowed(license, catalog, act.now);
  if (license.blockedDomains.includes(domain)) {
    return {
      refused: `this domain is blocked for ${name}. Allow it with redoubt license unblock ${name} --domain <domain>`,
    };
  }
  if (!domains.includes(domain) && domains.length >= allowed) {
    const more = `redoubt license change ${name} --sites ${domains.length + 1}`;
    return { refused: `${name} uses ${domains.length} of ${allowed} sites. Raise the limit with ${more}` };
  }
  const input = { licenseId: id, domain, now: act.now };
  return {
    ...audited(act, 'license.bind', name, [{ name: 'bindDomain', input }], { after: { domain } }),
    notices: await sharedDomains(db, [domain], id),
  };
}

/**
 * Releases a registered domain.
 *
 * @param blocks whether to block it afterwards
 */
export function unbindDomain(license: LicenseRecord, domain: string, blocks: boolean, act: Act): ActOutcome {
  const { id, domains } = license;
  const name = licenseName(id);
  const refusal = refusalOfRevoked(license);
  if (refusal) return refusal;
  if (!domains.includes(domain)) return { refused: `this domain is not registered for ${name}` };
  if (blocks) return blockDomain(license, domain, act);
  const input = { licenseId: id, domain, now: act.now };
  return audited(act, 'license.unbind', name, [{ name: 'unbindDomain', input }], { before: { domain } });
}

/** Releases a registered domain, and prevents the license's sites from registering it again. */
export function blockDomain(license: LicenseRecord, domain: string, act: Act): ActOutcome {
  const { id, environment, domains, blockedDomains } = license;
  const name = licenseName(id);
  const refusal = refusalOfRevoked(license);
  if (refusal) return refusal;
  if (environment === 'test') return { refused: `${name} is a test license, which is not bound to domains` };
  if (blockedDomains.includes(domain)) return unchanged(`${domain} is already blocked for ${name}`);
  if (blockedDomains.length >= BLOCKED_MAX) {
    return {
      refused: `the limit of ${BLOCKED_MAX} blocked domains of ${name} is reached. Suspend or revoke it`,
    };
  }
  const input = { licenseId: id, domain, now: act.now };
  return audited(act, 'license.block', name, [{ name: 'blockDomain', input }], {
    ...(domains.includes(domain) ? { before: { domain } } : {}),
    after: { blockedDomain: domain },
  });
}

/** Lets a blocked domain be registered again. */
export function unblockDomain(license: LicenseRecord, domain: string, act: Act): ActOutcome {
  const { id, blockedDomains } = license;
  const name = licenseName(id);
  const refusal = refusalOfRevoked(license);
  if (refusal) return refusal;
  if (!blockedDomains.includes(domain)) return { refused: `this domain is not blocked for ${name}` };
  const jobs = [{ name: 'unblockDomain', input: { licenseId: id, domain } }] as const;
  return audited(act, 'license.unblock', name, jobs, { before: { blockedDomain: domain } });
}
