import { parseEcosystem } from '../domain/vulnerability/ecosystem.ts';
import type { InventoryComponent } from '../domain/vulnerability/inventory.ts';
import { matchComponent } from '../domain/vulnerability/match.ts';
import type { Database } from '../storage/engine/database.ts';
import { eachInventory } from '../storage/inventories.ts';
import type { Snapshot } from '../storage/mirror/open-snapshot.ts';

/** What another snapshot means for the components that tenants have told of. */
export interface ConcernedComponents {
  /** With vulnerabilities that they did not have before. */
  readonly worse: number;
  /** Without vulnerabilities that they had before, and with none instead. */
  readonly better: number;
  /** Sites that have any of these. */
  readonly sites: number;
}

/**
 * Counts the components of this installation's sites of which a snapshot says something else than another.
 *
 * @param before null = there was none
 */
export async function concernedComponents(
  db: Database,
  before: Snapshot | null,
  after: Snapshot,
): Promise<ConcernedComponents> {
  let [worse, better, sites] = [0, 0, 0];
  await eachInventory(db, ({ components }) => {
    let isConcerned = false;
    for (const component of components) {
      const had = before === null ? [] : vulnerabilitiesOf(component, before);
      const has = vulnerabilitiesOf(component, after);
      const isWorse = has.some((names) => !had.some((others) => haveOneInCommon(names, others)));
      const isBetter = !isWorse && had.some((names) => !has.some((others) => haveOneInCommon(names, others)));
      worse += Number(isWorse);
      better += Number(isBetter);
      isConcerned ||= isWorse || isBetter;
    }
    sites += Number(isConcerned);
  });
  return { worse, better, sites };
}

/** The names of each vulnerability of a component. */
function vulnerabilitiesOf(component: InventoryComponent, snapshot: Snapshot): (readonly string[])[] {
  const ecosystem = parseEcosystem(component.ecosystem);
  if (ecosystem === undefined) return [];
  const known = snapshot.recordsOf(component.nameHash);
  return matchComponent(ecosystem, component.version, known).vulnerabilities.map(({ vulnerability }) => {
    const { id, aliases } = snapshot.get(vulnerability);
    return [id, ...aliases];
  });
}

const haveOneInCommon = (names: readonly string[], others: readonly string[]): boolean =>
  names.some((name) => others.includes(name));
