/** Numbers from 0 to below 1 in an order that is the same each time (a linear congruential generator, Numerical Recipes). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

export function shuffle<Item>(items: Item[], random: () => number): void {
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [items[at], items[other]] = [items[other] as Item, items[at] as Item];
  }
}
