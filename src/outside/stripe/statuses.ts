import type { Stripe } from 'stripe';
import type { CardSetupStatus } from '../../domain/license/trial.ts';
import type { DisputeStatus } from '../../domain/payment/dispute.ts';
import type { SubscriptionStatus } from '../../domain/payment/subscription.ts';

// Stripe's statuses in the words of our rules. Stripe may add others, which then grant nothing.

/** The statuses that Stripe's package knows by name; its types let any other text pass as well. */
export type Documented<Status> = Status extends unknown ? (string extends Status ? never : Status) : never;

const SUBSCRIPTION_STATUSES: Readonly<Record<Documented<Stripe.Subscription.Status>, SubscriptionStatus>> = {
  active: 'paid',
  canceled: 'ended',
  incomplete: 'awaited',
  incomplete_expired: 'abandoned',
  past_due: 'past_due',
  paused: 'unpaid',
  trialing: 'paid',
  unpaid: 'unpaid',
};

const DISPUTE_STATUSES: Readonly<Record<Documented<Stripe.Dispute.Status>, DisputeStatus>> = {
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  lost: 'lost',
  needs_response: 'open',
  prevented: 'settled',
  under_review: 'open',
  warning_closed: 'settled',
  warning_needs_response: 'open',
  warning_under_review: 'open',
  won: 'settled',
};

const CARD_SETUP_STATUSES: Readonly<Record<Documented<Stripe.SetupIntent.Status>, CardSetupStatus>> = {
  canceled: 'cancelled',
  processing: 'open',
  requires_action: 'open',
  requires_confirmation: 'open',
  requires_payment_method: 'open',
  succeeded: 'confirmed',
};

/** A subscription's status in our words; one that is not known to be paid is `unpaid`. */
export const subscriptionStatus = (status: Stripe.Subscription.Status): SubscriptionStatus =>
  wordFor(status, SUBSCRIPTION_STATUSES, 'unpaid');

/** A dispute's status in our words; one that is not known to be over is `open`. */
export const disputeStatus = (status: Stripe.Dispute.Status): DisputeStatus =>
  wordFor(status, DISPUTE_STATUSES, 'open');

/** A setup intent's status in our words; one that is not known to be over is `open`. */
export const cardSetupStatus = (status: Stripe.SetupIntent.Status): CardSetupStatus =>
  wordFor(status, CARD_SETUP_STATUSES, 'open');

const wordFor = <Word extends string>(
  status: string,
  words: Readonly<Record<string, Word>>,
  unknown: Word,
): Word => (Object.hasOwn(words, status) ? (words[status] ?? unknown) : unknown);
