import { assessRisk } from '../domain/risk/risk.ts';
import { exposureOf } from '../domain/vulnerability/exposure.ts';
import { assertionAbout, lookUpAll } from '../domain/vulnerability/findings.ts';
import type { InventoryComponent } from '../domain/vulnerability/inventory.ts';
import { namesOf } from '../domain/vulnerability/known.ts';
import type { ComponentVulnerability } from '../domain/vulnerability/match.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Snapshot } from '../storage/mirror/open-snapshot.ts';
import { type Assertions, readAssertions } from '../storage/vulnerabilities/assertions.ts';
import { eachInventory } from '../storage/vulnerabilities/inventories.ts';

/** The effect of another snapshot on the reported components. Each is counted at most once. */
export interface ConcernedComponents {
  /** With vulnerabilities that they did not have before. */
  readonly worse: number;
  /** With the same vulnerabilities, of which one has a higher risk score, as it is exploited or likelier to be. */
  readonly moreUrgent: number;
  /** Without vulnerabilities that they had before, and with none instead. */
  readonly better: number;
  /** Sites that have any of these. */
  readonly sites: number;
}

/** A vulnerability of a component in one snapshot. */
interface Found {
  readonly names: readonly string[];
  /** See Risk; where nothing is known of the site. */
  readonly score: number;
}

/**
 * Counts the components of this installation's sites for which two snapshots differ.
 *
 * @param before null = there was none
 */
export async function concernedComponents(
  db: Database,
  before: Snapshot | null,
  after: Snapshot,
): Promise<ConcernedComponents> {
  const assertions = await readAssertions(db)();
  const foundBefore = before === null ? undefined : finder(before, assertions);
  const foundAfter = finder(after, assertions);
  const counts = { worse: 0, moreUrgent: 0, better: 0 };
  let sites = 0;
  await eachInventory(db, async ({ components }) => {
    const had = (await foundBefore?.(components)) ?? [];
    const has = await foundAfter(components);
    const changes = components.flatMap((_, at) => changeBetween(had[at] ?? [], has[at] ?? []) ?? []);
    for (const change of changes) counts[change] += 1;
    sites += Number(changes.length > 0);
  });
  return { ...counts, sites };
}

/** The change of one component; undefined = none. */
function changeBetween(
  was: readonly Found[],
  now: readonly Found[],
): Exclude<keyof ConcernedComponents, 'sites'> | undefined {
  const same = (one: Found, others: readonly Found[]) =>
    others.find(({ names }) => one.names.some((name) => names.includes(name)));
  if (now.some((one) => same(one, was) === undefined)) return 'worse';
  if (now.some((one) => one.score > (same(one, was)?.score ?? 0))) return 'moreUrgent';
  return was.some((one) => same(one, now) === undefined) ? 'better' : undefined;
}

/** @returns a function that finds the vulnerabilities of each of some components */
function finder(snapshot: Snapshot, assertions: Assertions) {
  // The same plugin runs on many sites.
  const judged = new Map<string, Found>();
  const judge = (
    { ecosystem, status }: InventoryComponent,
    { vulnerability, name }: ComponentVulnerability,
  ): Found => {
    const exposure = exposureOf({ ecosystem, name, status }, null);
    const key = `${vulnerability} ${exposure}`;
    const known = judged.get(key);
    if (known !== undefined) return known;
    const { facts, ...identity } = snapshot.get(vulnerability);
    const assertedExploitation = assertionAbout(identity, assertions)?.exploitation ?? null;
    const { score } = assessRisk({
      ...facts,
      assertedExploitation,
      exposure,
      importance: null,
      component: null,
    });
    const found = { names: namesOf(identity), score };
    judged.set(key, found);
    return found;
  };
  return async (components: readonly InventoryComponent[]): Promise<(readonly Found[])[]> =>
    (await lookUpAll(snapshot, components)).map(({ vulnerabilities }, at) =>
      vulnerabilities.flatMap((one) => {
        const component = components[at];
        return component === undefined ? [] : judge(component, one);
      }),
    );
}
