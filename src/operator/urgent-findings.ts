import type { DerivedIdentities } from '../domain/identity.ts';
import { type LicenseState, licenseState } from '../domain/license/license.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Database } from '../storage/engine/database.ts';
import { readLicenses } from '../storage/licenses/licenses.ts';
import { readSignals } from '../storage/signals/signals.ts';
import { countSitesWithoutComponents } from '../storage/sites/sites.ts';
import { readImportances } from '../storage/vulnerabilities/importances.ts';
import { readInventories, reportingSites } from '../storage/vulnerabilities/inventories.ts';
import { judgeComponents, type KnownHere, keptComponents } from '../storage/vulnerabilities/site-findings.ts';

/** The longest deadline of a vulnerability, in days. */
export const DEADLINE_DAYS_MAX = 60;

/** A vulnerability to fix on a site of this installation. */
export interface UrgentFinding {
  /** Such as `lic_1`. */
  readonly license: string;
  /** Never `revoked`. */
  readonly licenseState: LicenseState;
  /** In the operator's words; null when not noted. */
  readonly customer: string | null;
  readonly domain: string;
  readonly ecosystem: string;
  readonly component: string;
  readonly version: string;
  readonly vulnerability: string;
  /** Empty = none is known. */
  readonly fixedVersions: readonly string[];
  /** Whether to look for traces of a break-in before anything is changed. */
  readonly forensics: boolean;
  /** Whether a catalogue or the operator says that it is exploited. */
  readonly exploited: boolean;
  /** 0 to 100 (most urgent). */
  readonly risk: number;
  /** Milliseconds since the Unix epoch. */
  readonly dueAt: number;
  readonly overdue: boolean;
}

/** Vulnerabilities to fix soon, and the number of sites without data. */
export interface UrgentFindings {
  /** What is due first coming first. */
  readonly findings: readonly UrgentFinding[];
  /** Sites seen within a day without stored components. */
  readonly sitesWithoutComponents: number;
  /** Sites with components that are omitted because their licenses are revoked. */
  readonly revokedSites: number;
}

/**
 * Vulnerabilities that tenants must fix soon, on all sites with reported components, as each tenant sees them.
 *
 * @param withinDays the longest deadline: 3, 14 or 60
 */
export async function urgentFindings(
  db: Database,
  identities: DerivedIdentities,
  known: KnownHere,
  withinDays: number,
  nowMs: number,
): Promise<UrgentFindings> {
  const urgent: UrgentFinding[] = [];
  let revokedSites = 0;
  for await (const site of urgentBySite(db, identities, known, withinDays, nowMs)) {
    if (site === 'revoked') revokedSites += 1;
    else urgent.push(...site);
  }
  return {
    findings: urgent.sort((one, other) => one.dueAt - other.dueAt || other.risk - one.risk),
    sitesWithoutComponents: await countSitesWithoutComponents(db, nowMs - DAY_MS),
    revokedSites,
  };
}

/** The same, site by site; a license's sites come one after another. */
export async function* urgentBySite(
  db: Database,
  identities: DerivedIdentities,
  known: KnownHere,
  withinDays: number,
  nowMs: number,
): AsyncGenerator<readonly UrgentFinding[] | 'revoked'> {
  const reads = {
    inventories: readInventories(db),
    importances: readImportances(db),
    signals: readSignals(db),
  };
  const licenses = readLicenses(db);
  for await (const site of reportingSites(db)) {
    const { licenseId, domain } = site;
    const license = await licenses.find(licenseId);
    if (license === undefined || license.revokedAt !== null) {
      yield 'revoked';
      continue;
    }
    const kept = await keptComponents(reads, identities, licenseId, site);
    if (kept === undefined) continue;
    const { findings } = await judgeComponents(kept, known, nowMs);
    const urgent: UrgentFinding[] = [];
    for (const { finding, times } of findings) {
      const { remediateWithinDays: days, score, forensics, decisionPoints } = finding.risk;
      if (times.dueAt === null || days === null || days > withinDays) continue;
      urgent.push({
        license: licenseName(licenseId),
        licenseState: licenseState(license, nowMs),
        customer: license.customer,
        domain,
        ecosystem: finding.component.ecosystem,
        component: finding.name,
        version: finding.component.version,
        vulnerability: finding.known.id,
        fixedVersions: finding.fixedVersions,
        forensics,
        exploited: decisionPoints['cisa:KEV:1.0.0'] === 'yes',
        risk: score,
        dueAt: times.dueAt,
        overdue: times.overdue,
      });
    }
    yield urgent;
  }
}
