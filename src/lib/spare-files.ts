import { closeSync, openSync } from 'node:fs';

/** Files kept open, to be given up when one is needed and connections have taken all others. */
export class SpareFiles {
  readonly #count: number;
  readonly #files: number[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** Opens what is missing, as far as there are files. */
  keep(): void {
    try {
      while (this.#files.length < this.#count) this.#files.push(openSync('/dev/null', 'r'));
    } catch {
      // There are no more now; what is missing is taken next time.
    }
  }

  release(): void {
    for (const file of this.#files.splice(0)) closeSync(file);
  }
}
