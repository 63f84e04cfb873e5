/** Runs tasks one at a time, in order. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** @returns the result of the task */
  take<Value>(task: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** Runs the tasks of each key one at a time, in order. */
export class TurnsByKey<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  take<Value>(key: Key, task: () => Promise<Value>): Promise<Value> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(task);
    const over: Promise<unknown> = turn
      .catch(() => {})
      .then(() => {
        if (this.#last.get(key) === over) this.#last.delete(key);
      });
    this.#last.set(key, over);
    return turn;
  }

  /** The number of keys with unfinished tasks. */
  get size(): number {
    return this.#last.size;
  }
}
