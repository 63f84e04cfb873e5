/** The share that remains after eviction. Several values are evicted at once, because each eviction iterates over the map. */
const KEPT_SHARE = 0.75;

/**
 * Memoizes a function by its argument. If the weight exceeds `max`, the oldest values are evicted. Missing values are not
 * cached.
 *
 * @param weigh the weight of a value
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
