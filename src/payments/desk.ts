import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Settlement } from './settlement.ts';
import type { TrialCards } from './trial-cards.ts';

export interface PaymentDeskParts {
  /** Undefined where no payment processor is configured. */
  readonly settle: Settlement['settle'] | undefined;
  /** See reconciliation.ts; likewise. */
  readonly reconcile: (() => Promise<void>) | undefined;
  readonly trialCards: Pick<TrialCards, 'endOverdue'>;
  readonly log: Log;
}

const RELEASE_EVERY_MS = MINUTE_MS;
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
export function startPaymentDesk({ settle, reconcile, trialCards, log }: PaymentDeskParts): PaymentDesk {
  let stopped = false;
  let settling = false;
  let woken = false;
  let retryMs = RETRY_MS_MIN;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const guarded = (what: string, task: () => Promise<unknown>) =>
    task().catch((error: unknown) => {
      if (!stopped) log.error(`${what} failed`, { fault: (error as Error).message });
    });

  const settleAll = async () => {
    if (settle === undefined || settling) return;
    settling = true;
    try {
      while (woken && !stopped) {
        woken = false;
        if (await settle()) {
          retryMs = RETRY_MS_MIN;
          continue;
        }
        clearTimeout(retry);
        retry = setTimeout(wake, retryMs);
        retryMs = Math.min(2 * retryMs, RETRY_MS_MAX);
      }
    } finally {
      settling = false;
    }
  };

  const wake = () => {
    woken = true;
    void guarded('settling payments', settleAll);
  };

  const compare = () => guarded('reconciliation', async () => reconcile?.().then(wake));
  const release = () => guarded('ending reservations', trialCards.endOverdue);

  const timers = [setInterval(compare, RECONCILE_EVERY_MS), setInterval(release, RELEASE_EVERY_MS)];
  wake();
  void compare();
  void release();

  return {
    wake,
    stop() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      clearTimeout(retry);
    },
  };
}
