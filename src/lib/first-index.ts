/**
 * The index of the first item that passes, by binary search.
 *
 * @param sorted all items that fail precede those that pass
 * @returns the length if none passes
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
