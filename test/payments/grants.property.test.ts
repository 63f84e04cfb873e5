import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { defaultCatalog, PLANS, type Plan } from '../../src/domain/license/catalog.ts';
import { licenseStanding, withHold } from '../../src/domain/license/license.ts';
import { newLicenseKey } from '../../src/domain/license/license-key.ts';
import { DAY_MS, SECOND_MS } from '../../src/lib/clock.ts';
import type { PaymentProcessor } from '../../src/outside/payment-processor.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { engineOf } from '../support/engines.ts';
import { HeldClock, type House, identities, openHouse, stripe } from '../support/payments.ts';
import { StripeAccount } from '../support/stripe/account.ts';
import { StripeApi } from '../support/stripe/handlers.ts';
import { interceptFetch } from '../support/stripe/network.ts';
import type { Subscription } from '../support/stripe/objects.ts';

const engine = engineOf(import.meta);

const network = interceptFetch();

const STATUSES = ['active', 'trialing', 'past_due', 'unpaid', 'paused'] as const;
const GRACE_DAYS = 7;
/** The terms of each item of the price list. */
const ITEMS: Readonly<Record<string, { readonly plan?: Plan; readonly modules?: readonly string[] }>> = {
  starter: { plan: 'starter' },
  pro: { plan: 'pro' },
  enterprise: { plan: 'enterprise' },
  'pc-guard': { modules: ['pc_guard'] },
  'cloud-immunity': { modules: ['cloud_immunity'] },
};

/** The terms of a customer and their end; null = never ends. */
interface Worth {
  readonly trial: boolean;
  readonly plan: Plan;
  readonly sites: number | null;
  readonly modules: readonly string[];
  readonly until: number | null;
}

/** A model of the license that the operator issued, or of a public trial. */
class Ledger {
  /** Granted by the operator. */
  grant: Worth | null;
  /** Granted by the service; ends with the first payment. */
  trial: Worth | null;
  /**
   * The last terms granted or paid for, which an extension uses once no grant of the operator's is active.
   */
  last: Worth;
  held = false;
  revoked = false;

  constructor(terms: Worth, isOperators: boolean) {
    this.grant = isOperators ? terms : null;
    this.trial = isOperators ? null : terms;
    this.last = terms;
  }

  extend(until: number, nowMs: number, isPaid: boolean): void {
    this.grant = { ...(this.grant && isRunning(this.grant, nowMs) ? this.grant : this.last), until };
    this.trial = null;
    if (!isPaid) this.last = this.grant;
  }
}

const isRunning = ({ until }: Worth, nowMs: number) => until === null || nowMs < until;
const greatest = (plans: readonly Plan[]): Plan => PLANS.findLast((plan) => plans.includes(plan)) ?? 'free';

/** The union of several terms. */
const together = (worths: readonly Worth[]) => ({
  plan: greatest(worths.map(({ plan }) => plan)),
  sites: Math.max(...worths.map(({ plan, sites }) => sites ?? defaultCatalog[plan].sitesAllowed)),
  modules: [
    ...new Set(worths.flatMap(({ plan, modules }) => [...defaultCatalog[plan].modules, ...modules])),
  ].sort(),
});

const NOTHING = together([{ trial: false, plan: 'free', sites: null, modules: [], until: null }]);

type Step =
  | { readonly does: 'order' | 'buy'; readonly items: readonly string[]; readonly license: number | null }
  | { readonly does: 'pay' | 'cancel' | 'repeat' | 'dispute' | 'win' | 'lose'; readonly which: number }
  | { readonly does: 'move'; readonly which: number; readonly status: (typeof STATUSES)[number] }
  | { readonly does: 'wait' | 'extend'; readonly days: number }
  | { readonly does: 'hear' | 'suspend' | 'resume' | 'revoke' };

const which = fc.nat({ max: 3 });
const some = (items: readonly string[]) => fc.subarray([...items], { minLength: 1, maxLength: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom('order', 'buy', 'buy'),
      items: some(Object.keys(ITEMS)),
      license: fc.option(fc.constantFrom(1, 1, 1, 2), { freq: 6 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('pay'), which }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('move'), which, status: fc.constantFrom(...STATUSES) }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('cancel', 'repeat'), which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('dispute', 'win', 'lose'), which }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('wait'), days: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 6, arbitrary: fc.constant({ does: 'hear' }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('extend'), days: fc.integer({ min: -5, max: 40 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom('suspend', 'resume', 'resume', 'resume', 'resume', 'revoke'),
    }),
  },
) as fc.Arbitrary<Step>;

const issue = fc.record({
  isOperators: fc.boolean(),
  trial: fc.boolean(),
  plan: fc.constantFrom(...PLANS),
  sites: fc.option(fc.integer({ min: 0, max: 2_000 })),
  modules: fc.subarray(['pc_guard', 'of_the_operator']),
  days: fc.option(fc.integer({ min: -3, max: 30 }), { freq: 6 }),
});

/** One world: the payment side of the service, a Stripe account, and the model. */
class World {
  readonly clock = new HeldClock();
  readonly account = new StripeAccount({ nowMs: this.clock.now });
  readonly api = new StripeApi(this.account);
  readonly house: House;
  readonly processor: PaymentProcessor;
  readonly ledger: Ledger;
  /** Ordered items by the subscription that pays for them. */
  readonly ordered = new Map<string, readonly string[]>();
  readonly #carts: { sessionId: string; items: readonly string[] }[] = [];
  #heard = 0;

  constructor(db: Database, processor: PaymentProcessor, terms: Worth, isOperators: boolean) {
    network.resetHandlers(...this.api.handlers);
    this.processor = processor;
    this.house = openHouse({ db, clock: this.clock, processor });
    const until = terms.until === null ? null : this.clock.ms + terms.until * DAY_MS;
    this.ledger = new Ledger({ ...terms, until }, isOperators);
  }

  async issue(isOperators: boolean): Promise<void> {
    const { trial, plan, sites, modules, until } = this.ledger.last;
    await this.house.write('issueLicense', {
      ...newLicenseKey('test').stored,
      kind: trial ? 'trial' : 'paid',
      environment: 'test',
      plan,
      sitesOverride: sites,
      modulesAllowed: [...modules],
      modulesDenied: [],
      note: null,
      expiresAt: until,
      domains: [],
      createdAt: this.clock.ms,
      issuedBy: { actor: isOperators ? 'cli:alice' : 'system' },
    });
  }

  async order(items: readonly string[], licenseId: number | null): Promise<void> {
    const { url } = await this.processor.createCheckout({
      items: [{ name: 'Anything', price: { currency: 'usd', unitAmount: 100 } }],
      order: { installation: identities.installation, items, domain: null, licenseId },
      email: undefined,
      successUrl: 'https://here.test/',
      cancelUrl: 'https://here.test/',
    });
    this.#carts.push({ sessionId: url.slice(url.lastIndexOf('/') + 1), items });
  }

  /** Pays for one of the open carts; -1 is the newest. */
  pay(which: number): void {
    const [cart] = this.#carts.splice(which % Math.max(1, this.#carts.length), 1);
    if (cart) this.ordered.set(this.api.pay(cart.sessionId).id, cart.items);
  }

  subscription(which: number): Subscription | undefined {
    const all = [...this.account.subscriptions.values()];
    return all[which % Math.max(1, all.length)];
  }

  /** Delivers and settles all events since the last call. */
  async hear(): Promise<void> {
    const before = new Set((await this.paying()).map(({ id }) => id));
    const stood = await this.standsOpen();
    for (const event of this.account.events.slice(this.#heard)) await this.house.deliver(event);
    this.#heard = this.account.events.length;
    expect(await this.house.settle()).toBe(true);
    await this.house.renew();
    const taken = (await this.paying()).filter(({ id, license_id }) => license_id === 1 && !before.has(id));
    if (taken.length === 0) return;
    expect(stood).toBe(true);
    const newest = (await this.house.licenses.find(1))?.subscriptionId ?? '';
    expect(taken.map(({ id }) => id)).toContain(newest);
    this.ledger.trial = null;
    this.ledger.last = { ...this.bought(newest), until: null };
    prolonged += taken.length;
  }

  /** Whether a payment may take the first license over. */
  async standsOpen(): Promise<boolean> {
    const { grant, held, revoked } = this.ledger;
    const isFree = grant === null || grant.trial || !isRunning(grant, this.clock.ms);
    return isFree && (await this.isUnpaid()) && !held && !revoked;
  }

  /** Whether every subscription of the first license has ended. */
  async isUnpaid(): Promise<boolean> {
    const paying = (await this.paying()).filter(({ license_id }) => license_id === 1);
    return paying.every(({ id }) => this.account.subscriptions.get(id)?.status === 'canceled');
  }

  paying = async () =>
    (await this.house.rows('select id, license_id from subscriptions order by created_at, id')) as {
      id: string;
      license_id: number;
    }[];

  bought(subscriptionId: string): Omit<Worth, 'until'> {
    const items = (this.ordered.get(subscriptionId) ?? []).map((slug) => ITEMS[slug] ?? {});
    return {
      trial: false,
      plan: greatest(items.map(({ plan = 'free' }) => plan)),
      sites: null,
      modules: items.flatMap(({ modules = [] }) => modules),
    };
  }

  /** The terms that a subscription pays for now, according to Stripe. */
  paidBy(id: string): Worth[] {
    const subscription = this.account.subscriptions.get(id);
    if (subscription === undefined) return [];
    const { status, customer, items } = subscription;
    const disputed = [...this.account.disputes.values()].some(
      (dispute) =>
        dispute.status !== 'won' && this.account.charges.get(dispute.charge)?.customer === customer,
    );
    if (disputed || !['active', 'trialing', 'past_due'].includes(status)) return [];
    const missed = status === 'past_due' ? this.account.openInvoices(id).map(({ created }) => created) : [];
    const ends = [
      ...items.data.map(({ current_period_end }) => current_period_end * SECOND_MS),
      ...missed.map((created) => created * SECOND_MS + GRACE_DAYS * DAY_MS),
    ];
    return [{ ...this.bought(id), until: Math.min(...ends) }];
  }

  async standing(id: number) {
    const license = await this.house.licenses.find(id);
    if (license === undefined) throw new Error('no license');
    const { valid, plan, sitesAllowed, modules } = licenseStanding(license, defaultCatalog, this.clock.ms);
    return { valid, worth: { plan, sites: sitesAllowed, modules: modules.toSorted() } };
  }

  /** The first license has at least the terms of the operator's grant, also while events are pending. */
  async checkGranted(): Promise<void> {
    const { grant, held, revoked } = this.ledger;
    if (held || revoked || grant === null || !isRunning(grant, this.clock.ms)) return;
    const { valid, worth } = await this.standing(1);
    const granted = together([grant]);
    expect(valid).toBe(true);
    expect(PLANS.indexOf(worth.plan)).toBeGreaterThanOrEqual(PLANS.indexOf(granted.plan));
    expect(worth.sites).toBeGreaterThanOrEqual(granted.sites);
    expect(worth.modules).toEqual(expect.arrayContaining(granted.modules));
  }

  /** Every license has exactly the best of the operator's grant and the current payments. */
  async checkAll(): Promise<void> {
    const paying = await this.paying();
    for (const { id } of (await this.house.rows('select id from licenses')) as { id: number }[]) {
      const { grant, trial, held, revoked } = this.ledger;
      const paid = paying
        .filter(({ license_id }) => license_id === id)
        .flatMap((each) => this.paidBy(each.id));
      const own = id === 1 ? [grant, trial].filter((worth) => worth !== null) : [];
      const running = [...own, ...paid].filter((worth) => isRunning(worth, this.clock.ms));
      const isShut = id === 1 && (held || revoked);
      const valid = running.length > 0 && !isShut;
      expect(paid.length).toBeLessThanOrEqual(1);
      expect(await this.standing(id)).toEqual({ valid, worth: valid ? together(running) : NOTHING });
      if (own.length > 0 && paid.length > 0 && running.length > 1) overlapping += 1;
    }
    expect(paying.map(({ id }) => id).sort()).toEqual([...this.ordered.keys()].sort());
  }

  async change(change: object): Promise<void> {
    await this.house.write('changeLicense', { id: 1, change });
  }

  async take(step: Step): Promise<void> {
    const { ledger, account, clock } = this;
    switch (step.does) {
      case 'order':
        return this.order(step.items, step.license);
      case 'buy':
        await this.order(step.items, step.license);
        return this.pay(-1);
      case 'pay':
        return this.pay(step.which);
      case 'move': {
        const subscription = this.subscription(step.which);
        if (subscription && subscription.status !== 'canceled') account.move(subscription, step.status);
        return;
      }
      case 'cancel': {
        const subscription = this.subscription(step.which);
        if (subscription && subscription.status !== 'canceled') account.move(subscription, 'canceled');
        return;
      }
      // Repeated old events change nothing.
      case 'repeat': {
        const subscription = this.subscription(step.which);
        if (subscription) account.emit('customer.subscription.updated', subscription);
        return;
      }
      case 'dispute': {
        const customer = this.subscription(step.which)?.customer;
        if (customer) account.dispute(customer);
        return;
      }
      case 'win':
      case 'lose': {
        const open = [...account.disputes.values()].filter(({ status }) => status === 'needs_response');
        const dispute = open[step.which % Math.max(1, open.length)];
        if (dispute) account.close(dispute, step.does === 'win' ? 'won' : 'lost');
        return;
      }
      case 'wait':
        clock.ms += step.days * DAY_MS;
        return;
      case 'hear':
        return this.hear();
      // An operator acts on the events received so far.
      case 'extend': {
        await this.hear();
        if (ledger.revoked) return;
        const until = clock.ms + step.days * DAY_MS;
        await this.house.write('grantTerms', {
          id: 1,
          terms: { expiresAt: until },
          now: clock.ms,
        });
        ledger.extend(until, clock.ms, !(await this.isUnpaid()));
        return;
      }
      case 'suspend':
      case 'resume':
        ledger.held = step.does === 'suspend';
        return this.change({ holds: withHold([], 'operator', ledger.held) });
      case 'revoke':
        await this.change({ revokedAt: clock.ms });
        ledger.revoked = true;
    }
  }
}

const RUNS = engine.runs(150);
/** How often the sequences reached the cases of interest. */
let prolonged = 0;
let overlapping = 0;

test("a license has the best of its operator's grant and its payments, after any sequence of events", async () => {
  const processor = await stripe();
  [prolonged, overlapping] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      issue,
      fc.array(step, { minLength: 5, maxLength: 40 }),
      async ({ isOperators, days: until, ...terms }, steps) => {
        const world = new World(
          await engine.open(),
          processor,
          { ...terms, trial: terms.trial || !isOperators, until },
          isOperators,
        );
        try {
          await world.issue(isOperators);
          for (const each of steps) {
            await world.take(each);
            await world.checkGranted();
            if (each.does !== 'hear') continue;
            await world.checkAll();
          }
          await world.hear();
          await world.checkAll();
        } finally {
          await world.house.close();
        }
      },
    ),
    { numRuns: RUNS },
  );
  expect(prolonged).toBeGreaterThan(RUNS / 3);
  expect(overlapping).toBeGreaterThan(RUNS / 7);
}, 240_000);
