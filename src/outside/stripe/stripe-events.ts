import type { Stripe } from 'stripe';
import type { PaymentEvent } from '../../domain/payment/payment-event.ts';
import { refuse } from '../../domain/refusal.ts';
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { relevantEvent, STRIPE_EVENTS } from './event-types.ts';
import { callStripe } from './stripe-faults.ts';

const DELIVERY_TOLERANCE_MS = 5 * MINUTE_MS;
const EVENTS_PER_PAGE = 100;
/** Stripe's limit for one list request. */
const TYPES_PER_LIST = 20;

/** Verifies the signature of a delivery over the raw body, and that its timestamp is neither too old nor in the future. */
export async function verifiedEvent(
  stripe: Stripe,
  body: Uint8Array,
  signature: string,
  webhookSecret: string | undefined,
  nowMs: number,
): Promise<Stripe.Event> {
  // Stripe's client refuses old timestamps but accepts future ones.
  const stamps = [...signature.matchAll(/(?:^|,)\s*t=(\d{1,15})(?=,|$)/g)].map(([, seconds]) =>
    Number(seconds),
  );
  const [stamp] = stamps;
  if (webhookSecret === undefined || stamp === undefined || stamps.length > 1) throw rejected();
  if (stamp * SECOND_MS > nowMs + DELIVERY_TOLERANCE_MS) throw rejected();
  let event: Stripe.Event;
  try {
    event = await stripe.webhooks.constructEventAsync(
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
  if (!isEvent(event)) throw rejected();
  return event;
}

/** Stripe's client verifies only the signature, not the structure of the event. */
const isEvent = (event: Partial<Stripe.Event> | null): boolean =>
  typeof event?.id === 'string' && typeof event.type === 'string' && typeof event.data?.object === 'object';

/** The same refusal for every failure, so that an attacker learns nothing from it. */
export const rejected = () =>
  refuse('WEBHOOK_REJECTED', 'The signature, timestamp or mode of this delivery is wrong.');

/** All relevant events of a period in pages; Stripe lists the newest first. */
export async function* eventPages(
  stripe: Stripe,
  created: { gte: number; lt: number },
): AsyncGenerator<PaymentEvent[]> {
  const all = Object.keys(STRIPE_EVENTS);
  for (let at = 0; at < all.length; at += TYPES_PER_LIST) {
    yield* pagesOf(stripe, all.slice(at, at + TYPES_PER_LIST), created);
  }
}

async function* pagesOf(
  stripe: Stripe,
  types: string[],
  created: { gte: number; lt: number },
): AsyncGenerator<PaymentEvent[]> {
  let after: string | undefined;
  do {
    const page = await callStripe(() =>
      stripe.events.list({
        types,
        created,
        limit: EVENTS_PER_PAGE,
        ...(after === undefined ? {} : { starting_after: after }),
      }),
    );
    yield page.data.map(relevantEvent).filter((event) => event !== undefined);
    after = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (after !== undefined);
}
