/**
 * Continues with a value, synchronously if it is available. Awaiting an available value costs a promise and a turn of the event
 * loop, which measurably slows down routes that answer from memory.
 *
 * @returns the result of the next step, or a promise of it
 */
export function whenReady<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next,
): Next | Promise<Awaited<Next>> {
  return value instanceof Promise ? (value.then(next) as Promise<Awaited<Next>>) : next(value);
}
