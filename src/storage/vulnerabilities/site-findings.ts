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

/** What was found in the components that a site told of last. */
export interface SiteFindings {
  /** When it told of them, in milliseconds since the Unix epoch. */
  readonly inventoryAt: number;
  readonly outcomes: readonly ComponentOutcome[];
  /** In the order of the components. */
  readonly findings: readonly {
    readonly finding: ComponentFinding<InventoryComponent>;
    readonly times: FindingTimes;
  }[];
}

/** What is imported, and what the operator says of it. */
export interface KnownHere extends Pick<Surroundings, 'assertions'> {
  readonly data: VulnerabilityData;
}

/** What is kept of a site's components and of where they run. */
export interface KeptComponents extends KeptInventory {
  readonly surroundings: Omit<Surroundings, 'assertions'>;
}

/** What a site's components are judged by. */
export interface ComponentReads {
  readonly inventories: InventoryReads;
  readonly importances: ImportanceReads;
  readonly signals: SignalReads;
}

/** Reads what a site told of its components; undefined when it told of none. */
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

/** Judges a site's components by what is imported now. */
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

/** The findings that there is something to do about: those that no supplier calls not affected. */
export const openFindings = ({ findings }: Pick<SiteFindings, 'findings'>): SiteFindings['findings'] =>
  findings.filter(({ finding }) => finding.notAffected === null);

/** Counts open findings by how urgent they are. */
export function countByDecision(found: SiteFindings): VulnerabilityCounts {
  const decisions = openFindings(found).map(({ finding }) => finding.risk.decision);
  const [act, attend] = (['act', 'attend'] as const).map(
    (wanted) => decisions.filter((decision) => decision === wanted).length,
  ) as [number, number];
  return { act, attend, other: decisions.length - act - attend };
}

/** The findings that were not mended in time. */
export const overdueIn = ({ findings }: SiteFindings): OverdueVulnerability[] =>
  findings.flatMap(({ finding: { known, name, risk }, times: { overdue, dueAt } }) =>
    overdue && dueAt !== null && risk.remediateWithinDays !== null
      ? [{ id: known.id, component: name, dueAt, withinDays: risk.remediateWithinDays }]
      : [],
  );

/** What the newest signal of a server says of services that the public can reach; null when none came, or it does not say. */
async function publicServices(
  data: ComponentReads,
  identities: DerivedIdentities,
  licenseId: number,
  publicId: string,
): Promise<PublicServices | null> {
  const [measure] = await latestMeasures(data, identities, licenseId, publicId, ['server_guard']);
  return publicServicesOf(measure?.record.listeningServices);
}
