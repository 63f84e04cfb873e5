import { admissionOf, type Binding, bindingOf, verificationOf } from '../../domain/license/verification.ts';
import type { Explanation } from '../../operator/explain-license.ts';
import type { RefusedDomain } from '../../storage/licenses/refused-domains.ts';

/** A refused domain, and its current relation to the license. */
export interface RefusedNow extends RefusedDomain {
  readonly binding: Binding;
  /** Whether it would be refused again. */
  readonly isRefused: boolean;
}

/** Returns the refused domains of a license with their current state, because they may be accepted by now. */
export function refusedNow(explanation: Explanation, stagingDomains: readonly string[]): RefusedNow[] {
  const { license, standing, sites, refusedDomains } = explanation;
  const isValid = verificationOf(standing) === 'valid';
  return refusedDomains.map((refused) => {
    const { binding } = bindingOf(license, sites.allowed, refused.domain, stagingDomains);
    return { ...refused, binding, isRefused: !isValid || admissionOf(binding) !== 'valid' };
  });
}

/** Returns the domains that would be refused again. */
export const stillRefused = (refused: readonly RefusedNow[]): RefusedNow[] =>
  refused.filter(({ isRefused }) => isRefused);
