/** How much later than at its time a deadline may come. */
const LATE_MS_MAX = 200;

interface Waiting {
  readonly dueAtMs: number;
  readonly expire: () => void;
}

/** Deadlines that hardly ever come, and share one timer: one for each would cost more than what it watches. */
export class Deadlines {
  readonly #monotonicMs: () => number;
  readonly #waiting = new Set<Waiting>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** A promise as it settles, or the reason why it came too late, as a rejection. */
  race<Value, Reason>(promise: Promise<Value>, msMax: number, reason: () => Reason): Promise<Value> {
    return new Promise((resolve, reject) => {
      const waiting = { dueAtMs: this.#monotonicMs() + msMax, expire: () => reject(reason()) };
      this.#waiting.add(waiting);
      this.#timer ??= setInterval(() => this.#look(), LATE_MS_MAX);
      promise.then(
        (value) => {
          this.#waiting.delete(waiting);
          resolve(value);
        },
        (error) => {
          this.#waiting.delete(waiting);
          reject(error);
        },
      );
    });
  }

  #look(): void {
    const now = this.#monotonicMs();
    for (const waiting of this.#waiting) {
      if (waiting.dueAtMs > now) continue;
      this.#waiting.delete(waiting);
      waiting.expire();
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
