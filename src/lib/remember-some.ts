/** What is left when it got too much: each forgetting walks over what is there. */
const KEPT_SHARE = 0.75;

/**
 * A function that remembers what another has found, by its argument. When it remembers too much, it forgets what it found
 * first; that there is nothing is not remembered.
 *
 * @param weigh how much of `max` a value takes
 */
export function rememberSome<Key, Value>(
  find: (key: Key) => Value | undefined,
  max: number,
  weigh: (value: Value) => number = () => 1,
): (key: Key) => Value | undefined {
  const values = new Map<Key, Value>();
  let weight = 0;

  const forgetOldest = () => {
    for (const [key, value] of values) {
      if (weight <= max * KEPT_SHARE) break;
      values.delete(key);
      weight -= weigh(value);
    }
  };

  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const found = find(key);
    if (found === undefined) return undefined;
    values.set(key, found);
    weight += weigh(found);
    if (weight > max) forgetOldest();
    return found;
  };
}
