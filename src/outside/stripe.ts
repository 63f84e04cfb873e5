import Stripe from 'stripe';
import { PAYMENT_EVENTS, type PaymentEvent, paymentEvent } from '../domain/payment-event.ts';
import type { PricedItem } from '../domain/price-list.ts';
import { refuse } from '../domain/refusal.ts';
import type { Dispute, Subscription } from '../domain/subscription.ts';
import type { CardSetup } from '../domain/trial.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { orderMetadata, orderOf, TRIAL_KEY } from './order-metadata.ts';
import { type PaymentProcessor, ProcessorFault } from './payment-processor.ts';

export interface StripeSettings {
  readonly secretKey: string;
  /** Without it, no delivery is believed. */
  readonly webhookSecret: string | undefined;
  /** Another host than Stripe's, for tests. */
  readonly apiBase: string | undefined;
  /** The mark of our own orders. */
  readonly installation: string;
}

const TIMEOUT_MS = 10 * SECOND_MS;
const DELIVERY_TOLERANCE_MS = 5 * MINUTE_MS;
const EVENTS_PER_PAGE = 100;

/** Stripe's API, asked through its own client. Someone waits for each answer, so nothing is retried here. */
export function createStripe(settings: StripeSettings): PaymentProcessor {
  const { secretKey, webhookSecret, installation } = settings;
  const livemode = /^.k_live_/.test(secretKey);
  const stripe = new Stripe(secretKey, {
    ...hostOf(settings.apiBase),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(),
  });

  return {
    livemode,

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
        if (url === null) throw new ProcessorFault('a checkout without an address');
        return { url };
      }),

    findCheckout: (id) =>
      found(async () => {
        const { subscription, metadata } = await stripe.checkout.sessions.retrieve(id);
        return { id, subscriptionId: idOf(subscription), order: orderOf(metadata, installation) };
      }),

    findSubscription: (id) =>
      found(async () => {
        const subscription = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
        return subscriptionOf(subscription, installation);
      }),

    findDispute: (id) =>
      found(async () => disputeOf(await stripe.disputes.retrieve(id, { expand: ['charge'] }))),

    async readDelivery(body, signature, nowMs) {
      const event = await verified(stripe, body, signature, webhookSecret, nowMs);
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

const lineItem = ({ name, price }: PricedItem) =>
  'stripePrice' in price
    ? { price: price.stripePrice, quantity: 1 }
    : {
        quantity: 1,
        price_data: {
          currency: price.currency,
          unit_amount: price.unitAmount,
          product_data: { name },
          recurring: { interval: 'month' as const },
        },
      };

const cardSetupOf = (intent: Stripe.SetupIntent): CardSetup => ({
  id: intent.id,
  customerId: idOf(intent.customer),
  trialId: intent.metadata?.[TRIAL_KEY] ?? null,
  status: intent.status,
  clientSecret: intent.client_secret,
});

function subscriptionOf(subscription: Stripe.Subscription, installation: string): Subscription {
  const { id, status, customer, created, items, latest_invoice, ended_at, metadata } = subscription;
  const periodEnds = items.data.map((item) => item.current_period_end);
  return {
    id,
    status,
    customerId: idOf(customer) ?? '',
    createdAt: created * SECOND_MS,
    periodEnd: periodEnds.length === 0 ? null : Math.max(...periodEnds) * SECOND_MS,
    invoicedAt: typeof latest_invoice === 'object' ? momentOf(latest_invoice?.created) : null,
    endedAt: momentOf(ended_at),
    order: orderOf(metadata, installation),
  };
}

const disputeOf = ({ id, status, charge }: Stripe.Dispute): Dispute => ({
  id,
  status,
  customerId: typeof charge === 'object' ? idOf(charge.customer) : null,
});

const momentOf = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : seconds * SECOND_MS;

const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'object' ? (reference?.id ?? null) : reference;

const concerning = ({ id, type, data }: Stripe.Event): PaymentEvent | undefined =>
  paymentEvent(id, type, data.object);

/** Checks the signature over the body as it came, and its time stamp in both directions. */
async function verified(
  stripe: Stripe,
  body: Uint8Array,
  signature: string,
  webhookSecret: string | undefined,
  nowMs: number,
): Promise<Stripe.Event> {
  // Stripe's client refuses what is too old and takes what is of the future.
  const stamps = [...signature.matchAll(/(?:^|,)\s*t=(\d{1,15})(?=,|$)/g)].map(([, seconds]) =>
    Number(seconds),
  );
  const [stamp] = stamps;
  if (webhookSecret === undefined || stamp === undefined || stamps.length > 1) throw rejected();
  if (stamp * SECOND_MS > nowMs + DELIVERY_TOLERANCE_MS) throw rejected();
  try {
    return await stripe.webhooks.constructEventAsync(
      Buffer.from(body),
      signature,
      webhookSecret,
      DELIVERY_TOLERANCE_MS / SECOND_MS,
      undefined,
      nowMs,
    );
  } catch {
    throw rejected();
  }
}

const rejected = () => refuse('WEBHOOK_REJECTED', 'This delivery is not believed.');

async function* eventPages(
  stripe: Stripe,
  created: { gte: number; lt: number },
): AsyncGenerator<PaymentEvent[]> {
  const types = Object.keys(PAYMENT_EVENTS);
  let after: string | undefined;
  do {
    const page = await asked(() =>
      stripe.events.list({
        types,
        created,
        limit: EVENTS_PER_PAGE,
        ...(after === undefined ? {} : { starting_after: after }),
      }),
    );
    yield page.data.map(concerning).filter((event) => event !== undefined);
    after = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (after !== undefined);
}

/** Turns whatever the client throws into a fault that can be logged: its kind, not its text. */
async function asked<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    throw new ProcessorFault(kindOf(error));
  }
}

/** The same for an object that may be gone. */
async function found<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask();
  } catch (error) {
    if ((error as StripeFailure).code === 'resource_missing') return undefined;
    throw new ProcessorFault(kindOf(error));
  }
}

interface StripeFailure {
  readonly type?: string;
  readonly code?: string;
  readonly statusCode?: number;
}

const kindOf = (error: unknown): string => {
  if (error instanceof ProcessorFault) return error.message;
  const { type = 'unknown', code, statusCode } = error as StripeFailure;
  return [type, statusCode, code].filter((part) => part !== undefined).join(' ');
};
