/**
 * A function that remembers what another has found, by its argument. When it remembers too much, it forgets all of it; that
 * there is nothing is not remembered.
 */
export function rememberSome<Key, Value>(
  find: (key: Key) => Value | undefined,
  keysMax: number,
): (key: Key) => Value | undefined {
  const values = new Map<Key, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const found = find(key);
    if (found === undefined) return undefined;
    if (values.size >= keysMax) values.clear();
    values.set(key, found);
    return found;
  };
}
