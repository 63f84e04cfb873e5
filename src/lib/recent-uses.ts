/** The share of the time window by which a use may expire too early. */
const INEXACTNESS = 1 / 1_000;

/** Recent uses by user, in memory. If there are too many, the oldest are evicted. */
export class RecentUses<Use extends string> {
  readonly #usedAt = new Map<string, number>();
  readonly #monotonicMs: () => number;
  readonly #withinMs: number;
  readonly #usesMax: number;

  /** @param withinMs how long a use is recent */
  constructor(withinMs: number, monotonicMs: () => number, usesMax = 100_000) {
    this.#withinMs = withinMs;
    this.#monotonicMs = monotonicMs;
    this.#usesMax = usesMax;
  }

  note(use: Use, user: string | number = ''): void {
    const name = `${use} ${user}`;
    const nowMs = this.#monotonicMs();
    const usedAt = this.#usedAt.get(name);
    // Busy users are recorded thousands of times a second; moving an entry to the end costs more than looking it up.
    if (usedAt !== undefined && nowMs - usedAt < this.#withinMs * INEXACTNESS) return;
    this.#usedAt.delete(name);
    this.#usedAt.set(name, nowMs);
    if (this.#usedAt.size <= this.#usesMax) return;
    for (const oldest of this.#usedAt.keys()) {
      this.#usedAt.delete(oldest);
      return;
    }
  }

  /** Deletes a use. */
  forget(use: Use, user: string | number = ''): void {
    this.#usedAt.delete(`${use} ${user}`);
  }

  isRecent(use: Use, user: string | number = ''): boolean {
    const usedAt = this.#usedAt.get(`${use} ${user}`);
    return usedAt !== undefined && this.#monotonicMs() - usedAt < this.#withinMs;
  }
}
