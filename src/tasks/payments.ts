import type { DerivedIdentities } from '../domain/identity.ts';
import type { PaymentEvent } from '../domain/payment/payment-event.ts';
import type { Offer, PriceList } from '../domain/payment/price-list.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Turns } from '../lib/turns.ts';
import type { PaymentProcessor } from '../outside/payment-processor.ts';
import { createStripe } from '../outside/stripe/stripe.ts';
import { type PaymentDesk, startPaymentDesk } from '../payments/desk.ts';
import { createEnrolment, type Enroll } from '../payments/enrolment.ts';
import { reconcile } from '../payments/reconciliation.ts';
import { createSettlement } from '../payments/settlement.ts';
import { createTrialCards, type TrialCards } from '../payments/trial-cards.ts';
import type { Config } from '../settings/config.ts';
import type { ClockWork } from '../storage/engine/clock-work.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Writer } from '../storage/engine/writer.ts';
import { type Checkouts, readCheckouts } from '../storage/payments/checkouts.ts';
import { type PaymentEvents, readPaymentEvents } from '../storage/payments/payment-events.ts';
import { readSubscriptions, type Subscriptions } from '../storage/payments/subscriptions.ts';
import { readTrials } from '../storage/payments/trials.ts';

/** What routes use of payments. */
export interface PaymentParts {
  /** Undefined if no processor is configured; trials and checkout are then simulated. */
  readonly processor: PaymentProcessor | undefined;
  readonly priceList: PriceList;
  readonly enroll: Enroll;
  readonly confirmPending: TrialCards['confirmPending'];
  readonly isSubscribed: Subscriptions['isSubscribed'];
  readonly isAnySettled: PaymentEvents['isAnySettled'];
  readonly checkoutState: Checkouts['stateOf'];
  /** Stores an event of the processor and starts its settlement. Unless refused, the event is on disk. */
  readonly take: (event: PaymentEvent) => Promise<Refusal | undefined>;
}

export interface PaymentWiring {
  readonly config: Config;
  readonly db: Database;
  readonly writer: Pick<Writer, 'write'>;
  readonly clockWork: ClockWork;
  readonly identities: DerivedIdentities;
  readonly offer: Offer;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the parts for payments and starts settlement. */
export async function startPayments({
  config,
  db,
  identities,
  offer,
  turns,
  ...common
}: PaymentWiring): Promise<PaymentParts & Pick<PaymentDesk, 'wake' | 'stop'>> {
  const { stripeSecretKey: secretKey, stripeWebhookSecret, stripeApiBase } = config;
  const { paymentGraceDays, trialsPerDay } = config;
  const processor =
    secretKey === undefined
      ? undefined
      : await createStripe({
          secretKey,
          webhookSecret: stripeWebhookSecret,
          apiBase: stripeApiBase,
          identities,
        });
  const stored = readPaymentEvents(db);
  const subscriptions = readSubscriptions(db);
  const trialCards = createTrialCards({ ...common, processor, stored: readTrials(db) });
  const settlement =
    processor &&
    createSettlement({
      ...common,
      processor,
      stored,
      subscriptions,
      trialCards,
      offer,
      graceDays: paymentGraceDays,
      turns,
    });
  const desk = startPaymentDesk({
    settlement,
    reconcile: processor && (() => reconcile({ ...common, processor, stored })),
    trialCards,
    clockWork: common.clockWork,
    clock: common.clock,
    log: common.log,
  });
  return {
    processor,
    priceList: offer.priceList,
    enroll: createEnrolment({ ...common, processor, identities, trialsPerDay }),
    confirmPending: trialCards.confirmPending,
    isSubscribed: subscriptions.isSubscribed,
    isAnySettled: stored.isAnySettled,
    checkoutState: readCheckouts(db).stateOf,
    async take(event) {
      const refusal = await settlement?.take(event);
      if (refusal === undefined) desk.wake();
      return refusal;
    },
    wake: desk.wake,
    stop: desk.stop,
  };
}
