/** A bounded queue from which the owners of what waits in it are served in turn, each in its own order. */
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

  /** @returns whether there was room */
  add(owner: Owner, item: Item): boolean {
    const own = this.#waiting.get(owner) ?? [];
    if (this.#size >= this.#max || own.length >= this.#ownerMax) return false;
    own.push(item);
    this.#waiting.set(owner, own);
    this.#size += 1;
    return true;
  }

  /** Takes out whose turn it is; undefined when nothing waits. */
  next(): Item | undefined {
    for (const [owner, own] of this.#waiting) {
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
}
