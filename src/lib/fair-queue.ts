/**
 * A bounded queue that serves its owners in turn, each in the order of its own items. When it is full, the owner with the
 * most items loses one, so that a few owners cannot block others.
 */
export class FairQueue<Owner, Item> {
  readonly #ownerMax: number;
  readonly #max: number;
  /** Items by owner, the next owner first. Owners without items are removed. */
  readonly #waiting = new Map<Owner, Item[]>();
  #size = 0;

  /**
   * @param ownerMax limit of items per owner
   * @param max limit of all items
   */
  constructor(ownerMax: number, max: number) {
    this.#ownerMax = ownerMax;
    this.#max = max;
  }

  /**
   * @returns the item that was dropped: undefined if none; the newest item of the owner with the most items, if that owner has
   *   more than this one would have; otherwise the new item
   */
  add(owner: Owner, item: Item): Item | undefined {
    const own = this.#waiting.get(owner) ?? [];
    if (own.length >= this.#ownerMax) return item;
    const longest = this.#size < this.#max ? undefined : this.#longest();
    if (longest && longest.length <= own.length + 1) return item;
    own.push(item);
    this.#waiting.set(owner, own);
    this.#size += longest ? 0 : 1;
    return longest?.pop();
  }

  /**
   * Removes and returns the next item; undefined if there is none.
   *
   * @param mayBeServed false skips an owner, who keeps its place
   */
  next(mayBeServed: (owner: Owner) => boolean = () => true): Item | undefined {
    for (const [owner, own] of this.#waiting) {
      if (!mayBeServed(owner)) continue;
      const [item, ...rest] = own;
      this.#waiting.delete(owner);
      if (rest.length > 0) this.#waiting.set(owner, rest);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  /** @returns whether the item was in the queue */
  remove(owner: Owner, item: Item): boolean {
    const own = this.#waiting.get(owner);
    const at = own?.indexOf(item) ?? -1;
    if (own === undefined || at < 0) return false;
    own.splice(at, 1);
    if (own.length === 0) this.#waiting.delete(owner);
    this.#size -= 1;
    return true;
  }

  #longest(): Item[] {
    return [...this.#waiting.values()].reduce(
      (longest, own) => (own.length > longest.length ? own : longest),
      [],
    );
  }
}
