import type { Stripe } from 'stripe';
import {
  type Charge,
  type Customer,
  type Dispute,
  type Event,
  type Invoice,
  listOf,
  type Session,
  type SetupIntent,
  type Subscription,
} from './objects.ts';

const MONTH_SECONDS = 30 * 24 * 3600;

/** One Stripe account: its objects, its events and what happens to them outside of the API. */
export class StripeAccount {
  readonly customers = new Map<string, Customer>();
  readonly setupIntents = new Map<string, SetupIntent>();
  readonly sessions = new Map<string, Session>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices = new Map<string, Invoice>();
  readonly charges = new Map<string, Charge>();
  readonly disputes = new Map<string, Dispute>();
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
    this.emit('customer.subscription.created', subscription);
    this.emit('checkout.session.completed', session);
    return subscription;
  }

  /** A subscription enters a status, with what goes with it: a new period, an open invoice, an end. */
  move(subscription: Subscription, status: Stripe.Subscription.Status): void {
    const [item] = subscription.items.data;
    if (item === undefined) throw new Error('a subscription without an item');
    const open = this.openInvoices(subscription.id);
    if (status === 'active') for (const invoice of open) invoice.status = 'paid';
    if (status === 'past_due' || status === 'active') {
      item.current_period_start = this.seconds;
      item.current_period_end = this.seconds + MONTH_SECONDS;
    }
    if (status === 'past_due') {
      const details = {
        type: 'subscription_details',
        subscription_details: { subscription: subscription.id },
      };
      const invoice = { ...this.head('in', 'invoice'), status: 'open', parent: details } as Invoice;
      this.invoices.set(invoice.id ?? '', invoice);
      this.emit('invoice.payment_failed', invoice);
    }
    subscription.status = status;
    subscription.ended_at = status === 'canceled' ? this.seconds : null;
    this.emit(
      status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated',
      subscription,
    );
  }

  openInvoices(subscription: string): Invoice[] {
    return [...this.invoices.values()].filter(
      ({ status, parent }) => status === 'open' && parent.subscription_details.subscription === subscription,
    );
  }

  /** The bank of a customer takes a payment back. */
  dispute(customer: string): Dispute {
    const charge: Charge = { ...this.head('ch', 'charge'), customer };
    this.charges.set(charge.id, charge);
    const dispute: Dispute = { ...this.head('dp', 'dispute'), charge: charge.id, status: 'needs_response' };
    this.disputes.set(dispute.id, dispute);
    this.emit('charge.dispute.created', dispute);
    return dispute;
  }

  close(dispute: Dispute, status: 'won' | 'lost'): void {
    dispute.status = status;
    this.emit('charge.dispute.closed', dispute);
  }
}
