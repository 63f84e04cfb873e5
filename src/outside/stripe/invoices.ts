import type { Stripe } from 'stripe';
import { idOf, momentOf } from './stripe-objects.ts';

/** More than any real subscription has; Stripe lists the newest first. */
const LISTED_MAX = 100;

/** The newest invoices of a subscription, with their payments. */
export async function invoicesOf(stripe: Stripe, subscription: string): Promise<Stripe.Invoice[]> {
  const { data } = await stripe.invoices.list({
    subscription,
    limit: LISTED_MAX,
    expand: ['data.payments'],
  });
  return data;
}

/** When the oldest open invoice was created; null when none is open. */
export function oldestOpen(invoices: readonly Stripe.Invoice[]): number | null {
  const open = invoices.filter(({ status }) => status === 'open');
  return open.length === 0 ? null : momentOf(Math.min(...open.map(({ created }) => created)));
}

/**
 * Finds the refunds that returned the whole payment for the current period. Credit to the customer's balance is not a refund: it
 * pays the next invoices.
 *
 * @returns the identifiers of the refunds and credit notes, in order; null unless they add up to the amount paid
 */
export async function fullRefund(
  stripe: Stripe,
  invoices: readonly Stripe.Invoice[],
): Promise<string | null> {
  const paying = invoices.find((invoice) => invoice.status === 'paid' && beginsPeriod(invoice));
  if (paying?.id === undefined || paying.amount_paid === 0) return null;
  const payments = paying.payments?.data.filter(({ status }) => status === 'paid') ?? [];
  const returned = paying.post_payment_credit_notes_amount ? await returnedOutside(stripe, paying.id) : [];
  for (const { payment } of payments) returned.push(...(await refundsOf(stripe, payment)));
  const total = returned.reduce((sum, { amount }) => sum + amount, 0);
  if (total < paying.amount_paid) return null;
  return returned
    .map(({ id }) => id)
    .toSorted()
    .join(' ');
}

/** A refund or a credit note. */
interface Returned {
  readonly id: string;
  readonly amount: number;
}

/** Billing reasons of invoices for a new period. */
const OF_PERIODS: readonly Stripe.Invoice.BillingReason[] = [
  'subscription',
  'subscription_create',
  'subscription_cycle',
];

/** Whether an invoice covers a whole period, rather than a change within one, such as of the quantity. */
const beginsPeriod = ({ billing_reason, lines }: Stripe.Invoice): boolean =>
  (billing_reason !== null && OF_PERIODS.includes(billing_reason)) ||
  lines.data.some(({ parent }) => parent?.subscription_item_details?.proration === false);

const NO_REFUND: readonly (string | null)[] = ['failed', 'canceled'];

async function refundsOf(
  stripe: Stripe,
  { payment_intent, charge }: Stripe.InvoicePayment.Payment,
): Promise<Returned[]> {
  const paid = idOf(payment_intent ?? null);
  const charged = idOf(charge ?? null);
  if (paid === null && charged === null) return [];
  const { data } = await stripe.refunds.list({
    ...(paid === null ? { charge: charged ?? '' } : { payment_intent: paid }),
    limit: LISTED_MAX,
  });
  return data.filter(({ status }) => !NO_REFUND.includes(status));
}

/** The amounts that credit notes report as paid back outside of Stripe. */
async function returnedOutside(stripe: Stripe, invoice: string): Promise<Returned[]> {
  const { data } = await stripe.creditNotes.list({ invoice, limit: LISTED_MAX });
  const issued = data.filter(({ status }) => status === 'issued');
  return issued.map(({ id, out_of_band_amount }) => ({ id, amount: out_of_band_amount ?? 0 }));
}
