import { detailsOf, type HoldDetail } from '../../domain/payment/hold-cause.ts';
import type { PaymentSubject } from '../../domain/payment/payment-event.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

/** Events of the payment processor about one thing that could not be settled. Moments are milliseconds since the Unix epoch. */
export interface FailingPayment extends PaymentSubject {
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
  /** Why, but for what an operator has lifted. */
  readonly details: readonly HoldDetail[];
}

/** Something that the payment processor told and of which nothing came, whatever it was. */
export interface PaymentProblems {
  readonly failing: readonly FailingPayment[];
  readonly held: readonly HeldLicense[];
  readonly dismissedToday: number;
}

/** How many events were tried in vain and wait, and what they are about. */
export interface FailingCounts {
  readonly events: number;
  readonly subjects: number;
}

/** @returns a function that counts the events that fail: all of them, or those about one thing */
export function readFailingCounts(db: Database): (subject?: PaymentSubject) => Promise<FailingCounts> {
  const counts = prepare<FailingCounts>(
    db,
    `
    select coalesce(sum(events), 0) as events, count(*) as subjects from (
      select count(*) as events from payment_events where processed_at is null and attempts > 0
        and (cast(:kind as text) is null or (kind = :kind and subject_id = :subjectId))
        group by kind, subject_id) as failing
    `,
  );
  return async (subject) =>
    (await counts.get({ kind: subject?.kind ?? null, subjectId: subject?.subjectId ?? null })) ?? {
      events: 0,
      subjects: 0,
    };
}

/** Something that the payment processor told and of which nothing could come. */
export interface DismissedPayment extends PaymentSubject {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** @returns a function that reads what was dismissed since a moment, the latest first */
export function readDismissedPayments(db: Database) {
  const { textIn } = db.sqlDialect;
  const dismissed = prepare<DismissedPayment>(
    db,
    `
    select at, ${textIn('after', 'kind')} as kind, ${textIn('after', 'subjectId')} as subjectId from audit_log
      where action = 'payment.dismiss' and at >= :since order by at desc, id desc limit :limit
    `,
  );
  return async (since: number, limit: number): Promise<DismissedPayment[]> => dismissed.all({ since, limit });
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
  const isDisputed = db.sqlDialect.contains('holds', '"dispute"');
  const held = prepare<{
    licenseId: number;
    pastDueHoldFrom: number | null;
    isDisputed: number;
    causes: string;
  }>(
    db,
    `
    select licenses.id as licenseId, payment_hold_from as pastDueHoldFrom,
        (payment_holds like '%"dispute"%' or ${isDisputed}) as isDisputed, coalesce(hold_causes, '[]') as causes
      from licenses left join subscriptions on subscriptions.id = licenses.subscription_id
      where revoked_at is null and (payment_hold_from is not null or payment_holds <> '[]' or ${isDisputed})
      order by licenses.id limit :limit
    `,
  );
  const dismissed = prepare<{ count: number }>(
    db,
    "select count(*) as count from audit_log where at >= :since and action = 'payment.dismiss'",
  );
  return async (limit, now) => ({
    failing: await failing.all({ limit }),
    held: (await held.all({ limit })).map(({ causes, ...license }) => ({
      ...license,
      isDisputed: license.isDisputed === 1,
      details: detailsOf(JSON.parse(causes)),
    })),
    dismissedToday: (await dismissed.get({ since: now - DAY_MS }))?.count ?? 0,
  });
}
