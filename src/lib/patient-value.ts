import { within } from './within.ts';

export interface Patience {
  /** How long a value is used without counting again, in milliseconds; longer if counting takes long. */
  readonly freshMs: number;
  /** Maximum time that a reader waits for a count, in milliseconds. */
  readonly waitMs: number;
  /** Maximum time that a reader waits for the first count. */
  readonly firstWaitMs: number;
  /** Milliseconds on the monotonic clock. */
  readonly monotonic: () => number;
  /** Called when a count fails; readers get the previous value. */
  readonly onFault: (error: unknown) => void;
}

/** Maximum share of time spent on counting. */
const LOAD_MAX = 0.01;
/** Delay of a long count, so that it does not delay the answer to the reader that caused it. */
const LATER_MS = 50;

/**
 * Caches a value that may take long to count. Readers wait if the count is fast; otherwise they get the previous value while it
 * is counted again. A value is used for `freshMs`, or for a hundred times as long as its count took.
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

  /** The last value; undefined before the first count has ended. */
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
