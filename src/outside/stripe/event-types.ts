import type { Stripe } from 'stripe';
import type { PaymentEvent, SubjectKind } from '../../domain/payment/payment-event.ts';

/** The events that can affect a license, with the kind of their subject. Operators subscribe the webhook to exactly these. */
export const STRIPE_EVENTS: Readonly<Record<string, SubjectKind>> = {
  'checkout.session.completed': 'checkout',
  'checkout.session.async_payment_succeeded': 'checkout',
  'customer.subscription.created': 'subscription',
  'customer.subscription.updated': 'subscription',
  'customer.subscription.deleted': 'subscription',
  'customer.subscription.paused': 'subscription',
  'customer.subscription.resumed': 'subscription',
  'invoice.paid': 'subscription',
  'invoice.payment_failed': 'subscription',
  'invoice.voided': 'subscription',
  'invoice.marked_uncollectible': 'subscription',
  // Accounts with an older API version report some refunds only by the charge.
  'charge.refunded': 'payment',
  'charge.refund.updated': 'payment',
  'refund.created': 'payment',
  'refund.updated': 'payment',
  'refund.failed': 'payment',
  'credit_note.created': 'invoice',
  'credit_note.voided': 'invoice',
  'setup_intent.succeeded': 'setup_intent',
  'setup_intent.canceled': 'setup_intent',
  'charge.dispute.created': 'dispute',
  'charge.dispute.updated': 'dispute',
  'charge.dispute.closed': 'dispute',
};

const IDENTIFIER = /^[A-Za-z0-9_]{1,255}$/;

/** Extracts the relevant parts of an event; undefined if it is irrelevant, such as events of connected accounts. */
export function relevantEvent({
  id,
  type,
  account,
  data: { object },
}: Stripe.Event): PaymentEvent | undefined {
  const kind = Object.hasOwn(STRIPE_EVENTS, type) ? STRIPE_EVENTS[type] : undefined;
  if (kind === undefined || typeof account === 'string' || !IDENTIFIER.test(id)) return undefined;
  const subjectId = subjectOf(type, kind, object);
  if (typeof subjectId !== 'string' || !IDENTIFIER.test(subjectId)) return undefined;
  return { id, type, kind, subjectId };
}

function subjectOf(type: string, kind: SubjectKind, object: unknown): unknown {
  if (type.startsWith('invoice.')) return subscriptionOf(object);
  if (kind === 'payment') return field(object, 'payment_intent');
  return field(object, kind === 'invoice' ? 'invoice' : 'id');
}

/** The API version of the account determines which of two fields names the subscription. */
const subscriptionOf = (invoice: unknown): unknown =>
  field(field(field(invoice, 'parent'), 'subscription_details'), 'subscription') ??
  field(invoice, 'subscription');

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
