import { Elysia } from 'elysia';
import { isRefusal, refuse } from '../domain/refusal.ts';
import { bodyBytesOf } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import type { Parts } from './parts.ts';

/** Stripe's largest events are far smaller. */
const CAP_BYTES = 256 * KIB;

/** Deliveries of the payment processor; outside the contract, and not there without its signing secret. */
export const webhook = ({ config, peekLimits, payments: { processor, take }, clock }: Parts) => {
  const routes = new Elysia({ detail: { hide: true } });
  if (processor === undefined || config.stripeWebhookSecret === undefined) return routes;
  return routes.derive(peekLimits).post('/webhooks/stripe', async ({ request, set }) => {
    const signature = request.headers.get('stripe-signature');
    if (signature === null)
      throw refuse('WEBHOOK_REJECTED', 'The signature, timestamp or mode of this delivery is wrong.');
    const body = await bodyBytesOf({ request, set }, CAP_BYTES, 'WEBHOOK_REJECTED');
    const event = await processor.readDelivery(body, signature, clock.now());
    const refusal = event && (await take(event));
    if (isRefusal(refusal)) throw refusal;
    return { received: true };
  });
};
