import type { SubjectKind } from '../domain/payment/payment-event.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Database } from './engine/database.ts';
import { prepare } from './engine/statement.ts';

/** Events of the payment processor about one thing that could not be settled. Moments are milliseconds since the Unix epoch. */
export interface FailingPayment {
  readonly kind: SubjectKind;
  /** What the processor calls it. */
  readonly subjectId: string;
  readonly events: number;
  /** How often the event that was tried most was tried in vain. */
  readonly attempts: number;
  readonly oldestReceivedAt: number;
  readonly nextTryAt: number;
}

/** A license, unless it is revoked, that a payment holds. */
export interface HeldLicense {
  readonly licenseId: number;
  /** From when on a missing payment holds it; null where none does. */
  readonly pastDueHoldFrom: number | null;
  readonly isDisputed: boolean;
}

/** Something that the payment processor told and of which nothing came, whatever it was. */
export interface PaymentProblems {
  readonly failing: readonly FailingPayment[];
  readonly held: readonly HeldLicense[];
  readonly dismissedToday: number;
}

/** Reads what is wrong with payments, so many of each kind, the oldest first. */
export function readPaymentProblems(db: Database): (limit: number, now: number) => Promise<PaymentProblems> {
  const failing = prepare<FailingPayment>(
    db,
    `
    select kind, subject_id as subjectId, count(*) as events, max(attempts) as attempts,
        min(received_at) as oldestReceivedAt, min(due_at) as nextTryAt
      from payment_events where processed_at is null and attempts > 0
      group by kind, subject_id order by min(received_at), subject_id limit :limit
    `,
  );
  const held = prepare<{ licenseId: number; pastDueHoldFrom: number | null; isDisputed: number }>(
    db,
    `
    select id as licenseId, payment_hold_from as pastDueHoldFrom,
        payment_holds like '%"dispute"%' or holds like '%"dispute"%' as isDisputed
      from licenses
      where revoked_at is null and (payment_hold_from is not null or payment_holds <> '[]' or holds like '%"dispute"%')
      order by id limit :limit
    `,
  );
  const dismissed = prepare<{ count: number }>(
    db,
    "select count(*) as count from audit_log where at >= :since and action = 'payment.dismiss'",
  );
  return async (limit, now) => ({
    failing: failing.all({ limit }),
    held: held.all({ limit }).map((license) => ({ ...license, isDisputed: license.isDisputed === 1 })),
    dismissedToday: dismissed.get({ since: now - DAY_MS })?.count ?? 0,
  });
}
