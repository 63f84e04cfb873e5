import { type PaymentSubject, SUBJECT_KINDS } from '../../domain/payment/payment-event.ts';
import { retryPayments } from '../../operator/retry-payment.ts';
import { actsOn } from '../act.ts';
import { flag } from '../field.ts';

export interface RetryTarget {
  /** The subject whose events are retried; undefined = all subjects. */
  readonly subject: PaymentSubject | undefined;
  /** Whether a payment processor is configured, if known. */
  readonly hasProcessor?: boolean;
}

export const retry = actsOn<RetryTarget>()({
  verb: 'retry',
  title: 'Retry failed payment events',
  about: 'Retries them now instead of within minutes. Use it once the cause is fixed.',
  submit: 'Try again',
  // Events settled in the meantime are skipped.
  holdsAnyway: true,
  fields: { all: flag({ flags: '--all', help: 'retry all failed events' }) },
  api: {
    operationId: 'retryPayments',
    summary: 'Retry failed payment events now',
    description:
      'Failed events are retried automatically within five minutes; use this once the cause is fixed.',
    body: 'PaymentRetry',
    example: { all: true, reason: 'Stripe is back' },
  },
  command: { about: 'retry failed payment events now; a running service does so within seconds' },
  forms: [{}],
  button: {},
  async plan({ subject, hasProcessor }, _, by, { db }) {
    const planned = await retryPayments(db, subject, by, hasProcessor);
    return 'refused' in planned ? planned : { ...planned, facts: { events: planned.events } };
  },
});

/** Returns the named subject or `all`; undefined if neither or both are given. */
export function retrySubject(
  kind: unknown,
  subjectId: unknown,
  isAll: boolean,
): PaymentSubject | 'all' | undefined {
  const isNamed = (kind ?? '') !== '' || (subjectId ?? '') !== '';
  if (isAll) return isNamed ? undefined : 'all';
  const known = SUBJECT_KINDS.find((each) => each === kind);
  return known && typeof subjectId === 'string' && subjectId !== '' ? { kind: known, subjectId } : undefined;
}

export const retried = (events: number): string =>
  `${events === 1 ? '1 event is' : `${events} events are`} being retried.`;
