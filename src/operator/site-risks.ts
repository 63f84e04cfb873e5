import type { DerivedIdentities } from '../domain/identity.ts';
import { isRefusal } from '../domain/refusal.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { ownTurn } from '../lib/own-turn.ts';
import { within } from '../lib/within.ts';
import type { Database } from '../storage/engine/database.ts';
import { countSitesWithoutComponents } from '../storage/sites/sites.ts';
import type { Mirror, MirrorInUse } from '../tasks/mirror.ts';
import { DEADLINE_DAYS_MAX, type UrgentFinding, urgentBySite } from './urgent-findings.ts';

/** Something counted by sites, each once. */
interface Affected {
  readonly ecosystem: string;
  readonly component: string;
  readonly sites: number;
  readonly licenses: number;
}

/** A component with vulnerabilities that have a deadline. */
export interface AffectedComponent extends Affected {
  readonly vulnerabilities: number;
  /** The highest of any site, 0 to 100. */
  readonly risk: number;
  readonly isExploited: boolean;
  /** The version that fixes the most urgent one; undefined where there is none. */
  readonly fixedVersion: string | undefined;
  /** When the first one is due, in milliseconds since the Unix epoch. */
  readonly dueAt: number;
}

/** An overdue vulnerability of a component. */
export interface OverdueComponent extends Affected {
  /** Of the site where it is overdue longest. */
  readonly first: UrgentFinding;
}

/** Vulnerabilities to fix on the sites of all tenants. */
export interface SiteRisks {
  /** The most urgent first, of these those on most sites. */
  readonly affected: readonly AffectedComponent[];
  readonly affectedCount: number;
  /** The first due first. */
  readonly overdue: readonly OverdueComponent[];
  readonly overdueCount: number;
  /** What is due within {@link DUE_SOON_DAYS} or overdue. */
  readonly dueSoon: {
    readonly sites: number;
    /** Names of their licenses, such as `lic_1`. */
    readonly licenses: ReadonlySet<string>;
  };
  /** Sites seen within a day without stored components. */
  readonly sitesWithoutComponents: number;
  /** Whether there are so many that some were left out. */
  readonly isPartial: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly countedAt: number;
}

export interface SiteRisksDesk {
  /**
   * The last counts; undefined before the first, or without imported data. Counts older than a minute, or of other data, are
   * renewed.
   *
   * @param waitMs how long to wait for the first counts
   */
  latest(waitMs?: number): Promise<SiteRisks | 'failed' | undefined>;
  stop(): void;
}

export interface SiteRisksParts {
  readonly db: Database;
  readonly identities: DerivedIdentities;
  readonly mirror: Pick<Mirror, 'current' | 'ask'>;
  readonly clock: Clock;
  readonly log: Log;
}

export const DUE_SOON_DAYS = 3;
const SHOWN_MAX = 50;
const GROUPS_MAX = 20_000;
const FRESH_MS = MINUTE_MS;
/** How long a page waits for the first counts; most installations finish by then. */
const PATIENCE_MS = SECOND_MS;

/** Counts vulnerabilities to fix on all sites in the background, one count at a time. */
export function createSiteRisks({ db, identities, mirror, clock, log }: SiteRisksParts): SiteRisksDesk {
  let counted: { risks: SiteRisks | 'failed'; of: MirrorInUse; at: number } | undefined;
  let counting: Promise<void> | undefined;
  let isStopped = false;

  const count = async () => {
    const at = clock.monotonic();
    await mirror.ask(async (of) => {
      const risks = await countRisks(db, identities, of, clock.now(), () => isStopped).catch((error) => {
        if (isRefusal(error)) throw error;
        log.warn('open vulnerabilities of sites could not be counted', { fault: faultOf(error) });
        return 'failed' as const;
      });
      if (risks !== undefined) counted = { risks, of, at };
    });
    counting = undefined;
  };

  return {
    async latest(waitMs = PATIENCE_MS) {
      const current = await mirror.current();
      if (current === undefined) return undefined;
      const known = counted?.of === current ? counted : undefined;
      if (known !== undefined && clock.monotonic() - known.at < FRESH_MS) return known.risks;
      counting ??= count();
      if (known === undefined) await within(counting, waitMs);
      return counted?.of === current ? counted.risks : undefined;
    },
    stop() {
      isStopped = true;
    },
  };
}

/** Counts sites and licenses that come one after another. */
class Tally {
  sites = 0;
  licenses = 0;
  #site = -1;
  #license = '';

  add(site: number, license: string): void {
    if (site !== this.#site) this.sites += 1;
    if (license !== this.#license) this.licenses += 1;
    this.#site = site;
    this.#license = license;
  }
}

/** @returns undefined when it was stopped */
async function countRisks(
  db: Database,
  identities: DerivedIdentities,
  known: Pick<MirrorInUse, 'data' | 'assertions'>,
  nowMs: number,
  isStopped: () => boolean,
): Promise<SiteRisks | undefined> {
  const affected = new Map<
    string,
    { tally: Tally; names: Set<string>; worst: UrgentFinding; dueAt: number }
  >();
  const overdue = new Map<string, { tally: Tally; first: UrgentFinding }>();
  let isPartial = false;
  const groupIn = <Group>(groups: Map<string, Group>, key: string, make: () => Group): Group | undefined => {
    const group = groups.get(key);
    if (group !== undefined) return group;
    if (groups.size >= GROUPS_MAX) {
      isPartial = true;
      return undefined;
    }
    const made = make();
    groups.set(key, made);
    return made;
  };
  const add = (finding: UrgentFinding, site: number) => {
    const { ecosystem, component, vulnerability, license } = finding;
    const name = `${ecosystem}\n${component}`;
    const ofName = groupIn(affected, name, () => ({
      tally: new Tally(),
      names: new Set<string>(),
      worst: finding,
      dueAt: finding.dueAt,
    }));
    ofName?.tally.add(site, license);
    ofName?.names.add(vulnerability);
    if (ofName && finding.risk > ofName.worst.risk) ofName.worst = finding;
    if (ofName) ofName.dueAt = Math.min(ofName.dueAt, finding.dueAt);
    if (!finding.overdue) return;
    const late = groupIn(overdue, `${name}\n${vulnerability}`, () => ({
      tally: new Tally(),
      first: finding,
    }));
    late?.tally.add(site, license);
    if (late && finding.dueAt < late.first.dueAt) late.first = finding;
  };

  const dueSoon = { sites: 0, licenses: new Set<string>() };
  const soon = nowMs + DUE_SOON_DAYS * DAY_MS;

  let sites = 0;
  for await (const site of urgentBySite(db, identities, known, DEADLINE_DAYS_MAX, nowMs)) {
    sites += 1;
    if (site !== 'revoked') {
      for (const finding of site) add(finding, sites);
      const urgent = site.find(({ dueAt }) => dueAt <= soon);
      if (urgent) {
        dueSoon.sites += 1;
        dueSoon.licenses.add(urgent.license);
      }
    }
    await ownTurn();
    if (isStopped()) return undefined;
  }
  return {
    affected: [...affected.values()]
      .map(({ tally, names, worst, dueAt }) => ({
        ecosystem: worst.ecosystem,
        component: worst.component,
        risk: worst.risk,
        isExploited: worst.exploited,
        fixedVersion: worst.fixedVersions[0],
        dueAt,
        vulnerabilities: names.size,
        sites: tally.sites,
        licenses: tally.licenses,
      }))
      .sort((one, other) => other.risk - one.risk || other.sites - one.sites)
      .slice(0, SHOWN_MAX),
    affectedCount: affected.size,
    overdue: [...overdue.values()]
      .sort(({ first: one }, { first: other }) => one.dueAt - other.dueAt || other.risk - one.risk)
      .slice(0, SHOWN_MAX)
      .map(({ tally, first }) => ({
        ecosystem: first.ecosystem,
        component: first.component,
        first,
        sites: tally.sites,
        licenses: tally.licenses,
      })),
    overdueCount: overdue.size,
    dueSoon,
    sitesWithoutComponents: await countSitesWithoutComponents(db, nowMs - DAY_MS),
    isPartial,
    countedAt: nowMs,
  };
}
