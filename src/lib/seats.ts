/** A bounded number of seats, of which each owner can hold one at a time. */
export class Seats<Owner> {
  readonly #seatsMax: number;
  readonly #owners = new Set<Owner>();

  constructor(seatsMax: number) {
    this.#seatsMax = seatsMax;
  }

  /** Takes a seat and gives the function that frees it; undefined when none is free for this owner. */
  take(owner: Owner): (() => void) | undefined {
    if (this.#owners.size >= this.#seatsMax || this.#owners.has(owner)) return undefined;
    this.#owners.add(owner);
    return () => {
      this.#owners.delete(owner);
    };
  }
}
