import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { defaultCatalog } from '../../src/domain/license/catalog.ts';
import { licenseStanding } from '../../src/domain/license/license.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { resumeLicense } from '../../src/operator/hold-license.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { readHoldCauses } from '../../src/storage/payments/subscriptions.ts';
import { engineOf } from '../support/engines.ts';
import { HeldClock, type House, identities, openHouse, stripe } from '../support/payments.ts';
import { MONTHLY, StripeAccount } from '../support/stripe/account.ts';
import { StripeApi } from '../support/stripe/handlers.ts';
import { interceptFetch } from '../support/stripe/network.ts';
import type { Event, Invoice, Subscription } from '../support/stripe/objects.ts';

const engine = engineOf(import.meta);

const network = interceptFetch();

let clock: HeldClock;
let account: StripeAccount;
let house: House;
let db: Database;
let subscription: Subscription;
let delivered: number;
beforeEach(async () => {
  clock = new HeldClock();
  account = new StripeAccount({ nowMs: clock.now });
  const api = new StripeApi(account);
  network.use(...api.handlers);
  const processor = await stripe();
  db = await engine.open();
  house = openHouse({ db, clock, processor });
  const { url } = await processor.createCheckout({
    items: [{ name: 'Pro', price: { currency: 'usd', unitAmount: MONTHLY } }],
    order: { installation: identities.installation, items: ['pro'], domain: null, licenseId: null },
    email: undefined,
    successUrl: 'https://here.test/',
    cancelUrl: 'https://here.test/',
  });
  subscription = api.pay(url.slice(url.lastIndexOf('/') + 1));
  delivered = 0;
  await hear();
});
afterEach(() => house.close());

const hear = async (events = account.events.slice(delivered)) => {
  for (const event of events) await house.deliver(event);
  delivered = account.events.length;
  expect(await house.settle()).toBe(true);
};
const license = async () => {
  const found = await house.licenses.find(1);
  if (found === undefined) throw new Error('no license');
  return found;
};
/** The license's state, and the payment processor's suspension reasons. */
const state = async () => {
  const causes = await readHoldCauses(db)(1);
  const details = causes.filter(({ isLifted }) => !isLifted).map(({ detail }) => detail);
  return [licenseStanding(await license(), defaultCatalog, clock.ms).state, ...details] as string[];
};
const REFUNDED = ['suspended', 'refunded'];
const newest = (): Invoice => {
  const [invoice] = account.invoicesOf(subscription.id);
  if (invoice === undefined) throw new Error('no invoice');
  return invoice;
};
const nextMonth = () => {
  clock.ms += 30 * DAY_MS;
  account.move(subscription, 'active');
};
/** As the operator does. */
const resume = async (hold: 'payment' | 'dispute') => {
  const act = { actor: 'cli:alice', now: clock.ms } as const;
  const planned = resumeLicense(await license(), hold, act);
  if ('refused' in planned) throw new Error(planned.refused);
  for (const { name, input } of planned.jobs) await house.write(name, input as never);
};

describe('a full refund', () => {
  test('suspends the license until the next month is paid', async () => {
    account.refund(newest(), MONTHLY);
    await hear();
    expect(await state()).toEqual(REFUNDED);
    expect(await license()).toMatchObject({ paymentHolds: ['payment'], holds: [] });
    clock.ms += 30 * DAY_MS;
    account.move(subscription, 'past_due');
    await hear();
    expect(await state()).toEqual(['suspended', 'past_due', 'refunded']);
    account.move(subscription, 'active');
    await hear();
    expect(await state()).toEqual(['active']);
  });

  test('counts when it comes in parts; a single part of any size does not', async () => {
    account.refund(newest(), 1);
    await hear();
    expect(await state()).toEqual(['active']);
    account.refund(newest(), MONTHLY - 2);
    await hear();
    expect(await state()).toEqual(['active']);
    account.refund(newest(), 1);
    await hear();
    expect(await state()).toEqual(REFUNDED);
  });

  test('that fails later does not count, also when one of several parts fails', async () => {
    account.refund(newest(), MONTHLY - 1);
    const last = account.refund(newest(), 1, 'pending');
    await hear();
    expect(await state()).toEqual(REFUNDED);
    account.failRefund(last);
    await hear();
    expect(await state()).toEqual(['active']);
  });

  test('outside of Stripe counts with other refunds of the payment, until its credit note is voided', async () => {
    account.refund(newest(), MONTHLY - 500);
    const note = account.creditOutside(newest(), 500);
    await hear();
    expect(await state()).toEqual(REFUNDED);
    account.voidNote(note);
    await hear();
    expect(await state()).toEqual(['active']);
  });

  test('as credit for the next invoice does not count', async () => {
    newest().post_payment_credit_notes_amount = MONTHLY;
    account.emit('credit_note.created', { object: 'credit_note', invoice: newest().id });
    await hear();
    expect(await state()).toEqual(['active']);
  });

  test('of an earlier month suspends nothing', async () => {
    const first = newest();
    nextMonth();
    account.refund(first, MONTHLY);
    await hear();
    expect(await state()).toEqual(['active']);
  });

  test('of a change within the month suspends nothing, and such a change pays for no refunded month', async () => {
    const change = { amount: 700, reason: 'subscription_update', isProration: true } as const;
    const month = newest();
    account.refund(account.invoice(subscription, change), 700);
    await hear();
    expect(await state()).toEqual(['active']);
    account.refund(month, MONTHLY);
    account.invoice(subscription, change);
    await hear();
    expect(await state()).toEqual(REFUNDED);
    account.invoice(subscription, { ...change, isProration: false });
    await hear();
    expect(await state()).toEqual(['active']);
  });

  test('of zero does not count: a month that cost nothing is paid for', async () => {
    account.refund(newest(), MONTHLY);
    account.invoice(subscription, { amount: 0 });
    await hear();
    expect(await state()).toEqual(['active']);
  });

  test('is not undone by an open, void or uncollectible invoice', async () => {
    account.refund(newest(), MONTHLY);
    for (const status of ['void', 'uncollectible'] as const) {
      account.abandon(account.invoice(subscription, { isPaid: false }), status);
      await hear();
      expect(await state()).toEqual(REFUNDED);
    }
  });

  test('followed by a cancellation leaves an expired license, which can be bought again', async () => {
    account.refund(newest(), MONTHLY);
    account.move(subscription, 'canceled');
    await hear();
    expect(await state()).toEqual(['expired']);
    account.refund(newest(), MONTHLY);
    await hear();
    expect(await state()).toEqual(['expired']);
  });

  test('leaves a revoked license revoked', async () => {
    await house.write('changeLicense', { id: 1, change: { revokedAt: clock.ms } });
    account.refund(newest(), MONTHLY);
    await hear();
    expect((await state())[0]).toBe('revoked');
  });

  test('takes away nothing that the operator granted', async () => {
    await house.write('grantTerms', { id: 1, terms: { expiresAt: clock.ms + DAY_MS }, now: clock.ms });
    account.refund(newest(), MONTHLY);
    await hear();
    expect(await state()).toEqual(['active', 'refunded']);
    clock.ms += DAY_MS;
    expect(await state()).toEqual(REFUNDED);
  });

  test.each(['charge.refunded', 'refund.created', 'refund.updated', 'charge.refund.updated'] as const)(
    'is detected by %s alone, once or repeated',
    async (type) => {
      const refund = account.refund(newest(), MONTHLY);
      const event = account.emit(type, refund);
      await hear([event, event]);
      expect(await state()).toEqual(REFUNDED);
    },
  );

  test('is found by the reconciliation when no delivery arrived', async () => {
    await house.reconcile();
    account.refund(newest(), MONTHLY);
    clock.ms += DAY_MS;
    await house.reconcile();
    await hear([]);
    expect(await state()).toEqual(REFUNDED);
  });
});

describe('an operator who lifts a suspension', () => {
  const again = () => account.emit('customer.subscription.updated', subscription);

  test('for a refund lifts it permanently, and another refund sets it again', async () => {
    account.refund(newest(), MONTHLY);
    await hear();
    await resume('payment');
    expect(await state()).toEqual(['active']);
    again();
    account.emit('charge.refunded', [...account.refunds.values()][0] ?? {});
    await hear();
    expect(await state()).toEqual(['active']);
    nextMonth();
    account.refund(newest(), MONTHLY);
    await hear();
    expect(await state()).toEqual(REFUNDED);
  });

  test('for a refund does not lift its replacement, even when both events arrive together', async () => {
    const failing = account.refund(newest(), MONTHLY);
    await hear();
    await resume('payment');
    account.failRefund(failing);
    account.refund(newest(), MONTHLY);
    await hear();
    expect(await state()).toEqual(REFUNDED);
    await resume('payment');
    for (const refund of account.refunds.values()) account.failRefund(refund);
    account.creditOutside(newest(), MONTHLY);
    await hear();
    expect(await state()).toEqual(REFUNDED);
    await resume('payment');
    again();
    await hear();
    expect(await state()).toEqual(['active']);
  });

  test('for a dispute lifts it permanently, and another dispute sets it again', async () => {
    const dispute = account.dispute(subscription.customer);
    await hear();
    await resume('dispute');
    again();
    account.emit('charge.dispute.updated', dispute);
    account.close(dispute, 'lost');
    await hear();
    expect(await state()).toEqual(['active']);
    account.dispute(subscription.customer);
    await hear();
    expect(await state()).toEqual(['suspended', 'disputed']);
  });

  test('for a missed payment lifts it until another is missed', async () => {
    account.move(subscription, 'past_due');
    clock.ms += 8 * DAY_MS;
    await hear();
    expect(await state()).toEqual(['suspended', 'past_due']);
    await resume('payment');
    again();
    await hear();
    expect(await state()).toEqual(['active']);
    account.move(subscription, 'active');
    await hear();
    account.move(subscription, 'past_due');
    await hear();
    expect(await state()).toEqual(['active', 'past_due']);
  });

  test('for one of two reasons leaves the other', async () => {
    account.refund(newest(), MONTHLY);
    account.dispute(subscription.customer);
    await hear();
    await resume('payment');
    expect(await state()).toEqual(['suspended', 'disputed']);
    await resume('dispute');
    again();
    await hear();
    expect(await state()).toEqual(['active']);
  });
});

test('paused collection suspends the license where invoices are voided, and nowhere else', async () => {
  for (const [behavior, expected] of [
    ['keep_as_draft', ['active']],
    ['void', ['suspended', 'paused']],
    ['mark_uncollectible', ['active']],
    ['void', ['suspended', 'paused']],
    [undefined, ['active']],
  ] as const) {
    account.pause(subscription, behavior);
    await hear();
    expect([behavior, ...(await state())]).toEqual([behavior, ...expected]);
  }
});

describe('unrelated events change nothing', () => {
  const everything = async () =>
    JSON.stringify([
      await house.rows('select * from licenses'),
      await house.rows('select * from subscriptions'),
      await house.rows('select * from disputes'),
      await house.rows('select * from audit_log'),
    ]);
  const ofType = (type: Event['type'], object: object, more: object = {}) => ({
    ...account.emit(type, object),
    ...more,
  });

  test.each([
    ['a refund of a payment of another kind', 'refund.created', { payment_intent: 'pi_shop' }],
    ['a refund without a payment', 'refund.created', { payment_intent: null, charge: 'ch_1' }],
    ['an event without an identifier', 'charge.refunded', {}],
    ['a credit note without an invoice', 'credit_note.created', { id: 'cn_1', invoice: null }],
    ['an invoice without a subscription', 'invoice.voided', { id: 'in_1', parent: null }],
    ['a refund whose payment is no identifier', 'refund.failed', { payment_intent: '../v1/x' }],
  ] as const)('%s', async (_, type, object) => {
    const before = await everything();
    await hear([ofType(type, object)]);
    expect(await everything()).toBe(before);
    expect(await house.rows('select id from payment_events where processed_at is null')).toEqual([]);
  });

  test('an event of a connected account is ignored, because its objects are not in this one', async () => {
    const before = await everything();
    account.refund(newest(), MONTHLY);
    const connected = account.events.slice(delivered).map((event) => ({ ...event, account: 'acct_1' }));
    await hear([
      ...connected,
      ofType('customer.subscription.deleted', { id: 'sub_1' }, { account: 'acct_1' }),
    ]);
    expect(await everything()).toBe(before);
  });

  test('an event about a deleted invoice is dismissed with a note', async () => {
    await hear([ofType('credit_note.created', { invoice: 'in_gone' })]);
    expect(await house.rows("select 1 from audit_log where action = 'payment.dismiss'")).toHaveLength(1);
  });

  test('events of older API versions are read like those of the current one', async () => {
    const [{ payment_intent } = { payment_intent: '' }] = newest().payments.data.map(
      ({ payment }) => payment,
    );
    account.refunds.set('re_old', {
      id: 're_old',
      object: 'refund',
      amount: MONTHLY,
      charge: 'ch_old',
      created: account.seconds,
      payment_intent,
      status: 'succeeded',
    });
    const charge = { id: 'ch_old', object: 'charge', invoice: newest().id, payment_intent, refunded: true };
    await hear([ofType('charge.refunded', charge, { api_version: '2020-08-27' })]);
    expect(await state()).toEqual(REFUNDED);
  });
});
