import { madeOnce } from '../../lib/made-once.ts';

/** Defines a handler with state between requests. The handler is created once per service. */
export function created<Used extends object, Asked>(create: (parts: Used) => (asked: Asked) => unknown) {
  const handlerOf = madeOnce(create);
  return (asked: Asked, parts: Used): unknown => handlerOf(parts)(asked);
}

/**
 * Defines state that several handlers share. It is created once per service.
 *
 * @returns a function that gives the state to a handler
 */
export function shared<Used extends object, Shared>(create: (parts: Used) => Shared) {
  const sharedOf = madeOnce(create);
  return <Asked>(handle: (shared: Shared, asked: Asked) => unknown) =>
    (asked: Asked, parts: Used): unknown =>
      handle(sharedOf(parts), asked);
}
