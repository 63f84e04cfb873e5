import type { DomainControl } from '../domain/domain-control/control.ts';
import { licenseName } from '../domain/license/license-name.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';
import { type Act, type ActOutcome, audited, refusalOfRevoked, unchanged } from './act.ts';

// Domains here are normalised.

/** Plans to store an operator's attestation that a license controls a registered domain. */
export function vouchForDomain(
  license: LicenseRecord,
  domain: string,
  control: DomainControl | undefined,
  act: Act,
): ActOutcome {
  const { id, domains } = license;
  const name = licenseName(id);
  const refusal = refusalOfRevoked(license);
  if (refusal) return refusal;
  if (!domains.includes(domain)) {
    return {
      refused: `this domain is not registered for ${name}. Register it with redoubt license bind ${name} --domain <domain>`,
    };
  }
  if (control?.method === 'operator') return unchanged(`${domain} is already attested`);
  const job = { name: 'vouchForDomain', input: { licenseId: id, domain, now: act.now } } as const;
  return audited(act, 'license.verify-domain', name, [job], {
    before: { domain, control: control?.method ?? null },
    after: { domain, control: 'operator' },
  });
}

/** Plans to withdraw that attestation; the license can then prove its control itself. */
export function withdrawVouching(
  license: LicenseRecord,
  domain: string,
  control: DomainControl | undefined,
  act: Act,
): ActOutcome {
  const name = licenseName(license.id);
  if (control?.method !== 'operator') return { refused: `this domain of ${name} is not attested` };
  const job = { name: 'forgetControl', input: { licenseId: license.id, domain } } as const;
  return audited(act, 'license.verify-domain', name, [job], {
    before: { domain, control: 'operator' },
    after: { domain, control: null },
  });
}
