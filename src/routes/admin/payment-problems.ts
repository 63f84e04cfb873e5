import { Type as t } from '@sinclair/typebox';
import { SUBJECT_KINDS } from '../../domain/payment/payment-event.ts';
import { nullable, show, timestamp, typed } from '../../http/contract/answers.ts';
import { count, oneOf } from '../../http/fields.ts';
import { shownPaymentProblems } from '../../operator/shown-payment-problems.ts';
import { readPaymentProblems } from '../../storage/payments/payment-problems.ts';
import type { Parts } from '../parts.ts';
import { TAGS } from './contract.ts';
import { HoldDetails, LicenseId } from './fields/license.ts';
import { tokenRoute } from './token-route.ts';

const SHOWN_MAX = 200;

const PaymentProblems = typed('PaymentProblems', {
  failing: t.Array(
    typed('FailingPayment', {
      kind: oneOf(SUBJECT_KINDS, 'kind of subject'),
      subject_id: t.String({ description: 'ID at the payment processor' }),
      events: count('number of pending events'),
      attempts: count('number of failed attempts'),
      received_at: timestamp('time of receipt of the oldest pending event'),
      next_try_at: timestamp('time of the next attempt'),
    }),
    { description: `subjects with failing events, oldest first, at most ${SHOWN_MAX}` },
  ),
  held_licenses: t.Array(
    typed('HeldLicense', {
      license_id: LicenseId,
      past_due_hold_from: nullable(
        timestamp('time from which the license is suspended for a missing payment'),
        'time from which the license is suspended for a missing payment; null if none is missing',
      ),
      disputed: t.Boolean({ description: 'whether a payment is disputed' }),
      details: HoldDetails,
    }),
    {
      description: `licenses suspended, or about to be suspended, for payment reasons, at most ${SHOWN_MAX}`,
    },
  ),
  dismissed_today: count(
    'number of events dismissed as inapplicable in the last 24 hours; recorded in the audit log as payment.dismiss',
  ),
});

export const paymentProblems = tokenRoute({
  at: 'GET /payments/problems',
  scope: 'payments:read',
  operationId: 'listPaymentProblems',
  summary: 'List payment problems',
  description:
    'Failed events are retried automatically, or immediately with `POST /payments/retry`. Scope `payments:read`.',
  tag: TAGS.payments,
  answer: show(
    PaymentProblems,
    {
      failing: [
        {
          kind: 'subscription',
          subject_id: 'sub_1PXyz',
          events: 2,
          attempts: 5,
          received_at: '2026-11-23T08:00:00.000Z',
          next_try_at: '2026-11-23T10:00:00.000Z',
        },
      ],
      held_licenses: [
        {
          license_id: 'lic_7',
          past_due_hold_from: '2026-11-30T00:00:00.000Z',
          disputed: false,
          details: ['past_due'],
        },
      ],
      dismissed_today: 0,
    },
    'Returns the payment problems.',
  ),
  handle: async (_, { db, clock }: Parts<'clock' | 'db'>) =>
    shownPaymentProblems(await readPaymentProblems(db)(SHOWN_MAX, clock.now())),
});
