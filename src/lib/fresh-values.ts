import { setBounded } from './set-bounded.ts';

export interface Freshness {
  /** How long a value is used without reading it again, in milliseconds. */
  readonly freshMs: number;
  /** Maximum number of cached values. The one that was read longest ago is evicted. */
  readonly max: number;
  /** Milliseconds on the monotonic clock. */
  readonly monotonic: () => number;
}

interface Found<Value> {
  readonly value: Value;
  readonly lookedAt: number;
}

/**
 * Caches values by key and reads them again when they are too old. Concurrent readers share one read. Missing values are not
 * cached.
 */
export class FreshValues<Key, Value> {
  readonly #look: (key: Key, before: Value | undefined) => Promise<Value | undefined>;
  readonly #freshness: Freshness;
  #found = new Map<Key, Found<Value>>();
  #looking = new Map<Key, Promise<Value | undefined>>();

  /** @param look gets the previous value, so that it can return the same object if nothing has changed */
  constructor(
    look: (key: Key, before: Value | undefined) => Promise<Value | undefined>,
    freshness: Freshness,
  ) {
    this.#look = look;
    this.#freshness = freshness;
  }

  /** The value of a key, synchronously while it is fresh. */
  get(key: Key): Value | Promise<Value | undefined> {
    const found = this.#found.get(key);
    const { freshMs, monotonic } = this.#freshness;
    if (found !== undefined && monotonic() - found.lookedAt < freshMs) return found.value;
    const looking = this.#looking.get(key) ?? this.#lookAgain(key, found?.value);
    this.#looking.set(key, looking);
    return looking;
  }

  /** Discards all values. */
  clear(): void {
    // Running reads may return old values; they write to the previous maps.
    this.#found = new Map();
    this.#looking = new Map();
  }

  async #lookAgain(key: Key, before: Value | undefined): Promise<Value | undefined> {
    const [found, looking] = [this.#found, this.#looking];
    const { max, monotonic } = this.#freshness;
    const lookedAt = monotonic();
    try {
      const value = await this.#look(key, before);
      if (value === undefined) found.delete(key);
      else setBounded(found, key, { value, lookedAt }, max);
      return value;
    } finally {
      looking.delete(key);
    }
  }
}
