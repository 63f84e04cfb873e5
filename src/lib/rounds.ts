/** Goes round and round over a Set or Map, a few at a time. What comes and goes meanwhile does not matter. */
export class Rounds<Item> {
  readonly #items: Iterable<Item> & { readonly size: number };
  #hand: Iterator<Item>;

  constructor(items: Iterable<Item> & { readonly size: number }) {
    this.#items = items;
    this.#hand = items[Symbol.iterator]();
  }

  /** The next so many, each at most once. */
  next(count: number): Item[] {
    const found: Item[] = [];
    for (let left = Math.min(count, this.#items.size); left > 0; left--) {
      let step = this.#hand.next();
      if (step.done) {
        this.#hand = this.#items[Symbol.iterator]();
        step = this.#hand.next();
      }
      if (!step.done) found.push(step.value);
    }
    return found;
  }
}
