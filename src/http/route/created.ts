import { madeOnce } from '../../lib/made-once.ts';

/** A handler that keeps something from request to request, created once for a service. */
export function created<Used extends object, Asked>(create: (parts: Used) => (asked: Asked) => unknown) {
  const handlerOf = madeOnce(create);
  return (asked: Asked, parts: Used): unknown => handlerOf(parts)(asked);
}

/**
 * Creates what the handlers of several routes share, once for a service.
 *
 * @returns a function that makes a handler of one that also takes what is shared
 */
export function shared<Used extends object, Shared>(create: (parts: Used) => Shared) {
  const sharedOf = madeOnce(create);
  return <Asked>(handle: (shared: Shared, asked: Asked) => unknown) =>
    (asked: Asked, parts: Used): unknown =>
      handle(sharedOf(parts), asked);
}
