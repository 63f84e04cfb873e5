import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { API, call } from '../support/client.ts';
import { type RunningService, start, until } from '../support/service.ts';
import { rows, seenByNodes } from '../support/store.ts';
import { MONTHLY, StripeAccount } from '../support/stripe/account.ts';
import { StripeApi } from '../support/stripe/handlers.ts';
import type { Event, Subscription } from '../support/stripe/objects.ts';
import { type ServedStripe, serveStripe } from '../support/stripe/server.ts';
import { delivery } from '../support/stripe/webhook.ts';

// Needs more time than the others.

// Starts its own process: the shared service has no payment processor.

const account = new StripeAccount();
const api = new StripeApi(account);
let stripe: ServedStripe;
let service: RunningService;
beforeAll(async () => {
  stripe = await serveStripe(api);
  // Its own process: it has a fake Stripe.
  service = await start('binary', {
    ...stripe.settings,
    SERVICE_RATE_IP_PER_MINUTE: '100000',
  });
});
afterAll(async () => {
  await service.end();
  stripe.close();
});

const PAYMENTS = ['renew', 'miss', 'give up', 'pause', 'free month', 'write off'] as const;
const COLLECTIONS = ['void', 'draft', 'uncollectible', 'collect'] as const;
const RETURNS = ['refund rest', 'refund part', 'refund older', 'credit outside'] as const;
const FAILURES = ['fail refund', 'void credit'] as const;
const CHANGES = ['change quantity', 'refund change'] as const;
const DISPUTES = ['dispute', 'win', 'lose', 'close inquiry'] as const;
const step = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PAYMENTS) },
  { weight: 2, arbitrary: fc.constantFrom(...COLLECTIONS) },
  { weight: 5, arbitrary: fc.constantFrom(...RETURNS) },
  { weight: 3, arbitrary: fc.constantFrom(...FAILURES) },
  { weight: 2, arbitrary: fc.constantFrom(...CHANGES) },
  { weight: 2, arbitrary: fc.constantFrom(...DISPUTES) },
  { weight: 2, arbitrary: fc.constantFrom('lift payment', 'lift dispute') },
  { weight: 3, arbitrary: fc.constant('check' as const) },
  { weight: 1, arbitrary: fc.constantFrom('cancel', 'check') },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** One month's payment and its refunds, each with its own number. */
interface Month {
  paid: number;
  refunds: Map<number, number>;
  outside: Map<number, number>;
}

const newMonth = (paid: number): Month => ({ paid, refunds: new Map(), outside: new Map() });
const restOf = ({ paid, refunds, outside }: Month): number =>
  [...refunds.values(), ...outside.values()].reduce((rest, amount) => rest - amount, paid);

/** A model of the payments, independent of Stripe's invoices. */
class Book {
  status: 'active' | 'past due' | 'unpaid' | 'ended' = 'active';
  isVoided = false;
  readonly months: Month[] = [newMonth(MONTHLY)];
  readonly disputes = new Map<string, boolean>();
  #lifted = new Set<string>();
  #returned = 0;

  get month(): Month {
    const month = this.months.at(-1);
    if (month === undefined) throw new Error('no month');
    return month;
  }

  pay(paid: number): void {
    this.months.push(newMonth(paid));
    this.status = 'active';
  }

  /** Suspension reasons by source, including those that an operator lifted. */
  get #reasons(): { hold: string; detail: string; name: string }[] {
    const { paid, refunds, outside } = this.month;
    const isRefunded = paid > 0 && restOf(this.month) <= 0;
    const running = [
      ...(this.status === 'past due' ? ['past_due'] : []),
      ...(this.status === 'unpaid' ? ['unpaid'] : []),
      ...(this.isVoided ? ['paused'] : []),
    ].map((detail) => ({ hold: 'payment', detail, name: detail }));
    const numbers = [...refunds.keys(), ...outside.keys()].toSorted((one, two) => one - two);
    const refund = { hold: 'payment', detail: 'refunded', name: `refunded ${numbers}` };
    return [
      ...(this.status === 'ended' ? [] : [...running, ...(isRefunded ? [refund] : [])]),
      ...[...this.disputes].flatMap(([name, holds]) =>
        holds ? [{ hold: 'dispute', detail: 'disputed', name }] : [],
      ),
    ];
  }

  /** The expected answer of the service after all events. */
  get expected() {
    this.forgetEnded();
    const details = this.#reasons.filter(({ name }) => !this.#lifted.has(name)).map(({ detail }) => detail);
    // Grace periods do not end during a test.
    const isHeld = details.some((detail) => detail !== 'past_due');
    const state = isHeld ? 'suspended' : this.status === 'ended' ? 'expired' : 'active';
    return { state, details: [...new Set(details)].toSorted() };
  }

  /**
   * Removes lifted reasons that have ended.
   *
   * @returns whether events must be delivered before the same reason begins again, because nothing identifies
   * it
   */
  forgetEnded(): boolean {
    const names = new Set(this.#reasons.map(({ name }) => name));
    const ended = [...this.#lifted].filter((name) => !names.has(name));
    for (const name of ended) this.#lifted.delete(name);
    return ended.some((name) => !name.startsWith('refunded '));
  }

  giveBack(by: 'refunds' | 'outside', amount: number): void {
    this.#returned += 1;
    this.month[by].set(this.#returned, amount);
  }

  lift(hold: string): void {
    for (const reason of this.#reasons) if (reason.hold === hold) this.#lifted.add(reason.name);
  }
}

/** One subscription, from its checkout on. */
class World {
  readonly book = new Book();
  readonly #subscription: Subscription;
  readonly #shuffle: () => number;
  /** Events that the service may have received, and will receive. */
  #withheld: Event[] = [];
  #heard: number;
  #license = { id: '', key: '' };

  static async open(shuffle: () => number): Promise<World> {
    const delivered = account.events.length;
    const { json } = await call(service.url, `${API}/checkout`, { body: { items: ['pro'] } });
    const sessionId = String(json.checkout_url).split('/').at(-1) ?? '';
    const world = new World(api.pay(sessionId), delivered, shuffle);
    await world.hear();
    const page = await call(service.url, `/checkout/done?session_id=${sessionId}`, { method: 'POST' });
    const key = /rdt_test_[0-9A-Za-z]{39}/.exec(page.text)?.[0] ?? '';
    const [license] = rows(
      service,
      'select id from licenses where subscription_id = ?',
      world.#subscription.id,
    );
    world.#license = { id: `lic_${license?.id}`, key };
    return world;
  }

  constructor(subscription: Subscription, heard: number, shuffle: () => number) {
    this.#subscription = subscription;
    this.#heard = heard;
    this.#shuffle = shuffle;
  }

  async #deliver(event: Event): Promise<void> {
    const { body, signature } = delivery(event);
    const headers = { 'stripe-signature': signature };
    expect((await call(service.url, '/webhooks/stripe', { body, headers })).status).toBe(200);
  }

  /** Delivers some events, in any order, some of them twice. */
  async hearSome(): Promise<void> {
    this.#withheld.push(...account.events.slice(this.#heard));
    this.#heard = account.events.length;
    for (let left = this.#withheld.length; left > 0; left--) {
      const choice = this.#shuffle();
      if (choice % 3 === 0) continue;
      const [event] = this.#withheld.splice(choice % this.#withheld.length, 1);
      if (event === undefined) continue;
      await this.#deliver(event);
      if (choice % 5 === 0) this.#withheld.push(event);
    }
  }

  /** Delivers all events, and waits until they are settled. */
  async hear(): Promise<void> {
    await this.hearSome();
    for (const event of this.#withheld) await this.#deliver(event);
    this.#withheld = [];
    const waiting = 'select count(*) as n from payment_events where processed_at is null';
    await until(() => rows(service, waiting)[0]?.n === 0, 25_000);
    await seenByNodes(service);
  }

  async check(): Promise<void> {
    await this.hear();
    const { id, key } = this.#license;
    const { state, details } = this.book.expected;
    const verify = { api_key: key, domain: 'shop.com' };
    const { json } = await call(service.url, `${API}/license/verify`, { body: verify });
    const answered = json.valid ? 'active' : (json.reason ?? 'expired');
    const explained = JSON.parse(await service.command('license', 'explain', id, '--json'));
    expect({
      answered,
      state: explained.status,
      details: explained.payment_hold_details.toSorted(),
    }).toEqual({ answered: state, state, details });
  }

  async take(step: Step): Promise<void> {
    if (step === 'check') return this.check();
    if (step === 'lift payment' || step === 'lift dispute') {
      const hold = step.slice('lift '.length);
      await this.hear();
      this.book.lift(hold);
      await service.command('license', 'resume', this.#license.id, '--hold', hold);
      return;
    }
    this.#happen(step);
    if (this.book.forgetEnded()) await this.hear();
    else if (this.#shuffle() % 2 === 0) await this.hearSome();
  }

  #happen(step: Exclude<Step, 'check' | 'lift payment' | 'lift dispute'>): void {
    const { book } = this;
    const subscription = this.#subscription;
    const invoices = account.invoicesOf(subscription.id).filter(({ status }) => status === 'paid');
    const isChange = ({ lines }: (typeof invoices)[number]) =>
      lines.data.some(({ parent }) => parent.subscription_item_details.proration);
    const [month, older] = invoices.filter((invoice) => !isChange(invoice));
    const change = invoices.find(isChange);
    const disputes = [...account.disputes.values()].filter(
      ({ charge, status }) =>
        status === 'needs_response' && account.charges.get(charge)?.customer === subscription.customer,
    );
    const hasEnded = book.status === 'ended';
    const rest = restOf(book.month);
    const refundable = month && rest > 0 && book.month.paid > 0 ? month : undefined;
    switch (step) {
      case 'renew':
        if (hasEnded) return;
        account.move(subscription, 'active');
        book.pay(MONTHLY);
        return;
      case 'miss':
        if (hasEnded) return;
        account.move(subscription, 'past_due');
        book.status = 'past due';
        return;
      case 'give up':
      case 'pause':
        if (hasEnded) return;
        account.move(subscription, step === 'pause' ? 'paused' : 'unpaid');
        book.status = 'unpaid';
        return;
      case 'void':
      case 'draft':
      case 'uncollectible':
      case 'collect': {
        const behaviors = {
          void: 'void',
          draft: 'keep_as_draft',
          uncollectible: 'mark_uncollectible',
        } as const;
        account.pause(subscription, step === 'collect' ? undefined : behaviors[step]);
        book.isVoided = step === 'void';
        return;
      }
      case 'refund rest':
      case 'refund part': {
        if (refundable === undefined) return;
        const amount = step === 'refund rest' ? rest : Math.max(1, Math.floor(rest / 2));
        account.refund(refundable, amount);
        book.giveBack('refunds', amount);
        return;
      }
      case 'refund older':
        if (older && older.amount_paid > 0) account.refund(older, older.amount_paid);
        return;
      case 'credit outside':
        if (refundable === undefined) return;
        account.creditOutside(refundable, rest);
        book.giveBack('outside', rest);
        return;
      case 'void credit':
        for (const note of account.creditNotes.values()) {
          if (note.invoice === month?.id && note.status === 'issued') account.voidNote(note);
        }
        book.month.outside.clear();
        return;
      case 'fail refund': {
        const [paid] = month?.payments.data ?? [];
        for (const refund of account.refunds.values()) {
          if (refund.payment_intent === paid?.payment.payment_intent) account.failRefund(refund);
        }
        book.month.refunds.clear();
        return;
      }
      case 'change quantity':
        account.invoice(subscription, { amount: 700, reason: 'subscription_update', isProration: true });
        return;
      case 'refund change':
        if (change) account.refund(change, change.amount_paid);
        return;
      case 'free month':
        // An open invoice is paid next.
        if (book.status !== 'active') return;
        account.invoice(subscription, { amount: 0 });
        book.months.push(newMonth(0));
        return;
      case 'write off':
        for (const invoice of account.openInvoices(subscription.id))
          account.abandon(invoice, 'uncollectible');
        return;
      case 'dispute':
        book.disputes.set(account.dispute(subscription.customer).id, true);
        return;
      case 'win':
      case 'lose':
      case 'close inquiry': {
        const statuses = { win: 'won', lose: 'lost', 'close inquiry': 'warning_closed' } as const;
        for (const dispute of disputes) {
          account.close(dispute, statuses[step]);
          book.disputes.set(dispute.id, step === 'lose');
        }
        return;
      }
      case 'cancel':
        if (hasEnded) return;
        account.move(subscription, 'canceled');
        book.status = 'ended';
    }
  }
}

test('the license matches the model after any payment events, in any order of deliveries', async () => {
  const states = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 14 }),
      fc.infiniteStream(fc.nat({ max: 1_000 })),
      async (steps, choices) => {
        const world = await World.open(() => Number(choices.next().value));
        for (const each of steps) await world.take(each);
        await world.check();
        const { state, details } = world.book.expected;
        for (const seen of [state, ...details]) states.set(seen, (states.get(seen) ?? 0) + 1);
      },
    ),
  );
  expect([...states.keys()].toSorted()).toEqual([
    'active',
    'disputed',
    'expired',
    'past_due',
    'paused',
    'refunded',
    'suspended',
    'unpaid',
  ]);
}, 240_000);
