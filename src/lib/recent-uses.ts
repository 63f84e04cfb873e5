/** What was used lately, and by whom, as far as this process remembers. A flood of users makes the oldest forgotten. */
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
    this.#usedAt.delete(name);
    this.#usedAt.set(name, this.#monotonicMs());
    if (this.#usedAt.size <= this.#usesMax) return;
    for (const oldest of this.#usedAt.keys()) {
      this.#usedAt.delete(oldest);
      return;
    }
  }

  /** Takes a use back. */
  forget(use: Use, user: string | number = ''): void {
    this.#usedAt.delete(`${use} ${user}`);
  }

  isRecent(use: Use, user: string | number = ''): boolean {
    const usedAt = this.#usedAt.get(`${use} ${user}`);
    return usedAt !== undefined && this.#monotonicMs() - usedAt < this.#withinMs;
  }
}
