/**
 * Goes on with a value: at once where it is there, else when it comes. Awaiting what is there costs a promise and a turn,
 * which shows on a route that answers from memory.
 *
 * @returns what the next step returns, or a promise of it
 */
export function whenReady<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next,
): Next | Promise<Awaited<Next>> {
  return value instanceof Promise ? (value.then(next) as Promise<Awaited<Next>>) : next(value);
}
