import { type Static, Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { type PaymentSubject, SUBJECT_KINDS } from '../../domain/payment/payment-event.ts';
import { refuse } from '../../domain/refusal.ts';
import { requireScope } from '../../http/admin-caller.ts';
import { bodySchema, readJson } from '../../http/body.ts';
import { KIB } from '../../http/context.ts';
import { answers, BODY_CODES, show, success, typed } from '../../http/contract/answers.ts';
import { oneOf, text } from '../../http/fields.ts';
import { checkBody } from '../../http/schema-check.ts';
import { retryPayments } from '../../operator/retry-payment.ts';
import { ACT_CODES, SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import {
  type AdminRequest,
  act,
  IDEMPOTENCY,
  noticesField,
  reasonField,
  replayedField,
} from './fields/act.ts';
import type { AdminParts } from './parts.ts';

const SUBJECT_CHARACTERS_MAX = 255;

const Kind = oneOf(SUBJECT_KINDS, 'what the events are about; together with `subject_id`');
const SubjectId = text({
  minLength: 1,
  maxLength: SUBJECT_CHARACTERS_MAX,
  description: 'its id at the payment processor, as listed by `GET /payments/problems`',
});
const PaymentRetry = bodySchema(
  'PaymentRetry',
  {
    kind: t.Optional(Kind),
    subject_id: t.Optional(SubjectId),
    all: t.Optional(t.Boolean()),
    ...reasonField,
  },
  { all: true, reason: 'Stripe is back' },
);

/** The same for the contract, which says what belongs together. */
const RetryOfOneOrAll = t.Union(
  [
    typed('RetryOfAll', {
      all: t.Literal(true, { description: 'everything that fails' }),
      ...reasonField,
    }),
    typed('RetryOfOne', {
      kind: Kind,
      subject_id: SubjectId,
      all: t.Optional(t.Literal(false, { description: 'only what is named' })),
      ...reasonField,
    }),
  ],
  { title: 'PaymentRetry', examples: PaymentRetry.examples },
);

const PaymentsRetried = typed('PaymentsRetried', {
  events: Type.Integer({ minimum: 0, description: 'how many are tried again' }),
  ...noticesField,
  ...replayedField,
});

/** @throws Refusal where it is neither one subject nor all */
function subjectIn({ kind, subject_id: subjectId, all = false }: Static<typeof PaymentRetry>) {
  if (all && kind === undefined && subjectId === undefined) return undefined;
  if (all || kind === undefined || subjectId === undefined)
    throw refuse('INVALID_PAYLOAD', 'Send kind and subject_id, or all: true.');
  return { kind, subjectId } satisfies PaymentSubject;
}

/** Has events tried again that could not be settled. */
export const paymentRetry = (parts: AdminParts) => {
  const { db, config, settlePayments } = parts;

  const retry = async (request: AdminRequest) => {
    const subject = subjectIn(request.body as Static<typeof PaymentRetry>);
    const done = await act(parts, request, async (by) => {
      const planned = await retryPayments(db, subject, by, config.stripeSecretKey !== undefined);
      // No other change matters: what has been settled meanwhile is left alone.
      return 'refused' in planned
        ? planned
        : { ...planned, facts: { events: planned.events }, holdsAnyway: true as const };
    });
    settlePayments();
    return success({
      events: Number(done.facts.events),
      notices: [...done.notices],
      replayed: done.plan === undefined,
    });
  };

  return new Elysia()
    .derive(parts.authenticate)
    .derive(requireScope('payments:write'))
    .onTransform(readJson({ capBytes: 8 * KIB }))
    .onTransform(checkBody(PaymentRetry))
    .post(
      '/payments/retry',
      async ({ request, set, caller, body }) => retry({ request, set, caller, body }),
      {
        body: RetryOfOneOrAll,
        response: answers(
          show(
            PaymentsRetried,
            { events: 2, notices: [], replayed: false },
            'They are tried now; `GET /payments/problems` tells what still fails.',
          ),
          ...TOKEN_CODES,
          ...BODY_CODES,
          ...ACT_CODES,
        ),
        detail: {
          operationId: 'retryPayments',
          summary: 'Try again now what could not be settled',
          description:
            'What fails is tried again by itself, at most five minutes later; this is for when its cause is gone. Scope `payments:write`.',
          parameters: [IDEMPOTENCY],
          tags: [TAGS.payments],
          security: SECURITY,
        },
      },
    );
};
