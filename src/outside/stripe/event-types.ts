import type { Stripe } from 'stripe';
import type { PaymentEvent, SubjectKind } from '../../domain/payment/payment-event.ts';

/**
 * The events that can change what a license is worth, by what they are about. An operator subscribes the
 * webhook to exactly these; at most 20, which is what one listing of events takes.
 */
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
  'setup_intent.succeeded': 'setup_intent',
  'setup_intent.canceled': 'setup_intent',
  'charge.dispute.created': 'dispute',
  'charge.dispute.updated': 'dispute',
  'charge.dispute.closed': 'dispute',
};

/** An identifier as Stripe makes them. */
const IDENTIFIER = /^[A-Za-z0-9_]{1,255}$/;

/** What concerns us of an event; undefined when it concerns us in nothing. */
export function concerning({ id, type, data: { object } }: Stripe.Event): PaymentEvent | undefined {
  const kind = Object.hasOwn(STRIPE_EVENTS, type) ? STRIPE_EVENTS[type] : undefined;
  if (kind === undefined || !IDENTIFIER.test(id)) return undefined;
  const subjectId = type.startsWith('invoice.') ? subscriptionOf(object) : field(object, 'id');
  if (typeof subjectId !== 'string' || !IDENTIFIER.test(subjectId)) return undefined;
  return { id, type, kind, subjectId };
}

/** An invoice names its subscription in one of two places, depending on the account's API version. */
const subscriptionOf = (invoice: unknown): unknown =>
  field(field(field(invoice, 'parent'), 'subscription_details'), 'subscription') ??
  field(invoice, 'subscription');

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
