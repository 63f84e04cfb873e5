import type { Stripe } from 'stripe';
import {
  type Charge,
  type CreditNote,
  type Customer,
  type Dispute,
  type Event,
  type Invoice,
  listOf,
  type Price,
  type Refund,
  type Session,
  type SetupIntent,
  type Subscription,
} from './objects.ts';

/** The price of a month. */
export const MONTHLY = 2_900;
const MONTH_SECONDS = 30 * 24 * 3600;

/** One Stripe account: its objects, its events and changes outside of the API. */
export class StripeAccount {
  readonly customers = new Map<string, Customer>();
  readonly setupIntents = new Map<string, SetupIntent>();
  readonly sessions = new Map<string, Session>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices = new Map<string, Invoice>();
  readonly charges = new Map<string, Charge>();
  readonly disputes = new Map<string, Dispute>();
  readonly refunds = new Map<string, Refund>();
  readonly creditNotes = new Map<string, CreditNote>();
  /** The prices that an operator has at Stripe. */
  readonly prices = new Map<string, Price>();
  /** From the oldest to the newest. */
  readonly events: Event[] = [];
  readonly livemode: boolean;
  readonly nowMs: () => number;
  #made = 0;

  constructor({ livemode = false, nowMs = Date.now } = {}) {
    this.livemode = livemode;
    this.nowMs = nowMs;
  }

  get seconds(): number {
    return Math.floor(this.nowMs() / 1_000);
  }

  id(prefix: string): string {
    this.#made += 1;
    return `${prefix}_${String(this.#made).padStart(6, '0')}`;
  }

  head<Type extends string>(prefix: string, object: Type) {
    return { id: this.id(prefix), object, created: this.seconds, livemode: this.livemode };
  }

  emit(type: Stripe.Event.Type, object: object): Event {
    const data = { object: structuredClone(object) };
    const event = { ...this.head('evt', 'event' as const), api_version: '2026-10-28.endive', type, data };
    this.events.push(event);
    return event;
  }

  /** The buyer's browser confirms a card with the client secret. */
  confirmCard(clientSecret: string): Event {
    const intent = [...this.setupIntents.values()].find((each) => each.client_secret === clientSecret);
    if (intent?.status !== 'requires_payment_method') throw new Error('no card can be confirmed');
    intent.status = 'succeeded';
    return this.emit('setup_intent.succeeded', intent);
  }

  /** The buyer pays on the page of a checkout. */
  pay(session: Session, metadata: Record<string, string>): Subscription {
    const customer: Customer = { ...this.head('cus', 'customer'), email: 'buyer@shop.com', metadata: {} };
    this.customers.set(customer.id, customer);
    const id = this.id('sub');
    const subscription: Subscription = {
      ...this.head('sub', 'subscription'),
      id,
      customer: customer.id,
      metadata,
      status: 'active',
      ended_at: null,
      pause_collection: null,
      items: listOf(
        [
          {
            id: this.id('si'),
            object: 'subscription_item',
            subscription: id,
            current_period_start: this.seconds,
            current_period_end: this.seconds + MONTH_SECONDS,
          },
        ],
        '/v1/subscription_items',
      ),
    };
    this.subscriptions.set(id, subscription);
    Object.assign(session, { status: 'complete', payment_status: 'paid', subscription: id });
    this.invoice(subscription, { reason: 'subscription_create' });
    this.emit('customer.subscription.created', subscription);
    this.emit('checkout.session.completed', session);
    return subscription;
  }

  /** A subscription enters a status, with its consequences: a new period, an open invoice, an end. */
  move(subscription: Subscription, status: Stripe.Subscription.Status): void {
    const [item] = subscription.items.data;
    if (item === undefined) throw new Error('a subscription without an item');
    const open = this.openInvoices(subscription.id);
    if (status === 'past_due' || status === 'active') {
      item.current_period_start = this.seconds;
      item.current_period_end = this.seconds + MONTH_SECONDS;
    }
    if (status === 'active') for (const invoice of open) this.settle(invoice);
    if (status === 'active' && open.length === 0) this.invoice(subscription);
    if (status === 'past_due') this.invoice(subscription, { isPaid: false });
    subscription.status = status;
    subscription.ended_at = status === 'canceled' ? this.seconds : null;
    this.emit(
      status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated',
      subscription,
    );
  }

  /** Invoices a subscription: for a new period, or for a change within one. */
  invoice(
    { id: subscription }: Subscription,
    {
      amount = MONTHLY,
      reason = 'subscription_cycle' as Stripe.Invoice.BillingReason,
      isPaid = true,
      isProration = false,
    } = {},
  ): Invoice {
    const invoice: Invoice = {
      ...this.head('in', 'invoice'),
      amount_due: amount,
      amount_paid: 0,
      billing_reason: reason,
      post_payment_credit_notes_amount: 0,
      status: 'open',
      lines: listOf([{ parent: { subscription_item_details: { proration: isProration } } }], '/v1/lines'),
      parent: { type: 'subscription_details', subscription_details: { subscription } },
      payments: listOf([], '/v1/invoice_payments'),
    };
    this.invoices.set(invoice.id, invoice);
    if (isPaid) this.settle(invoice);
    else this.emit('invoice.payment_failed', invoice);
    return invoice;
  }

  /** Pays an open invoice. A zero invoice is paid without a payment. */
  settle(invoice: Invoice): void {
    Object.assign(invoice, { status: 'paid', amount_paid: invoice.amount_due });
    if (invoice.amount_due > 0) {
      invoice.payments.data.push({
        id: this.id('inpay'),
        object: 'invoice_payment',
        amount_paid: invoice.amount_due,
        status: 'paid',
        payment: { type: 'payment_intent', payment_intent: this.id('pi') },
      });
    }
    this.emit('invoice.paid', invoice);
  }

  /** Closes an open invoice that will not be paid. */
  abandon(invoice: Invoice, status: 'void' | 'uncollectible'): void {
    invoice.status = status;
    this.emit(status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible', invoice);
  }

  /** Invoices of a subscription, the newest first. */
  invoicesOf(subscription: string): Invoice[] {
    return [...this.invoices.values()]
      .filter(({ parent }) => parent.subscription_details.subscription === subscription)
      .reverse();
  }

  /** Refunds part of an invoice, through Stripe. */
  refund({ payments }: Invoice, amount: number, status: 'pending' | 'succeeded' = 'succeeded'): Refund {
    const [paid] = payments.data;
    if (paid === undefined) throw new Error('nothing was paid');
    const { payment_intent } = paid.payment;
    const charge = payment_intent.replace('pi', 'ch');
    const refund: Refund = { ...this.head('re', 'refund'), amount, charge, payment_intent, status };
    this.refunds.set(refund.id, refund);
    this.emit('refund.created', refund);
    this.emit('charge.refunded', { id: charge, object: 'charge', payment_intent });
    return refund;
  }

  /** The bank rejects a refund. */
  failRefund(refund: Refund): void {
    refund.status = 'failed';
    this.emit('refund.failed', refund);
    this.emit('charge.refund.updated', refund);
  }

  /** Records that part of an invoice was refunded outside of Stripe. */
  creditOutside(invoice: Invoice, amount: number): CreditNote {
    const note: CreditNote = {
      ...this.head('cn', 'credit_note'),
      invoice: invoice.id,
      out_of_band_amount: amount,
      status: 'issued',
    };
    this.creditNotes.set(note.id, note);
    invoice.post_payment_credit_notes_amount += amount;
    this.emit('credit_note.created', note);
    return note;
  }

  voidNote(note: CreditNote): void {
    note.status = 'void';
    const invoice = this.invoices.get(note.invoice);
    if (invoice) invoice.post_payment_credit_notes_amount -= note.out_of_band_amount ?? 0;
    this.emit('credit_note.voided', note);
  }

  /** Pauses the collection of payments, or resumes it. */
  pause(
    subscription: Subscription,
    behavior: Stripe.Subscription.PauseCollection.Behavior | undefined,
  ): void {
    subscription.pause_collection = behavior ? { behavior, resumes_at: null } : null;
    this.emit('customer.subscription.updated', subscription);
  }

  openInvoices(subscription: string): Invoice[] {
    return this.invoicesOf(subscription).filter(({ status }) => status === 'open');
  }

  /** The customer's bank reverses a payment. */
  dispute(customer: string): Dispute {
    const charge: Charge = { ...this.head('ch', 'charge'), customer };
    this.charges.set(charge.id, charge);
    const dispute: Dispute = { ...this.head('dp', 'dispute'), charge: charge.id, status: 'needs_response' };
    this.disputes.set(dispute.id, dispute);
    this.emit('charge.dispute.created', dispute);
    return dispute;
  }

  close(dispute: Dispute, status: 'won' | 'lost' | 'warning_closed'): void {
    dispute.status = status;
    this.emit('charge.dispute.closed', dispute);
  }
}
