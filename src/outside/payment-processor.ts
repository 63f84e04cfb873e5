import type { LicenseEnvironment } from '../domain/license/license-key.ts';
import type { CardSetup } from '../domain/license/trial.ts';
import type { Dispute } from '../domain/payment/dispute.ts';
import type { PaymentEvent } from '../domain/payment/payment-event.ts';
import type { PricedItem } from '../domain/payment/price-list.ts';
import type { Order, Subscription } from '../domain/payment/subscription.ts';
import { Fault } from '../lib/fault.ts';

/**
 * The operations of the payment processor that are used. Calls may take seconds; failures are thrown as {@link ProcessorFault}.
 */
export interface PaymentProcessor {
  /** Environment of the licenses it pays for: `live` with real money. */
  readonly environment: LicenseEnvironment;

  /** Idempotent: returns the same customer for the same trial. */
  createCustomer(request: { trialId: string; email: string }): Promise<string>;
  /** Prepares the confirmation of a card that is charged later. Idempotent for a trial. */
  createCardSetup(request: { trialId: string; customerId: string }): Promise<CardSetup>;
  findCardSetup(id: string): Promise<CardSetup | undefined>;
  /** @throws ProcessorFault also if it can no longer be cancelled */
  cancelCardSetup(id: string): Promise<void>;

  /** Creates a payment page for a buyer. */
  createCheckout(request: CheckoutRequest): Promise<{ url: string }>;
  findCheckout(id: string): Promise<Checkout | undefined>;
  findSubscription(id: string): Promise<Subscription | undefined>;
  /** The subscriptions whose invoices a payment paid; empty for other payments. */
  findSubscriptionIdsOfPayment(id: string): Promise<string[] | undefined>;
  /** Null if the invoice is not for a subscription. */
  findSubscriptionIdOfInvoice(id: string): Promise<string | null | undefined>;
  findDispute(id: string): Promise<Dispute | undefined>;

  /**
   * Verifies and reads a webhook delivery.
   *
   * @returns undefined for an irrelevant event
   * @throws Refusal for a wrong signature, a timestamp out of tolerance, or the wrong mode
   */
  readDelivery(body: Uint8Array, signature: string, nowMs: number): Promise<PaymentEvent | undefined>;
  /** Lists the relevant events of a period in pages; moments are milliseconds since the Unix epoch. */
  listEvents(span: { since: number; until: number }): AsyncIterable<PaymentEvent[]>;
}

export interface CheckoutRequest {
  readonly items: readonly PricedItem[];
  readonly order: Order;
  readonly email: string | undefined;
  /** Where the buyer returns after payment; Stripe replaces `{CHECKOUT_SESSION_ID}`. */
  readonly successUrl: string;
  readonly cancelUrl: string;
}

export interface Checkout {
  readonly id: string;
  /** Null until the checkout is completed. */
  readonly subscriptionId: string | null;
  readonly order: Order | null;
}

/** A failed call to the processor. The message contains no data of the request, so it is safe to log. */
export class ProcessorFault extends Fault {}
