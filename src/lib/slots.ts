/** Lets so many tasks run at a time; others wait in line, so many at most. */
export class Slots {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(runningMax: number, waitingMax: number) {
    this.#runningMax = runningMax;
    this.#waitingMax = waitingMax;
  }

  /** @returns what the task returns; undefined when too many wait, and it is not done */
  async take<Value>(task: () => Promise<Value>): Promise<Value | undefined> {
    if (this.#running >= this.#runningMax) {
      if (this.#waiting.length >= this.#waitingMax) return undefined;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
