/** Maximum delay of an expired deadline. */
const LATE_MS_MAX = 200;

interface Waiting {
  readonly dueAtMs: number;
  readonly expire: () => void;
}

/** Deadlines that rarely expire. They share one timer, because separate ones would cost more than the work they guard. */
export class Deadlines {
  readonly #monotonicMs: () => number;
  readonly #waiting = new Set<Waiting>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Settles like the promise, or rejects with `reason` after the deadline. */
  race<Value, Reason>(promise: Promise<Value>, msMax: number, reason: () => Reason): Promise<Value> {
    return new Promise((resolve, reject) => {
      const waiting = { dueAtMs: this.#monotonicMs() + msMax, expire: () => reject(reason()) };
      this.#waiting.add(waiting);
      this.#timer ??= setInterval(() => this.#expireDue(), LATE_MS_MAX);
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

  #expireDue(): void {
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
