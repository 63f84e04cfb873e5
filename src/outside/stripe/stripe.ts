import type { Stripe } from 'stripe';
import type { DerivedIdentities } from '../../domain/identity.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { type PaymentProcessor, ProcessorFault } from '../payment-processor.ts';
import { relevantEvent } from './event-types.ts';
import { fullRefund, invoicesOf, oldestOpen } from './invoices.ts';
import { orderMetadata, orderOf, TRIAL_KEY } from './order-metadata.ts';
import { eventPages, rejected, verifiedEvent } from './stripe-events.ts';
import { callStripe, findInStripe } from './stripe-faults.ts';
import {
  cardSetupOf,
  disputeOf,
  idOf,
  lineItem,
  subscriptionIdOf,
  subscriptionOf,
} from './stripe-objects.ts';

export interface StripeSettings {
  readonly secretKey: string;
  /** Undefined = all deliveries are rejected. */
  readonly webhookSecret: string | undefined;
  /** Replaces Stripe's host in tests. */
  readonly apiBase: string | undefined;
  /** The installation's mark for its own orders, and the hash for a buyer's address, which is not stored itself. */
  readonly identities: Pick<DerivedIdentities, 'installation' | 'emailHash'>;
  /** Time limit for one call. */
  readonly timeoutMs?: number;
}

/**
 * Calls Stripe's API through the official client. The client is loaded here, so that installations without Stripe start faster.
 * Nothing is retried, because callers wait for each answer.
 */
export async function createStripe(settings: StripeSettings): Promise<PaymentProcessor> {
  const { secretKey, webhookSecret, identities, timeoutMs = 10 * SECOND_MS } = settings;
  const livemode = /^.k_live_/.test(secretKey);
  const { Stripe } = await import('stripe');
  const stripe = new Stripe(secretKey, {
    ...hostOf(settings.apiBase),
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(),
  });

  return {
    environment: livemode ? 'live' : 'test',

    createCustomer: ({ trialId, email }) =>
      callStripe(async () => {
        const metadata = { [TRIAL_KEY]: trialId };
        const options = { idempotencyKey: `redoubt-trial-${trialId}-customer` };
        return (await stripe.customers.create({ email, metadata }, options)).id;
      }),

    createCardSetup: ({ trialId, customerId }) =>
      callStripe(async () =>
        cardSetupOf(
          await stripe.setupIntents.create(
            {
              customer: customerId,
              usage: 'off_session',
              allowed_payment_method_types: ['card'],
              metadata: { [TRIAL_KEY]: trialId },
            },
            { idempotencyKey: `redoubt-trial-${trialId}-setup` },
          ),
        ),
      ),

    findCardSetup: (id) => findInStripe(async () => cardSetupOf(await stripe.setupIntents.retrieve(id))),

    cancelCardSetup: (id) =>
      callStripe(async () => {
        await stripe.setupIntents.cancel(id);
      }),

    createCheckout: ({ items, order, email, successUrl, cancelUrl }) =>
      callStripe(async () => {
        const metadata = orderMetadata(order);
        const { url } = await stripe.checkout.sessions.create({
          mode: 'subscription',
          line_items: items.map(lineItem),
          metadata,
          subscription_data: { metadata },
          success_url: successUrl,
          cancel_url: cancelUrl,
          ...(email === undefined ? {} : { customer_email: email }),
        });
        if (url === null) throw new ProcessorFault('a checkout without a URL');
        return { url };
      }),

    findCheckout: (id) =>
      findInStripe(async () => {
        const { subscription, metadata } = await stripe.checkout.sessions.retrieve(id);
        return { id, subscriptionId: idOf(subscription), order: orderOf(metadata, identities.installation) };
      }),

    findSubscription: (id) =>
      findInStripe(async () => {
        const subscription = subscriptionOf(
          await stripe.subscriptions.retrieve(id, { expand: ['customer'] }),
          identities,
        );
        const isRunning = ['paid', 'past_due', 'unpaid'].includes(subscription.status);
        const invoices = isRunning ? await invoicesOf(stripe, id) : [];
        return {
          ...subscription,
          unpaidSince: subscription.status === 'past_due' ? oldestOpen(invoices) : null,
          fullRefund: await fullRefund(stripe, invoices),
        };
      }),

    findSubscriptionIdsOfPayment: (id) =>
      findInStripe(async () => {
        const { data } = await stripe.invoicePayments.list({
          payment: { type: 'payment_intent', payment_intent: id },
          expand: ['data.invoice'],
        });
        const subscriptions = data.map(({ invoice }) => subscriptionIdOf(invoice));
        return [...new Set(subscriptions.filter((each) => each !== null))];
      }),

    findSubscriptionIdOfInvoice: (id) =>
      findInStripe(async () => subscriptionIdOf(await stripe.invoices.retrieve(id))),

    findDispute: (id) =>
      findInStripe(async () => disputeOf(await stripe.disputes.retrieve(id, { expand: ['charge'] }))),

    async readDelivery(body, signature, nowMs) {
      const event = await verifiedEvent(stripe, body, signature, webhookSecret, nowMs);
      if (event.livemode !== livemode) throw rejected();
      return relevantEvent(event);
    },

    listEvents: ({ since, until }) =>
      eventPages(stripe, { gte: Math.floor(since / SECOND_MS), lt: Math.ceil(until / SECOND_MS) }),
  };
}

function hostOf(apiBase: string | undefined): Pick<Stripe.StripeConfig, 'protocol' | 'host' | 'port'> {
  if (apiBase === undefined) return {};
  const { protocol, hostname, port } = new URL(apiBase);
  const secure = protocol === 'https:';
  return { protocol: secure ? 'https' : 'http', host: hostname, port: port || (secure ? 443 : 80) };
}
