/** Runs tasks one after another, in the order in which they were given. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** @returns what the task returns, once its turn has come and gone */
  take<Value>(task: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** The same for each of some keys by itself. */
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

  /** Keys with a task that is not over. */
  get size(): number {
    return this.#last.size;
  }
}
