import type { Stripe } from 'stripe';
import type { DerivedIdentities } from '../../domain/identity.ts';
import { canonicalEmail } from '../../domain/license/email.ts';
import type { CardSetup } from '../../domain/license/trial.ts';
import type { Dispute } from '../../domain/payment/dispute.ts';
import type { PricedItem } from '../../domain/payment/price-list.ts';
import type { Subscription } from '../../domain/payment/subscription.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { isWritable } from '../../lib/timestamp.ts';
import { ProcessorFault } from '../payment-processor.ts';
import { orderOf, TRIAL_KEY } from './order-metadata.ts';
import { cardSetupStatus, disputeStatus, subscriptionStatus } from './statuses.ts';

// Conversions between Stripe's objects and those of this service.

export const lineItem = ({ name, price }: PricedItem) =>
  'priceId' in price
    ? { price: price.priceId, quantity: 1 }
    : {
        quantity: 1,
        price_data: {
          currency: price.currency,
          unit_amount: price.unitAmount,
          product_data: { name },
          recurring: { interval: 'month' as const },
        },
      };

export const cardSetupOf = (intent: Stripe.SetupIntent): CardSetup => ({
  id: intent.id,
  customerId: idOf(intent.customer),
  trialId: intent.metadata?.[TRIAL_KEY] ?? null,
  status: cardSetupStatus(intent.status),
  clientSecret: intent.client_secret,
});

export function subscriptionOf(
  subscription: Stripe.Subscription,
  { installation, emailHash }: Pick<DerivedIdentities, 'installation' | 'emailHash'>,
): Omit<Subscription, 'unpaidSince' | 'fullRefund'> {
  const { id, status, customer, created, items, ended_at, metadata, pause_collection } = subscription;
  const email = typeof customer === 'object' && !customer.deleted ? customer.email : null;
  const periodEnds = items.data.map((item) => momentOf(item.current_period_end));
  return {
    id,
    status: subscriptionStatus(status),
    customerId: idOf(customer) ?? '',
    payerEmailHash: email === null ? null : emailHash(canonicalEmail(email) ?? email),
    createdAt: momentOf(created),
    periodEnd: periodEnds.length === 0 ? null : Math.max(...periodEnds),
    endedAt: typeof ended_at === 'number' ? momentOf(ended_at) : null,
    isCollectionVoided: pause_collection?.behavior === 'void',
    order: orderOf(metadata, installation),
  };
}

/**
 * Converts Stripe's seconds to milliseconds since the Unix epoch.
 *
 * @throws ProcessorFault if it is not an integer or after the year 9999
 */
export function momentOf(seconds: number): number {
  const atMs = seconds * SECOND_MS;
  if (!Number.isInteger(seconds) || !isWritable(atMs)) throw new ProcessorFault('an invalid time');
  return atMs;
}

export const disputeOf = ({ id, status, charge }: Stripe.Dispute): Dispute => ({
  id,
  status: disputeStatus(status),
  customerId: typeof charge === 'object' ? idOf(charge.customer) : null,
});

/** The subscription of an invoice; null for other invoices. */
export const subscriptionIdOf = (invoice: string | Stripe.Invoice | Stripe.DeletedInvoice): string | null =>
  typeof invoice === 'object' && 'parent' in invoice
    ? idOf(invoice.parent?.subscription_details?.subscription ?? null)
    : null;

export const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'object' ? (reference?.id ?? null) : reference;
