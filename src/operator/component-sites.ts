import type { DerivedIdentities } from '../domain/identity.ts';
import { type Clock, MINUTE_MS } from '../lib/clock.ts';
import { FreshValues } from '../lib/fresh-values.ts';
import { ownTurn } from '../lib/own-turn.ts';
import { Turns } from '../lib/turns.ts';
import type { Database } from '../storage/engine/database.ts';
import type { KnownHere } from '../storage/vulnerabilities/site-findings.ts';
import type { Mirror } from '../tasks/mirror.ts';
import { type Act, type ActOutcome, audited } from './act.ts';
import { DEADLINE_DAYS_MAX, type UrgentFinding, urgentBySite } from './urgent-findings.ts';

/** A component, by its ecosystem and the name that the vulnerability data has for it. */
export interface NamedComponent {
  readonly ecosystem: string;
  readonly component: string;
}

/** The sites on which a component has a vulnerability with a deadline. */
export interface ComponentSites {
  /** Due first, at most {@link SHOWN_MAX}. */
  readonly findings: readonly UrgentFinding[];
  readonly findingCount: number;
  readonly sites: number;
  /** Names of their licenses, such as `lic_1`. */
  readonly licenses: ReadonlySet<string>;
  /** Milliseconds since the Unix epoch. */
  readonly countedAt: number;
}

interface ComponentSiteParts {
  readonly db: Database;
  readonly identities: DerivedIdentities;
  readonly mirror: Pick<Mirror, 'ask'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

const SHOWN_MAX = 500;
const REMEMBERED_MAX = 20;

const byDeadline = (one: UrgentFinding, other: UrgentFinding): number =>
  one.dueAt - other.dueAt || other.risk - one.risk;

/** Yields the findings of a component site by site, each in a turn of its own. */
export async function* findingsOfComponent(
  { db, identities, clock }: Pick<ComponentSiteParts, 'db' | 'identities' | 'clock'>,
  known: KnownHere,
  { ecosystem, component }: NamedComponent,
): AsyncGenerator<readonly UrgentFinding[]> {
  for await (const site of urgentBySite(db, identities, known, DEADLINE_DAYS_MAX, clock.now())) {
    await ownTurn();
    if (site === 'revoked') continue;
    const found = site.filter((each) => each.ecosystem === ecosystem && each.component === component);
    if (found.length > 0) yield found;
  }
}

/**
 * Returns a function that finds the sites of a component; undefined without vulnerability data. A result is reused for a
 * minute, because all sites are read for it.
 */
export function createComponentSites(parts: ComponentSiteParts) {
  const { mirror, clock } = parts;
  // One at a time, because each reads all sites.
  const turns = new Turns();
  const find = async (known: KnownHere, named: NamedComponent): Promise<ComponentSites> => {
    const countedAt = clock.now();
    const licenses = new Set<string>();
    let findings: UrgentFinding[] = [];
    let [sites, findingCount] = [0, 0];
    for await (const found of findingsOfComponent(parts, known, named)) {
      sites += 1;
      findingCount += found.length;
      for (const { license } of found) licenses.add(license);
      findings.push(...found);
      if (findings.length > 2 * SHOWN_MAX) findings = findings.sort(byDeadline).slice(0, SHOWN_MAX);
    }
    return {
      findings: findings.sort(byDeadline).slice(0, SHOWN_MAX),
      findingCount,
      sites,
      licenses,
      countedAt,
    };
  };
  const fresh = new FreshValues(
    (key: string) => turns.take(() => mirror.ask((known) => find(known, JSON.parse(key) as NamedComponent))),
    { freshMs: MINUTE_MS, max: REMEMBERED_MAX, monotonic: clock.monotonic },
  );
  return async ({ ecosystem, component }: NamedComponent): Promise<ComponentSites | undefined> =>
    fresh.get(JSON.stringify({ ecosystem, component }));
}

/** Records that the sites of a component are exported, before they are. */
export const exportComponentSites = ({ ecosystem, component }: NamedComponent, act: Act): ActOutcome =>
  audited(act, 'vulnerabilities.export', null, [], { after: { ecosystem, component } });
