/**
 * A bounded queue from which the owners of what waits in it are served in turn, each in its own order. When it is full,
 * the owner with the most items loses one, so that a few owners cannot block others.
 */
export class FairQueue<Owner, Item> {
  readonly #ownerMax: number;
  readonly #max: number;
  /** By owner, the one whose turn comes next first; no owner without anything. */
  readonly #waiting = new Map<Owner, Item[]>();
  #size = 0;

  /**
   * @param ownerMax what may wait of one owner
   * @param max what may wait in all
   */
  constructor(ownerMax: number, max: number) {
    this.#ownerMax = ownerMax;
    this.#max = max;
  }

  /**
   * @returns what finds no room: undefined when everything does; the newest item of the owner who has most, if that is
   *   more than this owner has with the new item; else the new item itself
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
   * Takes out whose turn it is; undefined when nothing waits.
   *
   * @param mayBeServed passes over owners whose turn has to wait; they keep their place
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

  /** @returns whether it was still waiting */
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
