import type { DerivedIdentities } from '../../domain/identity.ts';
import type { OverdueVulnerability } from '../../domain/posture/overdue-vulnerabilities.ts';
import type { VulnerabilityCounts } from '../../domain/site/score-factors.ts';
import { isOfHost, type PublicServices, publicServicesOf } from '../../domain/vulnerability/exposure.ts';
import {
  type ComponentFinding,
  type ComponentOutcome,
  type FindingTimes,
  judgeAll,
  lookUpAll,
  NO_SURROUNDINGS,
  type Surroundings,
  timesOf,
} from '../../domain/vulnerability/findings.ts';
import { firstSeenAt, type InventoryComponent } from '../../domain/vulnerability/inventory.ts';
import type { VulnerabilityData } from '../../domain/vulnerability/known.ts';
import type { SignalReads } from '../signals/signals.ts';
import { latestMeasures } from '../sites/latest-measures.ts';
import type { ImportanceReads } from './importances.ts';
import type { InventoryReads, KeptInventory } from './inventories.ts';

/** A site of a license. */
export interface AskedSite {
  readonly id: number;
  readonly publicId: string;
}

/** The findings in the last reported components of a site. */
export interface SiteFindings {
  /** When they were reported, in milliseconds since the Unix epoch. */
  readonly inventoryAt: number;
  readonly outcomes: readonly ComponentOutcome[];
  /** In the order of the components. */
  readonly findings: readonly {
    readonly finding: ComponentFinding<InventoryComponent>;
    readonly times: FindingTimes;
  }[];
}

/** The current vulnerability data and operators' assertions. */
export interface KnownHere extends Pick<Surroundings, 'assertions'> {
  readonly data: VulnerabilityData;
}

/** The stored components of a site, and where they run. */
export interface KeptComponents extends KeptInventory {
  readonly surroundings: Omit<Surroundings, 'assertions'>;
}

/** The data for evaluating a site's components. */
export interface ComponentReads {
  readonly inventories: InventoryReads;
  readonly importances: ImportanceReads;
  readonly signals: SignalReads;
}

/** Reads the reported components of a site; undefined without any. */
export async function keptComponents(
  data: ComponentReads,
  identities: DerivedIdentities,
  licenseId: number,
  site: AskedSite,
): Promise<KeptComponents | undefined> {
  const inventory = await data.inventories.ofSite(licenseId, site.id);
  if (inventory === undefined) return undefined;
  const services = inventory.components.some(({ ecosystem }) => isOfHost(ecosystem))
    ? await publicServices(data, identities, licenseId, site.publicId)
    : null;
  const importance = await data.importances.ofSite(licenseId, site.id);
  return { ...inventory, surroundings: { ...NO_SURROUNDINGS, ...importance, services } };
}

/** Evaluates a site's components with the current vulnerability data. */
export async function judgeComponents(
  { components, receivedAt, surroundings }: KeptComponents,
  { data, assertions }: KnownHere,
  nowMs: number,
): Promise<SiteFindings> {
  const outcomes = await lookUpAll(data, components);
  const findings = await judgeAll(data, components, outcomes, { ...surroundings, assertions });
  return {
    inventoryAt: receivedAt,
    outcomes,
    findings: findings.map((finding) => ({
      finding,
      times: timesOf(finding, firstSeenAt(finding.component, finding.known), nowMs),
    })),
  };
}

/** The findings that need action: those that no supplier declares not affected. */
export const openFindings = ({ findings }: Pick<SiteFindings, 'findings'>): SiteFindings['findings'] =>
  findings.filter(({ finding }) => finding.notAffected === null);

/** Counts open findings by urgency. */
export function countByDecision(found: SiteFindings): VulnerabilityCounts {
  const decisions = openFindings(found).map(({ finding }) => finding.risk.decision);
  const [act, attend] = (['act', 'attend'] as const).map(
    (wanted) => decisions.filter((decision) => decision === wanted).length,
  ) as [number, number];
  return { act, attend, other: decisions.length - act - attend };
}

/** The findings that were not fixed in time. */
export const overdueIn = ({ findings }: SiteFindings): OverdueVulnerability[] =>
  findings.flatMap(({ finding: { known, name, risk }, times: { overdue, dueAt } }) =>
    overdue && dueAt !== null && risk.remediateWithinDays !== null
      ? [{ id: known.id, component: name, dueAt, withinDays: risk.remediateWithinDays }]
      : [],
  );

/** The publicly reachable services in the newest signal of a server; null without a signal, or when it lacks them. */
async function publicServices(
  data: ComponentReads,
  identities: DerivedIdentities,
  licenseId: number,
  publicId: string,
): Promise<PublicServices | null> {
  const [measure] = await latestMeasures(data, identities, licenseId, publicId, ['server_guard']);
  return publicServicesOf(measure?.record.listeningServices);
}
