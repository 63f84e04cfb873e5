import { accepted } from '../domain/refusal.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { PaymentProcessor } from '../outside/payment-processor.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { PaymentEvents } from '../storage/payments/payment-events.ts';

/** Events of this period are compared again, because the list may lag behind. */
const OVERLAP_MS = 10 * MINUTE_MS;
/** The age of the oldest events in Stripe's list. */
const LISTED_MS = 30 * DAY_MS;

export interface ReconciliationParts {
  readonly processor: Pick<PaymentProcessor, 'listEvents'>;
  readonly stored: Pick<PaymentEvents, 'reconciledThrough'>;
  readonly writer: Pick<Writer, 'write'>;
  readonly clock: Clock;
}

/**
 * Stores the events that the processor has listed since the last run. Most of them have already arrived. On the first run there
 * are none to miss.
 *
 * @throws Fault if they cannot be stored; the next run lists them again
 */
export async function reconcile({ processor, stored, writer, clock }: ReconciliationParts): Promise<void> {
  const now = clock.now();
  const through = (await stored.reconciledThrough()) ?? now;
  // A moment in the future was stored by a clock that was ahead, so events may have been missed before it.
  const since = through > now ? now - LISTED_MS : Math.max(through - OVERLAP_MS, now - LISTED_MS);
  for await (const events of processor.listEvents({ since, until: now + SECOND_MS })) {
    accepted(await writer.write('storePaymentEvents', { events, now }));
  }
  accepted(await writer.write('recordReconciliation', { through: now }));
}
