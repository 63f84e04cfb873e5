/** Limits concurrent tasks. Further ones wait in a bounded queue. */
export class Slots {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(runningMax: number, waitingMax: number) {
    this.#runningMax = runningMax;
    this.#waitingMax = waitingMax;
  }

  /** @returns the result of the task; undefined if the queue is full and the task was not run */
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
