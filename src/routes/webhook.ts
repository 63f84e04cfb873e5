import { notRefused, refuse } from '../domain/refusal.ts';
import { bodyBytesOf } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import { openRoute } from '../http/route/index.ts';
import type { PaymentProcessor } from '../outside/payment-processor.ts';
import type { Parts } from './parts.ts';

/** Far larger than any event of Stripe. */
const CAP_BYTES = 256 * KIB;

type WebhookParts = Parts<'clock' | 'payments' | 'peekLimits'>;

/** Receives deliveries of the payment processor; not in the contract. */
export const webhook = (processor: PaymentProcessor) =>
  openRoute({
    at: 'POST /webhooks/stripe',
    before: ({ peekLimits }: WebhookParts) => peekLimits,
    handle: async ({ request, set }, { payments: { take }, clock }: WebhookParts) => {
      const signature = request.headers.get('stripe-signature');
      if (signature === null)
        throw refuse('WEBHOOK_REJECTED', 'The signature, timestamp or mode of this delivery is wrong.');
      const body = await bodyBytesOf({ request, set }, CAP_BYTES, 'WEBHOOK_REJECTED');
      const event = await processor.readDelivery(body, signature, clock.now());
      notRefused(event && (await take(event)));
      return { received: true };
    },
  });
