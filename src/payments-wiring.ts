import type { Config } from './config.ts';
import type { DerivedIdentities } from './domain/identity.ts';
import type { Offer } from './domain/price-list.ts';
import type { Clock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import type { Turns } from './lib/turns.ts';
import { createStripe } from './outside/stripe.ts';
import type { PaymentParts } from './parts.ts';
import { startPaymentDesk } from './payments/desk.ts';
import { createEnrolment } from './payments/enrolment.ts';
import { reconcile } from './payments/reconciliation.ts';
import { createSettlement } from './payments/settlement.ts';
import { createTrialCards } from './payments/trial-cards.ts';
import { readCheckouts } from './storage/checkouts.ts';
import type { Database } from './storage/database.ts';
import { readPaymentEvents } from './storage/payment-events.ts';
import { readSubscriptions } from './storage/subscriptions.ts';
import { readTrials } from './storage/trials.ts';
import type { Writer } from './storage/writer.ts';

export interface PaymentWiring {
  readonly config: Config;
  readonly db: Database;
  readonly writer: Pick<Writer, 'write'>;
  readonly identities: DerivedIdentities;
  readonly offer: Offer;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly log: Log;
}

/** Constructs everything that has to do with payments and starts it. */
export async function startPayments({
  config,
  db,
  identities,
  offer,
  turns,
  ...common
}: PaymentWiring): Promise<PaymentParts & { stop(): void }> {
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
    stop: desk.stop,
  };
}
