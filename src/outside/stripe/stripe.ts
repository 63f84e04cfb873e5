import type { Stripe } from 'stripe';
import type { DerivedIdentities } from '../../domain/identity.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { type PaymentProcessor, ProcessorFault } from '../payment-processor.ts';
import { concerning } from './event-types.ts';
import { fullRefund, invoicesOf, oldestOpen } from './invoices.ts';
import { orderMetadata, orderOf, TRIAL_KEY } from './order-metadata.ts';
import { eventPages, rejected, verifiedEvent } from './stripe-events.ts';
import { asked, found } from './stripe-faults.ts';
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
  /** Without it, no delivery is believed. */
  readonly webhookSecret: string | undefined;
  /** Another host than Stripe's, for tests. */
  readonly apiBase: string | undefined;
  /** The mark of our own orders, and what is made of a buyer's mailbox, whose address goes no further. */
  readonly identities: Pick<DerivedIdentities, 'installation' | 'emailHash'>;
  /** How long one answer may take. */
  readonly timeoutMs?: number;
}

/**
 * Stripe's API through its own client, which is loaded only here, so that a start without Stripe does not wait
 * for it. A caller waits for each answer, so nothing is retried.
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
      asked(async () => {
        const metadata = { [TRIAL_KEY]: trialId };
        const options = { idempotencyKey: `redoubt-trial-${trialId}-customer` };
        return (await stripe.customers.create({ email, metadata }, options)).id;
      }),

    createCardSetup: ({ trialId, customerId }) =>
      asked(async () =>
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

    findCardSetup: (id) => found(async () => cardSetupOf(await stripe.setupIntents.retrieve(id))),

    cancelCardSetup: (id) =>
      asked(async () => {
        await stripe.setupIntents.cancel(id);
      }),

    createCheckout: ({ items, order, email, successUrl, cancelUrl }) =>
      asked(async () => {
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
      found(async () => {
        const { subscription, metadata } = await stripe.checkout.sessions.retrieve(id);
        return { id, subscriptionId: idOf(subscription), order: orderOf(metadata, identities.installation) };
      }),

    findSubscription: (id) =>
      found(async () => {
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
      found(async () => {
        const { data } = await stripe.invoicePayments.list({
          payment: { type: 'payment_intent', payment_intent: id },
          expand: ['data.invoice'],
        });
        const subscriptions = data.map(({ invoice }) => subscriptionIdOf(invoice));
        return [...new Set(subscriptions.filter((each) => each !== null))];
      }),

    findSubscriptionIdOfInvoice: (id) =>
      found(async () => subscriptionIdOf(await stripe.invoices.retrieve(id))),

    findDispute: (id) =>
      found(async () => disputeOf(await stripe.disputes.retrieve(id, { expand: ['charge'] }))),

    async readDelivery(body, signature, nowMs) {
      const event = await verifiedEvent(stripe, body, signature, webhookSecret, nowMs);
      if (event.livemode !== livemode) throw rejected();
      return concerning(event);
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
