/** Limits concurrent holders, in total and per owner. */
export class Seats<Owner> {
  readonly #seatsMax: number;
  readonly #ownedMax: number;
  readonly #owned = new Map<Owner, number>();
  #taken = 0;

  /** @param ownedMax limit per owner */
  constructor(seatsMax: number, ownedMax = 1) {
    this.#seatsMax = seatsMax;
    this.#ownedMax = ownedMax;
  }

  /** Takes a place; returns a function that releases it once. Undefined if none is free for this owner. */
  take(owner: Owner): (() => void) | undefined {
    const owned = this.#owned.get(owner) ?? 0;
    if (this.#taken >= this.#seatsMax || owned >= this.#ownedMax) return undefined;
    this.#taken += 1;
    this.#owned.set(owner, owned + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#free(owner);
      isTaken = false;
    };
  }

  #free(owner: Owner): void {
    const left = (this.#owned.get(owner) ?? 1) - 1;
    this.#taken -= 1;
    if (left === 0) this.#owned.delete(owner);
    else this.#owned.set(owner, left);
  }
}
