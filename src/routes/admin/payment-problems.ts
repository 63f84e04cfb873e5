import { Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { SUBJECT_KINDS } from '../../domain/payment/payment-event.ts';
import { requireScope } from '../../http/admin-caller.ts';
import { answers, nullable, show, success, timestamp, typed } from '../../http/contract/answers.ts';
import { oneOf } from '../../http/fields.ts';
import { shownPaymentProblems } from '../../operator/shown-payment-problems.ts';
import { readPaymentProblems } from '../../storage/payments/payment-problems.ts';
import { SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import { HoldDetails, LicenseId } from './fields/license.ts';
import type { AdminParts } from './parts.ts';

const SHOWN_MAX = 200;

const count = (description: string) => Type.Integer({ minimum: 0, description });

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

/** What is wrong with payments. */
export const paymentProblems = ({ authenticate, db, clock }: AdminParts) => {
  const read = readPaymentProblems(db);

  const answer = async () => success(shownPaymentProblems(await read(SHOWN_MAX, clock.now())));

  return new Elysia()
    .derive(authenticate)
    .derive(requireScope('payments:read'))
    .get('/payments/problems', async () => answer(), {
      response: answers(
        show(
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
        ...TOKEN_CODES,
      ),
      detail: {
        operationId: 'listPaymentProblems',
        summary: 'List payment problems',
        description:
          'Failed events are retried automatically, or immediately with `POST /payments/retry`. Scope `payments:read`.',
        tags: [TAGS.payments],
        security: SECURITY,
      },
    });
};
