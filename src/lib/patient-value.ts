import { within } from './within.ts';

export interface Patience {
  /** How long what was counted is given again without another count, in milliseconds; longer where a count takes long. */
  readonly freshMs: number;
  /** How long a reader waits for a count, in milliseconds. */
  readonly waitMs: number;
  /** The same for the first count. */
  readonly firstWaitMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number;
  /** Called for a count that failed; readers get the one before. */
  readonly onFault: (error: unknown) => void;
}

/** Of all time, the share that counting may take. */
const LOAD_MAX = 0.01;
/** By then, the reader that caused a long count has its answer, which the count would delay. */
const LATER_MS = 50;

/**
 * A value that may take long to count. Readers wait for a count that is over soon; otherwise, or where the last one took longer, they get
 * the one before, while the count goes on. It is at most as old as a hundred counts take, or `freshMs`.
 */
export class PatientValue<Value> {
  readonly #count: () => Promise<Value>;
  readonly #patience: Patience;
  #counted: { readonly value: Value; readonly at: number; readonly tookMs: number } | undefined;
  #counting: Promise<void> | undefined;

  constructor(count: () => Promise<Value>, patience: Patience) {
    this.#count = count;
    this.#patience = patience;
  }

  /** What was counted last; undefined before the first count is over. */
  async latest(): Promise<Value | undefined> {
    const { freshMs, waitMs, firstWaitMs, monotonic } = this.#patience;
    const { at, tookMs = 0 } = this.#counted ?? {};
    const isFresh = at !== undefined && monotonic() - at < Math.max(freshMs, tookMs / LOAD_MAX);
    if (!isFresh) {
      const isLong = tookMs > waitMs;
      this.#counting ??= this.#recount(isLong ? LATER_MS : 0);
      if (!isLong) await within(this.#counting, at === undefined ? firstWaitMs : waitMs);
    }
    return this.#counted?.value;
  }

  async #recount(delayMs: number): Promise<void> {
    const { monotonic, onFault } = this.#patience;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const at = monotonic();
    try {
      const value = await this.#count();
      this.#counted = { value, at, tookMs: monotonic() - at };
    } catch (error) {
      onFault(error);
    } finally {
      this.#counting = undefined;
    }
  }
}
