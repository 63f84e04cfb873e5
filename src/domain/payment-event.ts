import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';

/** What an event is about, and must be fetched again because a payload may be late. */
export const SUBJECT_KINDS = ['setup_intent', 'checkout', 'subscription', 'dispute'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** What is kept of one of the processor's events: never its payload. */
export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  readonly kind: SubjectKind;
  readonly subjectId: string;
}

/** A subject of events of which nothing has come yet. */
export interface WaitingSubject {
  readonly kind: SubjectKind;
  readonly subjectId: string;
  readonly eventIds: readonly string[];
  /** How often the event that was tried most was tried in vain. */
  readonly attempts: number;
}

const RETRY_MS_MIN = SECOND_MS;
export const RETRY_MS_MAX = 5 * MINUTE_MS;

/** How long what could not be settled waits for its next attempt: twice as long each time, one second to five minutes. */
export const retryAfterMs = (attempts: number): number =>
  Math.min(RETRY_MS_MIN * 2 ** attempts, RETRY_MS_MAX);

/**
 * The events that can change what a license is worth, by what they are about. An operator subscribes the
 * webhook to exactly these; at most 20, which is what one listing of events takes.
 */
export const PAYMENT_EVENTS: Readonly<Record<string, SubjectKind>> = {
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

/** An identifier as the processor makes them. */
const IDENTIFIER = /^[A-Za-z0-9_]{1,255}$/;

/** Reads what concerns us of an event; undefined when it concerns us in nothing. */
export function paymentEvent(id: string, type: string, object: unknown): PaymentEvent | undefined {
  const kind = Object.hasOwn(PAYMENT_EVENTS, type) ? PAYMENT_EVENTS[type] : undefined;
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
