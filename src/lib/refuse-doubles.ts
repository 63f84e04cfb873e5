import { Fault } from './fault.ts';

/** A part of the service that is looked up by name. */
export interface Named {
  readonly name: string;
  /** Where it is defined, for developers. */
  readonly place: string;
}

/**
 * Refuses two parts with the same name, of which the last would silently replace the other.
 *
 * @param kind of part, such as `table`
 * @throws Fault that names both places
 */
export function refuseDoubles(kind: string, parts: Iterable<Named>): void {
  const places = new Map<string, string>();
  for (const { name, place } of parts) {
    const other = places.get(name);
    if (other !== undefined) throw new Fault(`two ${kind}s are named "${name}": in ${other} and in ${place}`);
    places.set(name, place);
  }
}
