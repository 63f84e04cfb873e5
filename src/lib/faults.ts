import { Fault } from './fault.ts';

/** Collects the faults of independent pieces of work. */
export class Faults {
  readonly #found = new Map<string, Fault>();

  /** Unique faults in the order in which they occurred. */
  get found(): readonly Fault[] {
    return [...this.#found.values()];
  }

  /**
   * Runs a piece of work.
   *
   * @returns undefined if it throws a fault, which is collected
   * @throws all other errors
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
 * Returns the result of work that collects faults.
 *
 * @throws Fault the first one collected
 */
export function orFirstFault<Value>(work: (faults: Faults) => Value): Value {
  const faults = new Faults();
  const value = work(faults);
  const [first] = faults.found;
  if (first) throw first;
  return value;
}
