import { detailsOf, type HoldDetail } from '../../domain/payment/hold-cause.ts';
import type { PaymentSubject } from '../../domain/payment/payment-event.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

/** Unsettled events of the payment processor about one subject. Times are milliseconds since the Unix epoch. */
export interface FailingPayment extends PaymentSubject {
  readonly events: number;
  /** Failed attempts of the event with the most attempts. */
  readonly attempts: number;
  readonly oldestReceivedAt: number;
  readonly nextTryAt: number;
}

/** An unrevoked license that is suspended because of a payment. */
export interface HeldLicense {
  readonly licenseId: number;
  /** When a missing payment suspends it; null = never. */
  readonly pastDueHoldFrom: number | null;
  readonly isDisputed: boolean;
  /** The reasons, without those that an operator has lifted. */
  readonly details: readonly HoldDetail[];
}

/** Events of the payment processor without an effect, of all kinds. */
export interface PaymentProblems {
  readonly failing: readonly FailingPayment[];
  readonly held: readonly HeldLicense[];
  readonly dismissedToday: number;
}

/** The number of failed events that wait, and their subjects. */
export interface FailingCounts {
  readonly events: number;
  readonly subjects: number;
}

/** @returns a function that counts failing events: all of them, or those about one subject */
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

/** An event of the payment processor that cannot have an effect. */
export interface DismissedPayment extends PaymentSubject {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** @returns a function that reads the events dismissed since a moment, newest first */
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

/** Reads problems with payments, up to a limit of each kind, oldest first. */
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
