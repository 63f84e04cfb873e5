import type { Stripe } from 'stripe';
import type { CardSetupStatus } from '../../domain/license/trial.ts';
import type { DisputeStatus } from '../../domain/payment/dispute.ts';
import type { SubscriptionStatus } from '../../domain/payment/subscription.ts';

// Maps Stripe's statuses to those of our rules. Unknown statuses, which Stripe may add, grant nothing.

/** The literal statuses of Stripe's types, without the `string` that admits others. */
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

/** Maps a subscription's status; an unknown one becomes `unpaid`. */
export const subscriptionStatus = (status: Stripe.Subscription.Status): SubscriptionStatus =>
  wordFor(status, SUBSCRIPTION_STATUSES, 'unpaid');

/** Maps a dispute's status; an unknown one becomes `open`. */
export const disputeStatus = (status: Stripe.Dispute.Status): DisputeStatus =>
  wordFor(status, DISPUTE_STATUSES, 'open');

/** Maps a setup intent's status; an unknown one becomes `open`. */
export const cardSetupStatus = (status: Stripe.SetupIntent.Status): CardSetupStatus =>
  wordFor(status, CARD_SETUP_STATUSES, 'open');

const wordFor = <Word extends string>(
  status: string,
  words: Readonly<Record<string, Word>>,
  unknown: Word,
): Word => (Object.hasOwn(words, status) ? (words[status] ?? unknown) : unknown);
