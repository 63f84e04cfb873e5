import { setBounded } from './set-bounded.ts';

export interface Freshness {
  /** How long what was found is given again without another look, in milliseconds. */
  readonly freshMs: number;
  /** How many are remembered; the one that was looked for longest ago makes room. */
  readonly max: number;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number;
}

interface Found<Value> {
  readonly value: Value;
  readonly lookedAt: number;
}

/**
 * Values by key, looked for again when they were found a while ago. Who asks while one is being looked for waits for that same look.
 * That there is none is not remembered.
 */
export class FreshValues<Key, Value> {
  readonly #look: (key: Key, before: Value | undefined) => Promise<Value | undefined>;
  readonly #freshness: Freshness;
  #found = new Map<Key, Found<Value>>();
  #looking = new Map<Key, Promise<Value | undefined>>();

  /** @param look is given what it found before, so that it can give the same where nothing has changed */
  constructor(
    look: (key: Key, before: Value | undefined) => Promise<Value | undefined>,
    freshness: Freshness,
  ) {
    this.#look = look;
    this.#freshness = freshness;
  }

  /** The value of a key, at once while it is fresh. */
  get(key: Key): Value | Promise<Value | undefined> {
    const found = this.#found.get(key);
    const { freshMs, monotonic } = this.#freshness;
    if (found !== undefined && monotonic() - found.lookedAt < freshMs) return found.value;
    const looking = this.#looking.get(key) ?? this.#lookAgain(key, found?.value);
    this.#looking.set(key, looking);
    return looking;
  }

  /** Has everything looked for again. */
  clear(): void {
    // What is being looked for may be of before: it finds another map.
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
