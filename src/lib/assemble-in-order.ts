import type { ArgumentOf } from './argument-of.ts';
import type { Awaitable } from './awaitable.ts';

/** Creates members of a service from existing ones. */
type Assemble = (existing: never) => Awaitable<object>;

/** A part of a service. It is created once from members that persist across reloads, and assembled again on each reload. */
type Part = (lasting: never) => Assemble;

/** The persistent members that these parts need. */
export type LastingOf<Parts extends readonly Part[]> = ArgumentOf<Parts[number]>;

/** All members. If a part needs one that no earlier part has created, a type that causes a compile error. */
type MembersOf<Existing, Parts extends readonly Part[]> = Parts extends readonly [
  (lasting: never) => (existing: infer Needed) => Awaitable<infer Created>,
  ...infer Later extends readonly Part[],
]
  ? Existing extends Needed
    ? MembersOf<Existing & Created, Later>
    : readonly ['a part comes too early, because it needs', Needed]
  : Existing;

/**
 * Creates parts.
 *
 * @returns a function that assembles them in order, each from the given members and those of earlier parts
 */
export function inOrder<const Parts extends readonly Part[]>(
  parts: Parts,
  lasting: LastingOf<Parts>,
): <Given extends object>(given: Given) => Promise<MembersOf<Given, Parts>> {
  const created = parts.map((create) => create(lasting as never));
  return async <Given extends object>(given: Given) => {
    let members: object = given;
    for (const assemble of created) members = { ...members, ...(await assemble(members as never)) };
    return members as MembersOf<Given, Parts>;
  };
}
