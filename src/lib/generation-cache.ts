/**
 * One value, loaded again only when its generation has changed. Readers who come while it is being
 * loaded wait for that same load.
 */
export class GenerationCache<Value> {
  readonly #generation: () => number;
  readonly #load: () => Promise<Value>;
  #loaded: { generation: number; value: Value } | undefined;
  #loading: { generation: number; promise: Promise<Value> } | undefined;

  constructor(generation: () => number, load: () => Promise<Value>) {
    this.#generation = generation;
    this.#load = load;
  }

  get(): Value | Promise<Value> {
    const generation = this.#generation();
    if (this.#loaded?.generation === generation) return this.#loaded.value;
    if (this.#loading?.generation !== generation) {
      this.#loading = { generation, promise: this.#reload(generation) };
    }
    return this.#loading.promise;
  }

  async #reload(generation: number): Promise<Value> {
    try {
      const value = await this.#load();
      if (this.#loading?.generation === generation) this.#loaded = { generation, value };
      return value;
    } finally {
      if (this.#loading?.generation === generation) this.#loading = undefined;
    }
  }
}

/** Values by key, all forgotten when their generation changes; holds at most `keysMax`. */
export class GenerationMap<Key, Value> {
  readonly #generation: () => number;
  readonly #find: (key: Key) => Promise<Value | undefined>;
  readonly #keysMax: number;
  readonly #values = new Map<Key, Value>();
  #of: number | undefined;

  constructor(generation: () => number, find: (key: Key) => Promise<Value | undefined>, keysMax: number) {
    this.#generation = generation;
    this.#find = find;
    this.#keysMax = keysMax;
  }

  /** The value of a key, at once while it is remembered. That there is none is not remembered. */
  get(key: Key): Value | Promise<Value | undefined> {
    const generation = this.#generation();
    if (generation !== this.#of) {
      this.#values.clear();
      this.#of = generation;
    }
    return this.#values.get(key) ?? this.#load(key, generation);
  }

  async #load(key: Key, generation: number): Promise<Value | undefined> {
    const found = await this.#find(key);
    // What was looked for before a change may be of before it.
    if (found !== undefined && generation === this.#of) {
      if (this.#values.size >= this.#keysMax) this.#values.clear();
      this.#values.set(key, found);
    }
    return found;
  }
}
