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
      kind: oneOf(SUBJECT_KINDS, 'what its events are about'),
      subject_id: t.String({ description: 'what the payment processor calls it' }),
      events: count('of its events that wait'),
      attempts: count('how often that was tried in vain'),
      received_at: timestamp('when the oldest of them came'),
      next_try_at: timestamp('when it is tried again'),
    }),
    { description: `events that cannot be settled, the oldest first, ${SHOWN_MAX} at most` },
  ),
  held_licenses: t.Array(
    typed('HeldLicense', {
      license_id: LicenseId,
      past_due_hold_from: nullable(
        timestamp('from when on a missing payment holds it'),
        'null where none is missing',
      ),
      disputed: t.Boolean({ description: 'whether a payment is disputed' }),
      details: HoldDetails,
    }),
    { description: `licenses that a payment holds, or will, ${SHOWN_MAX} at most` },
  ),
  dismissed_today: count(
    'events of the last 24 hours of which nothing could come; the audit log has them as payment.dismiss',
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
          'What is wrong with payments.',
        ),
        ...TOKEN_CODES,
      ),
      detail: {
        operationId: 'listPaymentProblems',
        summary: 'What is wrong with payments',
        description:
          'Events that fail are tried again by themselves, or at once by `POST /payments/retry`. Scope `payments:read`.',
        tags: [TAGS.payments],
        security: SECURITY,
      },
    });
};
