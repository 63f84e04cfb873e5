import { Type as t } from '@sinclair/typebox';
import { SUBJECT_KINDS } from '../../domain/payment/payment-event.ts';
import { refuse } from '../../domain/refusal.ts';
import { KIB } from '../../http/context.ts';
import { show, typed } from '../../http/contract/answers.ts';
import { count, oneOf, text } from '../../http/fields.ts';
import { TAGS } from '../../routes/admin/contract.ts';
import { noticesField, reasonField, replayedField } from '../../routes/admin/fields/act.ts';
import type { Parts } from '../../routes/parts.ts';
import { actRoute } from '../route.ts';
import { retry, retrySubject } from './acts.ts';

const SUBJECT_CHARACTERS_MAX = 255;

const Kind = oneOf(SUBJECT_KINDS, 'kind of subject; requires `subject_id`');
const SubjectId = text({
  minLength: 1,
  maxLength: SUBJECT_CHARACTERS_MAX,
  description: 'ID at the payment processor, as listed by `GET /payments/problems`',
});

/** The valid combinations, for the contract. */
const RetryOfOneOrAll = t.Union(
  [
    typed('RetryOfAll', { all: t.Literal(true, { description: 'all failed events' }), ...reasonField }),
    typed('RetryOfOne', {
      kind: Kind,
      subject_id: SubjectId,
      all: t.Optional(t.Literal(false, { description: 'only the named subject' })),
      ...reasonField,
    }),
  ],
  { title: 'PaymentRetry', examples: [retry.api?.example] },
);

const PaymentsRetried = typed('PaymentsRetried', {
  events: count('number of events being retried'),
  ...noticesField,
  ...replayedField,
});

export const paymentActRoute = actRoute(
  retry,
  {
    path: '/payments/retry',
    scope: 'payments:write',
    tag: TAGS.payments,
    capBytes: 8 * KIB,
    isBodyNeeded: true,
    target: { kind: t.Optional(Kind), subject_id: t.Optional(SubjectId) },
    shownBody: RetryOfOneOrAll,
    done: show(
      PaymentsRetried,
      { events: 2, notices: [], replayed: false },
      'Returns the number of events being retried; `GET /payments/problems` lists those that still fail.',
    ),
  },
  ({ config, settlePayments }: Parts<'config' | 'settlePayments'>) => ({
    find(_, { kind, subject_id, all }) {
      const subject = retrySubject(kind, subject_id, all === true);
      if (subject === undefined) throw refuse('INVALID_PAYLOAD', 'Send kind and subject_id, or all: true.');
      const hasProcessor = config.stripeSecretKey !== undefined;
      return { subject: subject === 'all' ? undefined : subject, hasProcessor };
    },
    async answer(_, __, { facts, notices, plan }) {
      settlePayments();
      return { events: Number(facts.events), notices: [...notices], replayed: plan === undefined };
    },
  }),
);
