import type { Severity } from '../severity.ts';
import { addChanges, type FindingChanges, NO_CHANGES } from '../vulnerability/finding-changes.ts';
import type { NotificationType } from './event.ts';

/** Changes of the vulnerabilities on a license's sites. */
export interface LicenseFindings {
  readonly licenseId: number;
  /** As noted of the license. */
  readonly customer: string | null;
  readonly changes: FindingChanges;
  /** How many sites have any of each kind of change. */
  readonly sites: FindingChanges;
}

/**
 * Adds the changes of one site, at least one, to those of its license.
 *
 * @param known those of its other sites; undefined = none
 */
export function addToFindings(
  known: LicenseFindings | undefined,
  licenseId: number,
  ofSite: readonly FindingChanges[],
): LicenseFindings {
  const { changes, sites } = known ?? { changes: NO_CHANGES, sites: NO_CHANGES };
  const sum = ofSite.reduce(addChanges, NO_CHANGES);
  const affected = {
    found: Math.min(sum.found, 1),
    exploited: Math.min(sum.exploited, 1),
    fixed: Math.min(sum.fixed, 1),
  };
  return { licenseId, customer: null, changes: addChanges(changes, sum), sites: addChanges(sites, affected) };
}

/** All of some licenses together. */
export function totalFindings(all: readonly LicenseFindings[]): Pick<LicenseFindings, 'changes' | 'sites'> {
  let [changes, sites] = [NO_CHANGES, NO_CHANGES];
  for (const one of all) {
    changes = addChanges(changes, one.changes);
    sites = addChanges(sites, one.sites);
  }
  return { changes, sites };
}

/** An exploited vulnerability is the most urgent event for a tenant. */
export const FINDING_EVENTS = [
  { change: 'found', type: 'vulnerability.found', severity: 'medium' },
  { change: 'exploited', type: 'vulnerability.exploited', severity: 'critical' },
  { change: 'fixed', type: 'vulnerability.fixed', severity: 'info' },
] as const satisfies readonly {
  change: keyof FindingChanges;
  type: NotificationType;
  severity: Severity;
}[];
