import { DAY_MS } from '../../lib/clock.ts';
import { type LicenseFacts, licenseState, type Terms } from '../license/license.ts';
import type { LicenseEnvironment } from '../license/license-key.ts';
import { type HoldCause, holdCause } from './hold-cause.ts';
import type { Grant } from './price-list.ts';

/** The payment state of a subscription. */
export type SubscriptionStatus =
  /** The first payment has yet to come. */
  | 'awaited'
  /** The first payment never came, and never will. */
  | 'abandoned'
  /** Paid for, or in a trial that needs no payment yet. */
  | 'paid'
  /** A payment was missed, and is tried again. */
  | 'past_due'
  /** Unpaid, or its state is unknown. */
  | 'unpaid'
  /** Cancelled: nothing is paid for any more. */
  | 'ended';

/** The states after which a subscription is never paid for again. */
export const ENDED_STATUSES: readonly SubscriptionStatus[] = ['ended', 'abandoned'];

/** A subscription as the payment processor has it now. Moments are milliseconds since the Unix epoch. */
export interface Subscription {
  readonly id: string;
  readonly status: SubscriptionStatus;
  readonly customerId: string;
  /** Of the mailbox that the buyer gave when paying; the processor makes a new customer for each checkout. */
  readonly payerEmailHash: string | null;
  readonly createdAt: number;
  /** The end of what is paid for, or would be: the latest of its items. */
  readonly periodEnd: number | null;
  /** When the oldest of its open invoices was made; looked up while it is `past_due`. */
  readonly unpaidSince: number | null;
  /** Whether its invoices are voided in place of being paid. */
  readonly isCollectionVoided: boolean;
  /**
   * The refunds that returned everything paid for its current period, as an id that changes with another refund. Null while
   * something is paid.
   */
  readonly fullRefund: string | null;
  readonly endedAt: number | null;
  /** What was ordered, when it was ordered through this installation. */
  readonly order: Order | null;
}

/** What a buyer ordered; it travels in the metadata of the processor's objects. */
export interface Order {
  readonly installation: string;
  /** Slugs of the price list. */
  readonly items: readonly string[];
  /** Normalised; registered with the license at once. */
  readonly domain: string | null;
  /** The license to extend instead of issuing one. */
  readonly licenseId: number | null;
}

/** Whether a subscription of a mode can extend a license: only in the states trial and expired. */
export const isProlongable = (
  license: LicenseFacts,
  environment: LicenseEnvironment,
  nowMs: number,
): boolean =>
  license.environment === environment && ['trial', 'expired'].includes(licenseState(license, nowMs));

/** The paid terms: the plan of an order, `free` when no item has one, with the plan's own sites. */
export const paidTerms = ({ plan = 'free', modules }: Grant) =>
  ({ kind: 'paid', plan, sitesOverride: null, modulesAllowed: modules }) as const satisfies Omit<
    Terms,
    'expiresAt'
  >;

/** The effect of a subscription on its license: why it is suspended, and the expiry. */
export interface PaymentTerms {
  readonly causes: readonly HoldCause[];
  /** Null leaves the expiry as it is. */
  readonly expiresAt: number | null;
}

/**
 * The terms for a subscription's status. They depend only on the processor's current state, so the order of its events does not
 * matter.
 *
 * @param pastDueSince when the payment was missed; counts while the status is `past_due`
 * @returns undefined for a subscription that was never paid
 */
export function paymentTerms(
  subscription: Pick<
    Subscription,
    'id' | 'status' | 'periodEnd' | 'endedAt' | 'isCollectionVoided' | 'fullRefund'
  >,
  pastDueSince: number | null,
  graceDays: number,
  nowMs: number,
): PaymentTerms | undefined {
  const { id, status, periodEnd, endedAt, isCollectionVoided, fullRefund } = subscription;
  switch (status) {
    // Without a first payment it grants nothing and takes nothing.
    case 'awaited':
    case 'abandoned':
      return undefined;
    case 'ended':
      return { causes: [], expiresAt: Math.min(endedAt ?? nowMs, nowMs) };
    case 'paid':
    case 'past_due':
    case 'unpaid': {
      const since = pastDueSince ?? nowMs;
      return {
        causes: [
          ...(status === 'past_due'
            ? [holdCause('payment', 'past_due', String(since), since + graceDays * DAY_MS)]
            : []),
          ...(status === 'unpaid' ? [holdCause('payment', 'unpaid', id)] : []),
          ...(isCollectionVoided ? [holdCause('payment', 'paused', id)] : []),
          ...(fullRefund === null ? [] : [holdCause('payment', 'refunded', fullRefund)]),
        ],
        expiresAt: periodEnd,
      };
    }
  }
}

/** Since when a payment is missed. Without an open invoice it counts from when that was first seen. */
export function pastDueSince(
  { status, unpaidSince }: Pick<Subscription, 'status' | 'unpaidSince'>,
  known: number | null,
  nowMs: number,
): number | null {
  return status === 'past_due' ? (unpaidSince ?? known ?? nowMs) : null;
}
