import type { PaymentSubject } from '../domain/payment/payment-event.ts';
import type { Database } from '../storage/engine/database.ts';
import { type FailingCounts, readFailingCounts } from '../storage/payments/payment-problems.ts';
import { type Act, audited, type PlannedAct, type RefusedAct, unchanged } from './act.ts';

/** What is tried again. */
export type PlannedRetry = PlannedAct & FailingCounts;

/**
 * Plans to have events of the payment processor tried again now that could not be settled: those about one thing, or all
 * of them. A running service settles them at once.
 *
 * @param subject undefined = all
 * @param hasProcessor whether a payment processor is set up, where that is known
 */
export async function retryPayments(
  db: Database,
  subject: PaymentSubject | undefined,
  act: Act,
  hasProcessor = true,
): Promise<PlannedRetry | RefusedAct> {
  const failing = await readFailingCounts(db)(subject);
  if (subject !== undefined && failing.events === 0)
    return { refused: `no failed event about this ${subject.kind}` };
  if (failing.events === 0) return { ...unchanged('no failed events'), ...failing };
  const job = { name: 'hastenPaymentEvents', input: { subject, now: act.now } } as const;
  const notices = hasProcessor
    ? []
    : ['the events cannot be processed: no payment processor is configured. See SERVICE_STRIPE_SECRET_KEY'];
  const after = subject ? { ...subject, events: failing.events } : failing;
  return { ...audited(act, 'payment.retry', null, [job], { after: { ...after } }), ...failing, notices };
}
