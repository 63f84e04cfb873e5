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
