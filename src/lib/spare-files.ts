import { closeSync, openSync } from 'node:fs';

/** Reserves file descriptors, to be released when connections have used up all others. */
export class SpareFiles {
  readonly #count: number;
  readonly #files: number[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** Opens missing ones, as long as descriptors are available. */
  keep(): void {
    try {
      while (this.#files.length < this.#count) this.#files.push(openSync('/dev/null', 'r'));
    } catch {
      // None is available now; the next call tries again.
    }
  }

  release(): void {
    for (const file of this.#files.splice(0)) closeSync(file);
  }
}
