import { lookUpAll } from '../domain/vulnerability/findings.ts';
import type { InventoryComponent } from '../domain/vulnerability/inventory.ts';
import { namesOf } from '../domain/vulnerability/known.ts';
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
  await eachInventory(db, async ({ components }) => {
    const had = before === null ? [] : await vulnerabilitiesOf(components, before);
    const has = await vulnerabilitiesOf(components, after);
    let isConcerned = false;
    for (const at of components.keys()) {
      const [now = [], was = []] = [has[at], had[at]];
      const isWorse = now.some((names) => !was.some((others) => haveOneInCommon(names, others)));
      const isBetter = !isWorse && was.some((names) => !now.some((others) => haveOneInCommon(names, others)));
      worse += Number(isWorse);
      better += Number(isBetter);
      isConcerned ||= isWorse || isBetter;
    }
    sites += Number(isConcerned);
  });
  return { worse, better, sites };
}

/** Of each component the names of each of its vulnerabilities. */
async function vulnerabilitiesOf(
  components: readonly InventoryComponent[],
  snapshot: Snapshot,
): Promise<(readonly string[])[][]> {
  const outcomes = await lookUpAll(snapshot, components);
  return outcomes.map(({ vulnerabilities }) =>
    vulnerabilities.map(({ vulnerability }) => namesOf(snapshot.get(vulnerability))),
  );
}

const haveOneInCommon = (names: readonly string[], others: readonly string[]): boolean =>
  names.some((name) => others.includes(name));
