import type { LicenseEnvironment } from '../domain/license/license-key.ts';
import type { CardSetup } from '../domain/license/trial.ts';
import type { Dispute } from '../domain/payment/dispute.ts';
import type { PaymentEvent } from '../domain/payment/payment-event.ts';
import type { PricedItem } from '../domain/payment/price-list.ts';
import type { Order, Subscription } from '../domain/payment/subscription.ts';
import { Fault } from '../lib/fault.ts';

/**
 * The payment processor, as far as we ask it. Every call may take seconds and may fail; a failure is
 * thrown as a {@link ProcessorFault}.
 */
export interface PaymentProcessor {
  /** Of the licenses that it pays for: `live` where real money moves. */
  readonly environment: LicenseEnvironment;

  /** Asked again for the same trial, it answers with the same customer. */
  createCustomer(request: { trialId: string; email: string }): Promise<string>;
  /** Prepares for a card to be confirmed now and charged later; for the same trial always the same. */
  createCardSetup(request: { trialId: string; customerId: string }): Promise<CardSetup>;
  findCardSetup(id: string): Promise<CardSetup | undefined>;
  /** @throws ProcessorFault also when it can no longer be cancelled */
  cancelCardSetup(id: string): Promise<void>;

  /** Opens a page where a buyer pays. */
  createCheckout(request: CheckoutRequest): Promise<{ url: string }>;
  findCheckout(id: string): Promise<Checkout | undefined>;
  findSubscription(id: string): Promise<Subscription | undefined>;
  /** The subscriptions whose invoices a payment has paid; none for a payment of another kind. */
  findSubscriptionIdsOfPayment(id: string): Promise<string[] | undefined>;
  /** Null for an invoice of another kind. */
  findSubscriptionIdOfInvoice(id: string): Promise<string | null | undefined>;
  findDispute(id: string): Promise<Dispute | undefined>;

  /**
   * Reads a delivery of the webhook.
   *
   * @returns undefined for an event that does not concern us
   * @throws Refusal for a wrong signature, a time stamp too far from now, or another mode
   */
  readDelivery(body: Uint8Array, signature: string, nowMs: number): Promise<PaymentEvent | undefined>;
  /** The events of a span that concern us, in pages; the moments are milliseconds since the Unix epoch. */
  listEvents(span: { since: number; until: number }): AsyncIterable<PaymentEvent[]>;
}

export interface CheckoutRequest {
  readonly items: readonly PricedItem[];
  readonly order: Order;
  readonly email: string | undefined;
  /** Where the buyer lands after paying; `{CHECKOUT_SESSION_ID}` is filled in. */
  readonly successUrl: string;
  readonly cancelUrl: string;
}

export interface Checkout {
  readonly id: string;
  /** Null until it was completed. */
  readonly subscriptionId: string | null;
  readonly order: Order | null;
}

/** A call to the processor that came to nothing. Its message is safe to log: it never holds what was sent. */
export class ProcessorFault extends Fault {}
