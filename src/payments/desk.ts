import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Settlement } from './settlement.ts';
import type { TrialCards } from './trial-cards.ts';

export interface PaymentDeskParts {
  /** Undefined where no payment processor is configured. */
  readonly settlement: Pick<Settlement, 'settle' | 'renew'> | undefined;
  /** See reconciliation.ts; likewise. */
  readonly reconcile: (() => Promise<void>) | undefined;
  readonly trialCards: Pick<TrialCards, 'endOverdue'>;
  readonly log: Log;
}

const RECONCILE_EVERY_MS = 60 * MINUTE_MS;
const RETRY_MS_MIN = SECOND_MS;
const RETRY_MS_MAX = 5 * MINUTE_MS;

/** What happens to payments by the clock, and as soon as an event was taken. */
export interface PaymentDesk {
  /** Says that an event was taken. */
  wake(): void;
  stop(): void;
}

/** Starts with what an earlier process left: events not settled, reservations not ended, events missed. */
export function startPaymentDesk({ settlement, reconcile, trialCards, log }: PaymentDeskParts): PaymentDesk {
  let stopped = false;
  let woken = false;
  let settling = false;
  let retryMs = RETRY_MS_MIN;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** Whether a task neither failed nor had to put anything off. */
  const succeeds = async (what: string, task: () => Promise<unknown>): Promise<boolean> => {
    try {
      return (await task()) !== false;
    } catch (error) {
      if (!stopped) log.error(`${what} failed`, { fault: (error as Error).message });
      return false;
    }
  };

  const wake = async () => {
    woken = true;
    if (settling) return;
    settling = true;
    let settled = true;
    while (woken && settled && !stopped) {
      woken = false;
      settled = await succeeds('settling payments', async () => settlement?.settle());
    }
    settling = false;
    clearTimeout(retry);
    if (!settled && !stopped) retry = setTimeout(wake, retryMs);
    retryMs = settled ? RETRY_MS_MIN : Math.min(2 * retryMs, RETRY_MS_MAX);
  };

  /** A task that is left out while it still runs. */
  const alone = (what: string, task: () => Promise<unknown>) => {
    let running = false;
    return async () => {
      if (running) return;
      running = true;
      await succeeds(what, task);
      running = false;
    };
  };

  const compare = alone('reconciliation', async () => {
    await reconcile?.();
    void wake();
  });
  const endOverdue = alone('ending reservations', trialCards.endOverdue);
  const renew = alone('renewing licenses', async () => settlement?.renew());
  const everyMinute = () => {
    void endOverdue();
    void renew();
  };

  const timers = [setInterval(compare, RECONCILE_EVERY_MS), setInterval(everyMinute, MINUTE_MS)];
  void wake();
  void compare();
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
