import { newLicenseKey } from '../domain/license/license-key.ts';
import {
  type PaymentEvent,
  retryAfterMs,
  type SubjectKind,
  type WaitingSubject,
} from '../domain/payment/payment-event.ts';
import { grantOf, type Offer } from '../domain/payment/price-list.ts';
import type { Order } from '../domain/payment/subscription.ts';
import { accepted, type Refusal } from '../domain/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Turns } from '../lib/turns.ts';
import type { PaymentProcessor } from '../outside/payment-processor.ts';
import type { ClockWork } from '../storage/engine/clock-work.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { PaymentEvents } from '../storage/payments/payment-events.ts';
import type { Subscriptions } from '../storage/payments/subscriptions.ts';
import type { TrialCards } from './trial-cards.ts';

export interface SettlementParts {
  readonly processor: PaymentProcessor;
  readonly stored: Pick<PaymentEvents, 'listDue' | 'nextDueAt'>;
  readonly subscriptions: Pick<Subscriptions, 'listLapsed'>;
  readonly trialCards: Pick<TrialCards, 'settle'>;
  readonly offer: Offer;
  readonly graceDays: number;
  readonly writer: Pick<Writer, 'write'>;
  /** Shared by all settlements of this process, so that none overwrites newer data. */
  readonly turns: Turns;
  /** The same across processes. */
  readonly clockWork: ClockWork;
  readonly clock: Clock;
  readonly log: Log;
}

/** Delay while another node settles events. */
const HELD_RETRY_MS = 500;

type Settler = (id: string, eventIds: readonly string[]) => ReturnType<TrialCards['settle']>;

export type Settlement = ReturnType<typeof createSettlement>;

/**
 * Settles events of the payment processor. Events are stored by ID, and their subject is then fetched, so that repeated, late
 * and reordered deliveries lead to the same state.
 */
export function createSettlement(parts: SettlementParts) {
  const { processor, stored, subscriptions, trialCards, offer, graceDays } = parts;
  const { writer, turns, clockWork, clock, log } = parts;
  const { environment } = processor;

  /** Settles events whose subject no longer exists. */
  const dismiss = async (eventIds: readonly string[], kind: SubjectKind, subjectId: string) =>
    eventIds.length === 0
      ? undefined
      : writer.write('dismissPaymentEvents', { eventIds, now: clock.now(), about: { kind, subjectId } });

  const settleSubscription = async (
    id: string,
    eventIds: readonly string[],
    checkout?: { id: string; order: Order | null },
  ) => {
    const fetched = await processor.findSubscription(id);
    if (fetched === undefined) return dismiss(eventIds, 'subscription', id);
    const subscription = { ...fetched, order: fetched.order ?? checkout?.order ?? null };
    return writer.write('settleSubscription', {
      subscription,
      checkoutId: checkout?.id ?? null,
      grant: grantOf(offer.priceList, subscription.order?.items ?? []),
      catalog: offer.catalog,
      environment,
      unknownKey: newLicenseKey(environment).stored,
      graceDays,
      eventIds,
      now: clock.now(),
    });
  };

  /** Settles the subscriptions of events. Events of other payments change nothing. */
  const settleSubscriptions = async (ids: readonly string[], eventIds: readonly string[]) => {
    const last = ids.at(-1);
    if (last === undefined) return writer.write('markProcessed', { eventIds, now: clock.now() });
    for (const id of ids.slice(0, -1)) accepted(await settleSubscription(id, []));
    return settleSubscription(last, eventIds);
  };

  const settlers: Record<SubjectKind, Settler> = {
    setup_intent: (id, eventIds) => trialCards.settle(id, eventIds),
    subscription: (id, eventIds) => settleSubscription(id, eventIds),
    async checkout(id, eventIds) {
      const checkout = await processor.findCheckout(id);
      if (checkout === undefined) return dismiss(eventIds, 'checkout', id);
      if (checkout.subscriptionId === null) return settleSubscriptions([], eventIds);
      return settleSubscription(checkout.subscriptionId, eventIds, checkout);
    },
    async payment(id, eventIds) {
      const ids = await processor.findSubscriptionIdsOfPayment(id);
      return ids === undefined ? dismiss(eventIds, 'payment', id) : settleSubscriptions(ids, eventIds);
    },
    async invoice(id, eventIds) {
      const paid = await processor.findSubscriptionIdOfInvoice(id);
      if (paid === undefined) return dismiss(eventIds, 'invoice', id);
      return settleSubscriptions(paid === null ? [] : [paid], eventIds);
    },
    async dispute(id, eventIds) {
      const dispute = await processor.findDispute(id);
      if (dispute === undefined) return dismiss(eventIds, 'dispute', id);
      return writer.write('settleDispute', { dispute, eventIds, now: clock.now() });
    },
  };

  /** Settles all events of one subject with a single fetch. */
  const settleOrPostpone = async ({ kind, subjectId, eventIds, attempts }: WaitingSubject) => {
    try {
      accepted(await settlers[kind](subjectId, eventIds));
    } catch (error) {
      log.warn('a payment event is postponed', { kind, fault: faultOf(error) });
      const dueAt = clock.now() + retryAfterMs(attempts);
      accepted(await writer.write('putOffPaymentEvents', { eventIds, dueAt }));
    }
  };

  const settleDue = async () => {
    for (const subject of await stored.listDue(clock.now())) await settleOrPostpone(subject);
  };

  const renewLapsed = async () => {
    for (const id of await subscriptions.listLapsed(clock.now())) {
      try {
        accepted(await settleSubscription(id, []));
      } catch (error) {
        log.warn('a license could not be renewed yet', { fault: faultOf(error) });
      }
    }
  };

  return {
    /** Stores an event. Unless refused, it is on disk. */
    take: (event: PaymentEvent): Promise<Refusal | undefined> =>
      writer
        .write('storePaymentEvents', { events: [event], now: clock.now() })
        .then((refusal) => refusal ?? undefined),

    /**
     * Settles due events, and postpones those that cannot be settled yet.
     *
     * @returns when the next event is due, including those that another node is settling; undefined if none is waiting
     */
    settle: (): Promise<number | undefined> =>
      turns.take(async () => {
        const outcome = await clockWork.once('payments', clock.now(), settleDue);
        const dueAt = await stored.nextDueAt();
        if (dueAt === undefined || outcome === 'done') return dueAt;
        return Math.max(dueAt, clock.now() + HELD_RETRY_MS);
      }),

    /**
     * Fetches subscriptions whose period has just ended, so that their licenses stay valid even if the renewal event is late.
     */
    renew: (): Promise<void> =>
      turns.take(async () => void (await clockWork.once('payments', clock.now(), renewLapsed))),
  };
}
