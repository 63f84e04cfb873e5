import type { Stripe } from 'stripe';

// The used fields of Stripe's objects, checked against the types of Stripe's package.

type List<Value> = {
  readonly object: 'list';
  readonly data: Value[];
  readonly has_more: boolean;
  url: string;
};

export type Customer = Pick<Stripe.Customer, 'id' | 'object' | 'created' | 'email' | 'livemode' | 'metadata'>;
export type SetupIntent = Pick<
  Stripe.SetupIntent,
  | 'id'
  | 'object'
  | 'created'
  | 'client_secret'
  | 'livemode'
  | 'metadata'
  | 'status'
  | 'usage'
  | 'allowed_payment_method_types'
> & { customer: string | null };
export type Session = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'created'
  | 'livemode'
  | 'metadata'
  | 'mode'
  | 'status'
  | 'payment_status'
  | 'url'
  | 'success_url'
> & { subscription: string | null };
export type Item = Pick<
  Stripe.SubscriptionItem,
  'id' | 'object' | 'current_period_start' | 'current_period_end' | 'subscription'
>;
export type Subscription = Pick<
  Stripe.Subscription,
  'id' | 'object' | 'created' | 'ended_at' | 'livemode' | 'metadata' | 'pause_collection' | 'status'
> & { customer: string; items: List<Item> };
export type InvoicePayment = Pick<Stripe.InvoicePayment, 'id' | 'object' | 'amount_paid' | 'status'> & {
  payment: { type: 'payment_intent'; payment_intent: string };
};
export type Invoice = Pick<
  Stripe.Invoice,
  | 'object'
  | 'amount_due'
  | 'amount_paid'
  | 'billing_reason'
  | 'created'
  | 'livemode'
  | 'post_payment_credit_notes_amount'
  | 'status'
> & {
  id: string;
  lines: List<{ parent: { subscription_item_details: { proration: boolean } } }>;
  parent: { type: 'subscription_details'; subscription_details: { subscription: string } };
  payments: List<InvoicePayment>;
};
export type Price = Pick<Stripe.Price, 'active' | 'currency'> & { interval: 'month' | 'year' | null };
export type Refund = Pick<Stripe.Refund, 'id' | 'object' | 'amount' | 'created' | 'status'> & {
  charge: string;
  payment_intent: string;
};
export type CreditNote = Pick<
  Stripe.CreditNote,
  'id' | 'object' | 'created' | 'livemode' | 'out_of_band_amount' | 'status'
> & { invoice: string };
export type Charge = Pick<Stripe.Charge, 'id' | 'object' | 'created' | 'livemode'> & { customer: string };
export type Dispute = Pick<Stripe.Dispute, 'id' | 'object' | 'created' | 'livemode' | 'status'> & {
  charge: string;
};
export type Event = Pick<Stripe.Event, 'id' | 'object' | 'api_version' | 'created' | 'livemode' | 'type'> & {
  data: { object: object };
};

/** The object in the answer to a failed request. */
export interface ApiError {
  readonly type: Stripe.StripeRawError['type'];
  readonly code?: string;
  readonly message: string;
}

export const listOf = <Value>(data: Value[], url: string, has_more = false): List<Value> => ({
  object: 'list',
  data,
  has_more,
  url,
});
