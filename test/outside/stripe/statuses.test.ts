import { describe, expect, test } from 'bun:test';
import type { Stripe } from 'stripe';
import type { CardSetupStatus } from '../../../src/domain/license/trial.ts';
import type { DisputeStatus } from '../../../src/domain/payment/dispute.ts';
import type { SubscriptionStatus } from '../../../src/domain/payment/subscription.ts';
import {
  cardSetupStatus,
  type Documented,
  disputeStatus,
  subscriptionStatus,
} from '../../../src/outside/stripe/statuses.ts';

// The types require these tables to contain all values that Stripe's package documents.
const SUBSCRIPTIONS: Record<Documented<Stripe.Subscription.Status>, SubscriptionStatus> = {
  incomplete: 'awaited',
  incomplete_expired: 'abandoned',
  trialing: 'paid',
  active: 'paid',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'unpaid',
  canceled: 'ended',
};
const DISPUTES: Record<Documented<Stripe.Dispute.Status>, DisputeStatus> = {
  warning_needs_response: 'open',
  warning_under_review: 'open',
  warning_closed: 'settled',
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'settled',
  prevented: 'settled',
  lost: 'lost',
};
const CARD_SETUPS: Record<Documented<Stripe.SetupIntent.Status>, CardSetupStatus> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  processing: 'open',
  succeeded: 'confirmed',
  canceled: 'cancelled',
};

describe.each([
  ['a subscription', SUBSCRIPTIONS, subscriptionStatus, 'unpaid'],
  ['a dispute', DISPUTES, disputeStatus, 'open'],
  ['a card setup', CARD_SETUPS, cardSetupStatus, 'open'],
] as const)('the status of %s', (_, table, translate, safe) => {
  test.each(Object.entries(table))('%s maps to %s', (status, ours) => {
    expect(translate(status)).toBe(ours);
  });

  test.each(['', 'new_in_2030', 'Active', 'paid', 'settled', 'confirmed', 'constructor', '__proto__'])(
    `that Stripe does not document is ${safe}: %p`,
    (status) => {
      expect(translate(status)).toBe(safe);
    },
  );
});
