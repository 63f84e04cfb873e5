import { Fault } from './fault.ts';

/** Collects what is wrong where several pieces of work do not depend on each other. */
export class Faults {
  readonly #found = new Map<string, Fault>();

  /** Each once, in the order in which they were found. */
  get found(): readonly Fault[] {
    return [...this.#found.values()];
  }

  /**
   * Does a piece of work.
   *
   * @returns undefined when it throws a fault, which is kept
   * @throws its other errors
   */
  attempt<Value>(work: () => Value): Value | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (!this.#found.has(error.message)) this.#found.set(error.message, error);
      return undefined;
    }
  }
}

/**
 * What work that collects faults gives when there are none.
 *
 * @throws Fault the first of them
 */
export function orFirstFault<Value>(work: (faults: Faults) => Value): Value {
  const faults = new Faults();
  const value = work(faults);
  const [first] = faults.found;
  if (first) throw first;
  return value;
}
