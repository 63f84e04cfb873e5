/** The outcome of scheduled work: done here; in progress on another node; or done earlier. */
export type WorkOutcome = 'done' | 'held' | 'past';

/** Runs scheduled work once, on the first of several nodes. */
export interface ClockWork {
  /**
   * Runs work unless another node is running it, or has completed it for this due time or a later one. If a node dies during
   * it, another takes over within seconds.
   *
   * @param name of the work; only one node runs it at a time
   * @param dueAtMs milliseconds since the Unix epoch
   * @throws the errors of the work, which then stays due, and DatabaseAway when the database is unavailable
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
  | 'notifications'
  | 'fleet-days';

/** The last due time of work that is due at every multiple of `everyMs` since the Unix epoch. */
export const lastDue = (nowMs: number, everyMs: number): number => nowMs - (nowMs % everyMs);

const TURN_LOOK_MS = 100;

/** Waits until no other node runs some work, then runs it. */
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

/** For an installation of one process. */
export const ALONE: ClockWork = {
  async once(_name, _dueAtMs, work) {
    await work();
    return 'done';
  },
};
