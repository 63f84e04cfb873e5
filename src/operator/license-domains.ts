import { licenseName } from '../domain/license.ts';
import type { LicenseRecord } from '../storage/licenses.ts';
import { type Act, type ActOutcome, audited, refusalOfRevoked } from './act.ts';

// Domains here are normalised.

/** Registers a domain by the operator's word, or confirms by it one that is registered. */
export function bindDomain(license: LicenseRecord, domain: string, act: Act): ActOutcome {
  const { id } = license;
  const input = { licenseId: id, domain, now: act.now };
  return (
    refusalOfRevoked(license) ??
    audited(act, 'license.bind', licenseName(id), [{ name: 'bindDomain', input }], { after: { domain } })
  );
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
