import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { engineOf } from '../support/engines.ts';
import { HeldClock, type House, identities, openHouse, stripe } from '../support/payments.ts';
import { StripeAccount } from '../support/stripe/account.ts';
import { StripeApi } from '../support/stripe/handlers.ts';
import { interceptFetch } from '../support/stripe/network.ts';

const engine = engineOf(import.meta);

const network = interceptFetch();

/** The events of a subscription. */
const HAPPENINGS = [
  ...(['active', 'past_due', 'unpaid', 'paused', 'trialing', 'dispute', 'won', 'lost'] as const),
  ...(['refund', 'partial refund', 'failed refund', 'collection voided', 'collection resumed'] as const),
] as const;
/** These, and delivery faults. */
type Step =
  | { readonly happens: (typeof HAPPENINGS)[number] }
  | { readonly delivered: number }
  | { readonly settled: true };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ happens: fc.constantFrom(...HAPPENINGS) }),
  fc.record({ delivered: fc.nat({ max: 1_000 }) }),
  fc.constant({ settled: true as const }),
);

const FACTS = `select kind, plan, environment, holds, payment_holds, granted, expires_at, payment_hold_from, revoked_at, modules_allowed,
  (select hold_causes from subscriptions) as causes from licenses`;

test('any order, repetition and delay of a history of events ends in the same license state', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 14 }),
      fc.boolean(),
      fc.infiniteStream(fc.nat({ max: 1_000 })),
      async (steps, canceled, shuffle) => {
        const clock = new HeldClock();
        const account = new StripeAccount({ nowMs: clock.now });
        const api = new StripeApi(account);
        network.resetHandlers(...api.handlers);
        const processor = await stripe();
        const open = async () => openHouse({ db: await engine.open(), clock, processor });
        const [orderly, shuffled] = [await open(), await open()];
        try {
          await processor.createCheckout({
            items: [{ name: 'Pro', price: { currency: 'usd', unitAmount: 100 } }],
            order: { installation: identities.installation, items: ['pro'], domain: null, licenseId: null },
            email: undefined,
            successUrl: 'https://here.test/',
            cancelUrl: 'https://here.test/',
          });
          const subscription = api.pay([...account.sessions.keys()][0] ?? '');

          let delivered = 0;
          const hearOrderly = async () => {
            for (const event of account.events.slice(delivered)) await orderly.deliver(event);
            delivered = account.events.length;
            await orderly.settle();
          };
          await hearOrderly();
          for (const each of steps) {
            clock.ms += MINUTE_MS;
            if ('settled' in each) await shuffled.settle();
            else if ('delivered' in each) await deliverOne(shuffled, account, each.delivered);
            else happen(account, subscription.id, each.happens);
            await hearOrderly();
          }
          if (canceled) account.move(subscription, 'canceled');
          await hearOrderly();

          const late = [...account.events];
          while (late.length > 0) {
            const [event] = late.splice(Number(shuffle.next().value) % late.length, 1);
            if (event) await shuffled.deliver(event);
          }
          await shuffled.settle();
          expect(await shuffled.rows(FACTS)).toEqual(await orderly.rows(FACTS));
          expect(await shuffled.rows(FACTS)).toHaveLength(1);
        } finally {
          await orderly.close();
          await shuffled.close();
        }
      },
    ),
    { numRuns: engine.runs(40) },
  );
}, 60_000);

const deliverOne = async (house: House, { events }: StripeAccount, which: number) => {
  const event = events[which % events.length];
  if (event) await house.deliver(event);
};

function happen(
  account: StripeAccount,
  id: string,
  what: Extract<Step, { happens: string }>['happens'],
): void {
  const subscription = account.subscriptions.get(id);
  if (subscription === undefined) throw new Error('no subscription');
  const [invoice] = account.invoicesOf(id).filter(({ amount_paid }) => amount_paid > 0);
  switch (what) {
    case 'dispute':
      account.dispute(subscription.customer);
      return;
    case 'won':
    case 'lost':
      for (const dispute of account.disputes.values()) account.close(dispute, what);
      return;
    case 'refund':
    case 'partial refund':
      if (invoice) account.refund(invoice, what === 'refund' ? invoice.amount_paid : 1_000);
      return;
    case 'failed refund':
      for (const refund of account.refunds.values()) account.failRefund(refund);
      return;
    case 'collection voided':
    case 'collection resumed':
      account.pause(subscription, what === 'collection voided' ? 'void' : undefined);
      return;
    default:
      account.move(subscription, what);
  }
}
