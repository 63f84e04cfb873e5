import type { DerivedIdentities } from '../domain/identity.ts';
import { licenseName } from '../domain/license/license.ts';
import type { Database } from '../storage/engine/database.ts';
import { readImportances } from '../storage/importances.ts';
import { readInventories, readToldSites } from '../storage/inventories.ts';
import { readLicenses } from '../storage/licenses.ts';
import { readSignals } from '../storage/signals.ts';
import { judgeComponents, type KnownHere, keptComponents } from '../storage/site-findings.ts';

/** Something that has to be mended on a site of this installation. */
export interface UrgentFinding {
  /** Such as `lic_1`. */
  readonly license: string;
  /** In the operator's words; null when not noted. */
  readonly customer: string | null;
  readonly domain: string;
  readonly component: string;
  readonly version: string;
  readonly vulnerability: string;
  /** Empty = none is known. */
  readonly fixedVersions: readonly string[];
  /** 0 to 100 (most urgent). */
  readonly risk: number;
  /** Milliseconds since the Unix epoch. */
  readonly dueAt: number;
  readonly overdue: boolean;
}

/**
 * What tenants have to mend soon, on all sites that told of their components: as each tenant sees it, what is due first
 * coming first.
 *
 * @param withinDays how long there is for it at most, by its deadline: 3, 14 or 60
 */
export async function urgentFindings(
  db: Database,
  identities: DerivedIdentities,
  known: KnownHere,
  withinDays: number,
  nowMs: number,
): Promise<UrgentFinding[]> {
  const reads = {
    inventories: readInventories(db),
    importances: readImportances(db),
    signals: readSignals(db),
  };
  const licenses = readLicenses(db);
  const urgent: UrgentFinding[] = [];
  for (const site of await readToldSites(db)) {
    const { licenseId, domain } = site;
    const kept = await keptComponents(reads, identities, licenseId, site);
    if (kept === undefined) continue;
    const { findings } = await judgeComponents(kept, known, nowMs);
    const license = findings.length === 0 ? undefined : await licenses.find(licenseId);
    for (const { finding, times } of findings) {
      const { remediateWithinDays: days, score } = finding.risk;
      if (times.dueAt === null || days === null || days > withinDays) continue;
      urgent.push({
        license: licenseName(licenseId),
        customer: license?.customer ?? null,
        domain,
        component: finding.name,
        version: finding.component.version,
        vulnerability: finding.known.id,
        fixedVersions: finding.fixedVersions,
        risk: score,
        dueAt: times.dueAt,
        overdue: times.overdue,
      });
    }
  }
  return urgent.sort((one, other) => one.dueAt - other.dueAt || other.risk - one.risk);
}
