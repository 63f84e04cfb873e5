/** What an act has come to, which the page after it shows once. */
export interface Notice {
  readonly words: string;
  /** What is shown only now, such as a key. */
  readonly secret?: string;
  /** Whatever else should be known of it, in sentences. */
  readonly more?: readonly string[];
}

/** By the tokens of sessions; the one that was left longest ago makes room. */
const NOTICES_MAX = 1_000;

/** Keeps what the next page of a session shows once: in memory alone, for it may be a key. */
export class Notices {
  readonly #left = new Map<string, Notice>();

  leave(token: string, notice: Notice): void {
    this.#left.delete(token);
    this.#left.set(token, notice);
    const [oldest] = this.#left.keys();
    if (this.#left.size > NOTICES_MAX && oldest !== undefined) this.#left.delete(oldest);
  }

  take(token: string): Notice | undefined {
    const notice = this.#left.get(token);
    this.#left.delete(token);
    return notice;
  }
}
