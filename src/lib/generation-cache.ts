/** Caches one value until its generation changes. Concurrent readers share one load. */
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

/** Caches up to `keysMax` values by key until their generation changes. */
export class GenerationMap<Key, Value> {
  readonly #generation: () => number;
  readonly #find: (key: Key) => Promise<Value | undefined>;
  readonly #keysMax: number;
  readonly #values = new Map<Key, Value>();
  #valuesGeneration: number | undefined;

  constructor(generation: () => number, find: (key: Key) => Promise<Value | undefined>, keysMax: number) {
    this.#generation = generation;
    this.#find = find;
    this.#keysMax = keysMax;
  }

  /** The value of a key, synchronously if cached. Missing values are not cached. */
  get(key: Key): Value | Promise<Value | undefined> {
    const generation = this.#generation();
    if (generation !== this.#valuesGeneration) {
      this.#values.clear();
      this.#valuesGeneration = generation;
    }
    return this.#values.get(key) ?? this.#load(key, generation);
  }

  async #load(key: Key, generation: number): Promise<Value | undefined> {
    const found = await this.#find(key);
    // A value that was read before a change of the generation may be outdated.
    if (found !== undefined && generation === this.#valuesGeneration) {
      if (this.#values.size >= this.#keysMax) this.#values.clear();
      this.#values.set(key, found);
    }
    return found;
  }
}
