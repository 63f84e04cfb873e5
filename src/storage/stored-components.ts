import type { InventoryComponent } from '../domain/vulnerability/inventory.ts';

/** Without the names of the fields, which would take nearly as much room as what stands in them. */
type StoredComponent = readonly [
  ecosystem: string,
  name: string | null,
  nameHash: string,
  version: string,
  status: InventoryComponent['status'],
  since: number,
  firstSeen: Readonly<Record<string, number>>,
];

/** The text in which components are stored, in their order. */
export const storeComponents = (components: readonly InventoryComponent[]): string =>
  JSON.stringify(
    components.map(
      ({ ecosystem, name, nameHash, version, status, since, firstSeen }): StoredComponent => [
        ecosystem,
        name,
        nameHash,
        version,
        status,
        since,
        firstSeen,
      ],
    ),
  );

/** The components of such a text; undefined when it is none. */
export function parseComponents(text: string): InventoryComponent[] | undefined {
  const stored = parsed(text);
  if (!Array.isArray(stored) || !stored.every(isStored)) return undefined;
  return stored.map(([ecosystem, name, nameHash, version, status, since, firstSeen]) => ({
    ecosystem,
    name,
    nameHash,
    version,
    status,
    since,
    firstSeen,
  }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isStored(value: unknown): value is StoredComponent {
  if (!Array.isArray(value) || value.length !== 7) return false;
  const [ecosystem, name, nameHash, version, status, since, firstSeen]: unknown[] = value;
  return (
    [ecosystem, name ?? '', nameHash, version].every((text) => typeof text === 'string') &&
    (status === 'active' || status === 'inactive') &&
    Number.isSafeInteger(since) &&
    isObject(firstSeen) &&
    Object.values(firstSeen).every(Number.isSafeInteger)
  );
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
