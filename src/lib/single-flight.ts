/** Lets callers who ask for the same thing at the same time share one answer. */
export class SingleFlight<Value> {
  readonly #flying = new Map<string, Promise<Value>>();

  /** Runs a task unless one of the same key is under way; then waits for that one. */
  do(key: string, task: () => Promise<Value>): Promise<Value> {
    const flying = this.#flying.get(key);
    if (flying) return flying;
    const started = task().finally(() => this.#flying.delete(key));
    this.#flying.set(key, started);
    return started;
  }
}
