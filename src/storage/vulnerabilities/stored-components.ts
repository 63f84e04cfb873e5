import type { GoneComponent, Inventory, InventoryComponent } from '../../domain/vulnerability/inventory.ts';

/** Without field names, which would take nearly as much room as the values. */
type StoredComponent = readonly [
  ecosystem: string,
  name: string | null,
  nameHash: string,
  version: string,
  status: InventoryComponent['status'],
  since: number,
  firstSeen: Readonly<Record<string, number>>,
  activeSince: number | null,
  goneAt: number | null,
];

const stored = (component: InventoryComponent, goneAt: number | null): StoredComponent => {
  const { ecosystem, name, nameHash, version, status, since, firstSeen, activeSince } = component;
  return [ecosystem, name, nameHash, version, status, since, firstSeen, activeSince, goneAt];
};

/** Serializes components, in order. */
export const storeComponents = ({ components, gone }: Inventory): string =>
  JSON.stringify([
    ...components.map((component) => stored(component, null)),
    ...gone.map((component) => stored(component, component.goneAt)),
  ]);

/**
 * Parses such a text; undefined for an invalid one.
 *
 * @param receivedAt when it was received. Later times in it come from a clock that ran ahead, and would delay what is due.
 */
export function parseComponents(text: string, receivedAt: number): Inventory | undefined {
  const list = parsed(text);
  if (!Array.isArray(list) || !list.every(isStored)) return undefined;
  const components: InventoryComponent[] = [];
  const gone: GoneComponent[] = [];
  const past = (moment: number): number => Math.min(moment, receivedAt);
  for (const [ecosystem, name, nameHash, version, status, since, firstSeen, activeSince, goneAt] of list) {
    const component = {
      ecosystem,
      name,
      nameHash,
      version,
      status,
      since: past(since),
      firstSeen: Object.values(firstSeen).every((at) => at <= receivedAt)
        ? firstSeen
        : Object.fromEntries(Object.entries(firstSeen).map(([id, at]) => [id, past(at)])),
      activeSince: activeSince === null ? null : past(activeSince),
    };
    if (goneAt === null) components.push(component);
    else gone.push({ ...component, name: null, goneAt: past(goneAt) });
  }
  return { components, gone };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isStored(value: unknown): value is StoredComponent {
  if (!Array.isArray(value) || value.length !== 9) return false;
  const [ecosystem, name, nameHash, version, status, since, firstSeen, activeSince, goneAt]: unknown[] =
    value;
  return (
    [ecosystem, name ?? '', nameHash, version].every((text) => typeof text === 'string') &&
    (status === 'active' || status === 'inactive') &&
    [since, activeSince ?? 0, goneAt ?? 0].every(Number.isSafeInteger) &&
    isObject(firstSeen) &&
    Object.values(firstSeen).every(Number.isSafeInteger)
  );
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
