import { type Clock, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { type ClockWork, lastDue } from '../storage/engine/clock-work.ts';
import type { Settlement } from './settlement.ts';
import type { TrialCards } from './trial-cards.ts';

export interface PaymentDeskParts {
  /** Undefined if no payment processor is configured. */
  readonly settlement: Pick<Settlement, 'settle' | 'renew'> | undefined;
  /** See reconciliation.ts. Undefined if no payment processor is configured. */
  readonly reconcile: (() => Promise<void>) | undefined;
  readonly trialCards: Pick<TrialCards, 'endOverdue'>;
  readonly clockWork: ClockWork;
  readonly clock: Clock;
  readonly log: Log;
}

const RECONCILE_EVERY_MS = 60 * MINUTE_MS;
/** After the store itself failed. */
const STORE_RETRY_MS = 10 * SECOND_MS;

/** Interval of checks for work that commands or other nodes have made due without notifying this process. */
const RECHECK_MS = 2 * SECOND_MS;

/** Processes payment events as they arrive, and runs the scheduled work of payments. */
export interface PaymentDesk {
  /** Processes due events now. */
  wake(): void;
  stop(): void;
}

/** Starts with the work that a previous process left: unsettled events, expired reservations, missed events. */
export function startPaymentDesk(parts: PaymentDeskParts): PaymentDesk {
  const { settlement, reconcile, trialCards, clockWork, clock, log } = parts;
  let stopped = false;
  let woken = false;
  let settling = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const logFailure = (what: string, error: unknown) => {
    if (!stopped) log.error(`${what} failed`, { fault: faultOf(error) });
  };

  /** Milliseconds until the next event is due; undefined if none is waiting. */
  const settleSome = async (): Promise<number | undefined> => {
    try {
      const dueAt = await settlement?.settle();
      return dueAt === undefined ? undefined : Math.min(dueAt - clock.now(), RECHECK_MS);
    } catch (error) {
      logFailure('processing of payment events', error);
      return STORE_RETRY_MS;
    }
  };

  const wake = async () => {
    woken = true;
    if (settling) return;
    settling = true;
    let waitMs: number | undefined;
    while (!stopped && (woken || (waitMs !== undefined && waitMs <= 0))) {
      woken = false;
      waitMs = await settleSome();
    }
    settling = false;
    clearTimeout(retry);
    if (waitMs !== undefined && !stopped) retry = setTimeout(wake, waitMs);
  };

  /** A task that is skipped while its previous run continues. */
  const exclusive = (what: string, task: () => Promise<void>) => {
    let running = false;
    return async () => {
      if (running) return;
      running = true;
      await task().catch((error) => logFailure(what, error));
      running = false;
    };
  };

  const reconcileDue = async (dueAt: number) => {
    if (reconcile === undefined) return;
    await clockWork.once('reconciliation', dueAt, reconcile);
    void wake();
  };
  const compare = exclusive('reconciliation', () => reconcileDue(lastDue(clock.now(), RECONCILE_EVERY_MS)));
  const endOverdue = exclusive('ending of reservations', async () => {
    await clockWork.once('trial-cards', lastDue(clock.now(), MINUTE_MS), trialCards.endOverdue);
  });
  const renew = exclusive('renewal of licenses', async () => settlement?.renew());
  const everyMinute = () => {
    void endOverdue();
    void renew();
    void wake();
  };

  const timers = [setInterval(compare, RECONCILE_EVERY_MS), setInterval(everyMinute, MINUTE_MS)];
  // Events sent while no node was running must not wait for an hour.
  void exclusive('reconciliation', () => reconcileDue(clock.now()))();
  everyMinute();

  return {
    wake,
    stop() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      clearTimeout(retry);
    },
  };
}
