/**
 * What became of work that was due: it was done here; another node is at it; or it was done before.
 */
export type WorkOutcome = 'done' | 'held' | 'past';

/** Has work that is due by the clock done once, on whichever of several nodes comes first. */
export interface ClockWork {
  /**
   * Does some work unless another node is at it, or has done what was due at this moment or a later one. A node that dies over it
   * leaves it to the others within seconds.
   *
   * @param name of the work: only one node is at it at a time
   * @param dueAtMs milliseconds since the Unix epoch
   * @throws what the work throws, which leaves it undone, and DatabaseAway when nobody can be asked
   */
  once(name: WorkName, dueAtMs: number, work: () => Promise<void>): Promise<WorkOutcome>;
}

export type WorkName =
  | 'feed'
  | 'retention'
  | 'control-checks'
  | 'scan-schedules'
  | 'payments'
  | 'reconciliation'
  | 'trial-cards'
  | 'credential-keys'
  | 'notifications';

/** When work that is due at every multiple of so many milliseconds since the Unix epoch was due last. */
export const lastDue = (nowMs: number, everyMs: number): number => nowMs - (nowMs % everyMs);

const TURN_LOOK_MS = 100;

/** Does some work when no other node is at it: waits for its turn. */
export async function inTurn<Value>(
  clockWork: ClockWork,
  name: WorkName,
  work: () => Promise<Value>,
): Promise<Value> {
  for (;;) {
    let done: { readonly value: Value } | undefined;
    await clockWork.once(name, Date.now(), async () => {
      done = { value: await work() };
    });
    if (done) return done.value;
    await new Promise((resolve) => setTimeout(resolve, TURN_LOOK_MS));
  }
}

/** Of an installation that is one process. */
export const ALONE: ClockWork = {
  async once(_name, _dueAtMs, work) {
    await work();
    return 'done';
  },
};
