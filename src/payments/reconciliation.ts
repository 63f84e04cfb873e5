import { accepted } from '../domain/refusal.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { PaymentProcessor } from '../outside/payment-processor.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { PaymentEvents } from '../storage/payments/payment-events.ts';

/** The list of events may lag behind; what was compared is compared again. */
const OVERLAP_MS = 10 * MINUTE_MS;
/** How far back Stripe's list of events goes. */
const LISTED_MS = 30 * DAY_MS;

export interface ReconciliationParts {
  readonly processor: Pick<PaymentProcessor, 'listEvents'>;
  readonly stored: Pick<PaymentEvents, 'reconciledThrough'>;
  readonly writer: Pick<Writer, 'write'>;
  readonly clock: Clock;
}

/**
 * Takes the events that the processor has listed since the last time, most of which have arrived already.
 * The first time there is nothing that could have been missed.
 *
 * @throws Fault when the store refuses them; what was listed is taken again the next time
 */
export async function reconcile({ processor, stored, writer, clock }: ReconciliationParts): Promise<void> {
  const now = clock.now();
  const through = (await stored.reconciledThrough()) ?? now;
  // What a clock that ran ahead has written down says nothing of what was missed.
  const since = through > now ? now - LISTED_MS : Math.max(through - OVERLAP_MS, now - LISTED_MS);
  for await (const events of processor.listEvents({ since, until: now + SECOND_MS })) {
    accepted(await writer.write('storePaymentEvents', { events, now }));
  }
  accepted(await writer.write('recordReconciliation', { through: now }));
}
