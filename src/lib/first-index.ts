/**
 * Where the first of some items stands that passes, by halving.
 *
 * @param sorted items of which none that does not pass stands behind one that does
 * @returns their number where none passes
 */
export function firstIndex<Item>(sorted: ArrayLike<Item>, passes: (item: Item) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(sorted[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
