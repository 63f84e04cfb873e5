import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { defaultCatalog } from '../../src/domain/license/catalog.ts';
import { licenseStanding } from '../../src/domain/license/license.ts';
import { newLicenseKey } from '../../src/domain/license/license-key.ts';
import { retryAfterMs } from '../../src/domain/payment/payment-event.ts';
import { isRefusal } from '../../src/domain/refusal.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts';
import { faultOf } from '../../src/lib/fault.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { PaymentProcessor } from '../../src/outside/payment-processor.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { NewLicense } from '../../src/storage/licenses/licenses.ts';
import { engineOf } from '../support/engines.ts';
import { HeldClock, type House, identities, openHouse, stripe } from '../support/payments.ts';
import { StripeAccount } from '../support/stripe/account.ts';
import { StripeApi } from '../support/stripe/handlers.ts';
import { interceptFetch } from '../support/stripe/network.ts';
import type { Event } from '../support/stripe/objects.ts';
import { delivery } from '../support/stripe/webhook.ts';

const engine = engineOf(import.meta);

const network = interceptFetch();

let clock: HeldClock;
let account: StripeAccount;
let api: StripeApi;
let processor: PaymentProcessor;
let house: House;
let db: Database;
beforeEach(async () => {
  clock = new HeldClock();
  account = new StripeAccount({ nowMs: clock.now });
  api = new StripeApi(account);
  network.use(...api.handlers);
  processor = await stripe();
  db = await engine.open();
  house = openHouse({ db, clock, processor });
});
afterEach(() => house.close());

/** A buyer orders and pays. */
const buy = async (items: string[], more: { domain?: string; licenseId?: number } = {}) => {
  const { installation } = identities;
  const order = { installation, items, domain: more.domain ?? null, licenseId: more.licenseId ?? null };
  const { url } = await processor.createCheckout({
    items: [{ name: 'Anything', price: { currency: 'usd', unitAmount: 100 } }],
    order,
    email: undefined,
    successUrl: 'https://here.test/done?session_id={CHECKOUT_SESSION_ID}',
    cancelUrl: 'https://here.test/cancelled',
  });
  const sessionId = url.slice(url.lastIndexOf('/') + 1);
  return { sessionId, subscription: api.pay(sessionId) };
};
let delivered = 0;
beforeEach(() => {
  delivered = 0;
});
/** Delivers and settles the events since the last call. */
const hear = async () => {
  for (const event of account.events.slice(delivered)) await house.deliver(event);
  delivered = account.events.length;
  return house.settle();
};
const licenses = () =>
  house.rows(
    'select id, kind, plan, environment, holds, payment_holds, expires_at, payment_hold_from, modules_allowed from licenses order by id',
  );
const license = async () => (await licenses())[0];
const periodEnd = (subscription: { items: { data: { current_period_end: number }[] } }) =>
  (subscription.items.data[0]?.current_period_end ?? 0) * SECOND_MS;
const setHolds = (holds: string) => house.exec(`update licenses set holds = '${holds}'`);

describe('a subscription', () => {
  test('gives a license of the highest plan and all modules that were ordered, until its period ends', async () => {
    const { subscription } = await buy(['starter', 'pc-guard', 'pro', 'gone-since'], {
      domain: 'shop.com',
    });
    await hear();
    expect(await licenses()).toEqual([
      expect.objectContaining({
        kind: 'paid',
        plan: 'pro',
        environment: 'test',
        holds: '[]',
        expires_at: periodEnd(subscription),
        modules_allowed: '["pc_guard"]',
      }),
    ]);
    expect(await house.rows('select domain from license_domains')).toEqual([{ domain: 'shop.com' }]);
  });

  test('of another installation, or never paid, gives nothing', async () => {
    const { subscription } = await buy(['pro']);
    subscription.metadata = { ...subscription.metadata, redoubt_installation: 'another' };
    for (const session of account.sessions.values()) session.metadata = {};
    await hear();
    const unpaid = await buy(['pro']);
    unpaid.subscription.status = 'incomplete';
    await hear();
    account.move(unpaid.subscription, 'incomplete_expired');
    await hear();
    expect(await licenses()).toEqual([]);
    expect(await house.rows('select id from payment_events where processed_at is null')).toEqual([]);
  });

  test('changes the state of its license with every status', async () => {
    const { subscription } = await buy(['pro']);
    await hear();
    const at = async (status: Parameters<typeof account.move>[1]) => {
      clock.ms += DAY_MS;
      account.move(subscription, status);
      await hear();
      return license();
    };
    expect(await at('past_due')).toMatchObject({
      payment_holds: '[]',
      payment_hold_from: clock.ms + 7 * DAY_MS,
      expires_at: periodEnd(subscription),
    });
    expect(await at('unpaid')).toMatchObject({ payment_holds: '["payment"]', payment_hold_from: null });
    expect(await at('active')).toMatchObject({ payment_holds: '[]', expires_at: periodEnd(subscription) });
    expect(await at('paused')).toMatchObject({ payment_holds: '["payment"]' });
    expect(await at('trialing')).toMatchObject({ payment_holds: '[]' });
    expect(await at('canceled')).toMatchObject({ payment_holds: '[]', expires_at: clock.ms });
  });

  test.each([
    ['the year 10000', Date.UTC(10_000, 0) / SECOND_MS],
    ['beyond the range of Date', 1e300],
    ['missing', Number.NaN],
  ])('with an invalid period end (%s) waits and changes nothing', async (_, seconds) => {
    const { subscription } = await buy(['pro']);
    await hear();
    const before = await licenses();
    account.move(subscription, 'active');
    for (const item of subscription.items.data) item.current_period_end = seconds;
    await hear();
    expect(await licenses()).toEqual(before);
    expect(await house.rows('select id from payment_events where processed_at is null')).not.toEqual([]);
    for (const item of subscription.items.data)
      item.current_period_end = Date.parse('9999-12-31T23:59:59Z') / SECOND_MS;
    clock.ms += DAY_MS;
    await house.settle();
    expect(await license()).toMatchObject({ expires_at: Date.parse('9999-12-31T23:59:59Z') });
  });

  test('that stays past due gets no new grace period with its next invoice', async () => {
    const { subscription } = await buy(['pro']);
    await hear();
    account.move(subscription, 'past_due');
    const missedAt = clock.ms;
    clock.ms += 30 * DAY_MS;
    account.move(subscription, 'past_due');
    await hear();
    expect(await license()).toMatchObject({ payment_hold_from: missedAt + 7 * DAY_MS });
  });

  test('is fetched when its period ends, so that its license is renewed without any event', async () => {
    const { subscription } = await buy(['pro']);
    await hear();
    const questions = () => api.asked.filter((line) => line.startsWith('GET /v1/subscriptions')).length;
    const before = questions();
    await house.renew();
    expect(questions()).toBe(before);
    clock.ms = periodEnd(subscription);
    await house.renew();
    expect([questions(), (await license())?.expires_at]).toEqual([before + 1, clock.ms]);
    account.move(subscription, 'active');
    await house.renew();
    expect((await license())?.expires_at).toBe(periodEnd(subscription));
    expect(periodEnd(subscription)).toBeGreaterThan(clock.ms);
    await house.renew();
    expect(questions()).toBe(before + 2);
  });

  test('that cannot be fetched at the end of its period does not delay other renewals', async () => {
    const broken = await buy(['pro']);
    const other = await buy(['pro']);
    await hear();
    for (const { subscription } of [broken, other]) {
      clock.ms = periodEnd(subscription);
      account.move(subscription, 'active');
    }
    const renewed = async () =>
      (await licenses()).filter(({ expires_at }) => Number(expires_at) > clock.ms).length;
    for (let again = 0; again < 20; again++) api.fail(`GET /v1/subscriptions/${broken.subscription.id}`, 500);
    await house.renew();
    expect(await renewed()).toBe(1);
    api.heal();
    await house.renew();
    expect(await renewed()).toBe(2);
  });

  test('that cannot be stored at the end of its period is logged and fetched again', async () => {
    const { subscription } = await buy(['pro']);
    await hear();
    clock.ms = periodEnd(subscription);
    account.move(subscription, 'active');
    const warned: unknown[] = [];
    const log = { ...silentLog, warn: (...line: unknown[]) => warned.push(line) };
    const refusing = openHouse({
      db: await engine.openBeside(db),
      clock,
      processor,
      log,
      refuses: () => true,
    });
    await refusing.renew();
    await refusing.close();
    expect(warned).toEqual([['a license could not be renewed yet', { fault: 'STORE_UNAVAILABLE' }]]);
    await house.renew();
    expect((await license())?.expires_at).toBe(periodEnd(subscription));
  });

  test("lifts its own suspension when it recovers, and none of the operator's", async () => {
    const { subscription } = await buy(['pro']);
    account.move(subscription, 'unpaid');
    await hear();
    await setHolds('["payment","operator"]');
    account.move(subscription, 'active');
    await hear();
    expect(await license()).toMatchObject({ holds: '["payment","operator"]', payment_holds: '[]' });
  });

  test('extends the named license with its key; one bought after its end replaces it for good', async () => {
    const first = await buy(['starter', 'pc-guard']);
    await hear();
    expect(await license()).toMatchObject({ modules_allowed: '["pc_guard"]' });
    account.move(first.subscription, 'canceled');
    await hear();
    clock.ms += DAY_MS;
    const second = await buy(['pro'], { licenseId: 1 });
    await hear();
    expect(await licenses()).toEqual([
      expect.objectContaining({
        id: 1,
        plan: 'pro',
        modules_allowed: '[]',
        expires_at: periodEnd(second.subscription),
      }),
    ]);
    expect(await house.checkoutState(second.sessionId)).toBe('shown');
    account.emit('customer.subscription.updated', first.subscription);
    await hear();
    expect(await license()).toMatchObject({ expires_at: periodEnd(second.subscription) });
  });

  test('gives a separate license when the named one is already paid for', async () => {
    await buy(['starter']);
    await hear();
    await buy(['pro'], { licenseId: 1 });
    await hear();
    expect((await licenses()).map(({ plan }) => plan)).toEqual(['starter', 'pro']);
  });
});

describe('a license issued by the operator', () => {
  const issue = (more: Partial<NewLicense> = {}) =>
    house.write('issueLicense', {
      ...newLicenseKey('test').stored,
      kind: 'trial',
      environment: 'test',
      plan: 'enterprise',
      sitesOverride: null,
      modulesAllowed: [],
      modulesDenied: [],
      note: null,
      expiresAt: clock.ms + 60 * DAY_MS,
      domains: [],
      createdAt: clock.ms,
      issuedBy: { actor: 'cli:alice' },
      ...more,
    });
  const standing = async () => {
    const found = await house.licenses.find(1);
    if (found === undefined) throw new Error('no license');
    const { state, plan, expiresAt } = licenseStanding(found, defaultCatalog, clock.ms);
    return { state, plan, expiresAt };
  };

  test('has its granted terms while payments are lower or missing, and otherwise the paid ones', async () => {
    await issue();
    const granted = { plan: 'enterprise', expiresAt: clock.ms + 60 * DAY_MS } as const;
    const { subscription } = await buy(['starter'], { licenseId: 1 });
    await hear();
    expect(await licenses()).toHaveLength(1);
    expect(await standing()).toEqual({ state: 'active', ...granted });
    for (const status of ['unpaid', 'paused'] as const) {
      account.move(subscription, status);
      await hear();
      expect(await standing()).toEqual({ state: 'trial', ...granted });
    }
    account.move(subscription, 'active');
    const dispute = account.dispute(subscription.customer);
    await hear();
    expect(await standing()).toEqual({ state: 'trial', ...granted });
    account.close(dispute, 'won');
    await hear();
    clock.ms += 60 * DAY_MS;
    account.move(subscription, 'active');
    await hear();
    expect(await standing()).toEqual({
      state: 'active',
      plan: 'starter',
      expiresAt: periodEnd(subscription),
    });
    account.move(subscription, 'canceled');
    await hear();
    expect(await standing()).toMatchObject({ state: 'expired', plan: 'free' });
  });

  test('is not taken over by a payment while it is active, independent of the order date', async () => {
    await issue({ kind: 'paid', expiresAt: clock.ms - 1 });
    const { subscription } = await buy(['starter'], { licenseId: 1 });
    await house.write('grantTerms', {
      id: 1,
      terms: { expiresAt: clock.ms + DAY_MS },
      now: clock.ms,
    });
    const before = await license();
    await hear();
    account.move(subscription, 'canceled');
    await hear();
    expect(await licenses()).toEqual([before, expect.objectContaining({ plan: 'starter' })]);
  });

  test('has only the paid terms after its end, also when that is only a module', async () => {
    await issue({ expiresAt: clock.ms - 1, modulesAllowed: ['decoys'], sitesOverride: 500 });
    await buy(['pc-guard'], { licenseId: 1 });
    await hear();
    expect(await license()).toMatchObject({ plan: 'free', modules_allowed: '["pc_guard"]' });
    expect(await house.licenses.find(1)).toMatchObject({ sitesOverride: null });
  });

  test('retains the paid number of self-registered sites, and all sites bound by the operator', async () => {
    const domains = ['bound-1.com', 'bound-2.com'];
    await issue({ expiresAt: clock.ms - 1, domains });
    for (const site of ['a', 'b', 'c']) {
      clock.ms += 1;
      await house.write('claimDomain', {
        licenseId: 1,
        domain: `${site}.com`,
        sitesAllowed: 25,
        now: clock.ms,
      });
    }
    await buy(['starter'], { licenseId: 1 });
    await hear();
    expect((await house.licenses.find(1))?.domains).toEqual([...domains, 'a.com']);
  });
});

test('a dispute of an earlier payer does not suspend a license that another pays for', async () => {
  const first = await buy(['starter']);
  await hear();
  account.move(first.subscription, 'canceled');
  await hear();
  const second = await buy(['pro'], { licenseId: 1 });
  await hear();
  account.dispute(first.subscription.customer);
  await hear();
  expect(await license()).toMatchObject({ plan: 'pro', payment_holds: '[]' });
  account.dispute(second.subscription.customer);
  await hear();
  expect(await license()).toMatchObject({ payment_holds: '["dispute"]' });
});

test('a subscription that is settled late pays for its license, also after a younger one ended', async () => {
  await buy(['starter']);
  await hear();
  for (const subscription of account.subscriptions.values()) account.move(subscription, 'canceled');
  await hear();
  const late = await buy(['enterprise'], { licenseId: 1 });
  const held = account.events.splice(delivered);
  clock.ms += DAY_MS;
  const younger = await buy(['pro'], { licenseId: 1 });
  await hear();
  account.move(younger.subscription, 'canceled');
  await hear();
  account.events.push(...held);
  await hear();
  expect(await license()).toMatchObject({ plan: 'enterprise', expires_at: periodEnd(late.subscription) });
});

describe('a dispute', () => {
  test('suspends the license until it is won, independent of the subscription', async () => {
    const { subscription } = await buy(['pro']);
    await hear();
    const dispute = account.dispute(subscription.customer);
    await hear();
    account.move(subscription, 'active');
    await hear();
    expect(await license()).toMatchObject({ payment_holds: '["dispute"]' });
    account.close(dispute, 'won');
    await hear();
    expect(await license()).toMatchObject({ payment_holds: '[]' });
  });

  test('that is lost, or older than the subscription, suspends too; a second one keeps the suspension', async () => {
    const { subscription } = await buy(['pro']);
    const dispute = account.dispute(subscription.customer);
    const another = account.dispute(subscription.customer);
    for (const event of account.events.toReversed()) {
      await house.deliver(event);
      await house.settle();
    }
    expect(await license()).toMatchObject({ payment_holds: '["dispute"]' });
    delivered = account.events.length;
    account.close(another, 'won');
    account.close(dispute, 'lost');
    await hear();
    expect(await license()).toMatchObject({ payment_holds: '["dispute"]' });
  });
});

describe('a delivery', () => {
  const read = (body: string, signature: string) =>
    processor.readDelivery(new TextEncoder().encode(body), signature, clock.ms).then(
      () => 'read',
      (error) => (isRefusal(error) ? error.refused : String(error)),
    );
  const at = () => Math.floor(clock.ms / SECOND_MS);

  test('is accepted within five minutes of now, in both directions', async () => {
    const { subscription } = await buy(['pro']);
    const event = account.emit('customer.subscription.updated', subscription);
    const outcomes = await Promise.all(
      [-301, -300, 0, 300, 301].map((seconds) => {
        const { body, signature } = delivery(event, { at: at() + seconds });
        return read(body, signature);
      }),
    );
    expect(outcomes).toEqual(['WEBHOOK_REJECTED', 'read', 'read', 'read', 'WEBHOOK_REJECTED']);
  });

  test('is refused with another secret, a changed body, no signature, two time stamps or the other mode', async () => {
    const event = account.emit('customer.subscription.updated', { id: 'sub_1' });
    const good = delivery(event, { at: at() });
    const bad = [
      delivery(event, { at: at(), secret: 'whsec_other' }),
      { ...good, body: `${good.body} ` },
      { ...good, signature: '' },
      { ...good, signature: `t=${at()}` },
      { ...good, signature: good.signature.replace('v1=', 'v1=00') },
      { ...good, signature: `t=${at() + 400},${good.signature}` },
      delivery({ ...event, livemode: true }, { at: at() }),
    ];
    expect(await read(good.body, good.signature)).toBe('read');
    for (const { body, signature } of bad) expect(await read(body, signature)).toBe('WEBHOOK_REJECTED');
  });

  test('is refused when the signed text is not an event', async () => {
    const event = account.emit('customer.subscription.updated', { id: 'sub_1' });
    for (const odd of [
      null,
      [],
      'x',
      {},
      { ...event, id: 5 },
      { ...event, data: undefined },
      { ...event, data: null },
    ]) {
      const { body, signature } = delivery(odd as Event, { at: at() });
      expect(await read(body, signature)).toBe('WEBHOOK_REJECTED');
    }
  });
});

describe('events', () => {
  test('of one subscription that arrive together are settled with one fetch', async () => {
    const { subscription } = await buy(['pro']);
    for (let again = 0; again < 5; again++) account.emit('customer.subscription.updated', subscription);
    await hear();
    expect(api.asked.filter((line) => line === `GET /v1/subscriptions/${subscription.id}`)).toHaveLength(2);
  });

  test('that cannot be settled wait without delaying others', async () => {
    const broken = await buy(['pro']);
    api.fail(`GET /v1/subscriptions/${broken.subscription.id}`, 500);
    api.fail(`GET /v1/subscriptions/${broken.subscription.id}`, 429);
    await buy(['starter']);
    expect(await hear()).toBe(false);
    expect((await licenses()).map(({ plan }) => plan)).toEqual(['starter']);
    clock.ms += SECOND_MS;
    expect(await house.settle()).toBe(true);
    expect(await licenses()).toHaveLength(2);
  });

  test('that always fail, in any number, delay no new one, and are fetched less and less often', async () => {
    await house.close();
    let asked: string[] = [];
    const findSubscription: PaymentProcessor['findSubscription'] = (id) => {
      asked.push(id);
      return id.startsWith('sub_broken')
        ? Promise.reject(new Error('broken'))
        : processor.findSubscription(id);
    };
    house = openHouse({ db: await engine.open(), clock, processor: { ...processor, findSubscription } });
    const broken = Array.from({ length: 600 }, (_, number) => `sub_broken_${number}`);
    for (const id of broken) account.emit('customer.subscription.updated', { id });
    await hear();
    expect(asked.sort()).toEqual(broken.toSorted());

    for (const waitSeconds of [1, 2, 4]) {
      asked = [];
      clock.ms += waitSeconds * SECOND_MS - 1;
      await house.settle();
      expect(asked).toEqual([]);
      clock.ms += 1;
      await house.settle();
      expect(asked).toHaveLength(broken.length);
    }
    expect([3, 8, 9, 2_000].map(retryAfterMs)).toEqual([8_000, 256_000, 300_000, 300_000]);

    clock.ms += 5 * MINUTE_MS;
    const { subscription } = await buy(['pro']);
    asked = [];
    await hear();
    expect(await licenses()).toHaveLength(1);
    expect(asked[0]).toBe(subscription.id);
  });

  test('postponed by a clock that ran ahead are due once it is corrected', async () => {
    const { subscription } = await buy(['pro']);
    api.fail(`GET /v1/subscriptions/${subscription.id}`, 500);
    clock.ms += 365 * DAY_MS;
    for (const event of account.events) {
      await house.write('storePaymentEvents', {
        events: [{ id: event.id, type: event.type, kind: 'subscription', subjectId: subscription.id }],
        now: clock.ms,
      });
    }
    expect(await house.settle()).toBe(false);
    clock.ms -= 365 * DAY_MS;
    expect(await house.settle()).toBe(true);
    expect(await licenses()).toHaveLength(1);
  });

  test('that a store refuses fail with the code of the refusal', async () => {
    await buy(['pro']);
    for (const event of account.events) await house.deliver(event);
    const refusing = openHouse({ db: await engine.openBeside(db), clock, processor, refuses: () => true });
    for (const task of [refusing.settle, refusing.reconcile])
      expect(await task().catch(faultOf)).toBe('STORE_UNAVAILABLE');
    await refusing.close();
  });

  test('that were compared, but not recorded as compared, are compared again', async () => {
    const refusing = openHouse({
      db: await engine.openBeside(db),
      clock,
      processor,
      refuses: (job) => job === 'recordReconciliation',
    });
    expect(await refusing.reconcile().catch(faultOf)).toBe('STORE_UNAVAILABLE');
    await refusing.close();
  });

  test('about deleted objects are dismissed with a note', async () => {
    account.emit('customer.subscription.updated', { id: 'sub_gone' });
    account.emit('charge.dispute.created', { id: 'dp_gone' });
    account.emit('checkout.session.completed', { id: 'cs_gone' });
    account.emit('setup_intent.succeeded', { id: 'seti_gone' });
    expect(await hear()).toBe(true);
    expect(
      await house.rows("select 1 from audit_log where action = 'payment.dismiss' and actor = 'stripe'"),
    ).toHaveLength(3);
  });

  test('that never arrived are found by the reconciliation, on every page, once', async () => {
    await house.reconcile();
    clock.ms += 60 * MINUTE_MS;
    const { subscription } = await buy(['pro']);
    for (let more = 0; more < 250; more++) account.emit('invoice.paid', { subscription: subscription.id });
    account.move(subscription, 'past_due');
    clock.ms += SECOND_MS;
    await house.reconcile();
    const pages = api.asked.filter((line) => line === 'GET /v1/events').length;
    await house.settle();
    // Stripe lists at most 20 types at a time, and there are more.
    expect(pages).toBe(2 + 3 + 1);
    expect(await license()).toMatchObject({ plan: 'pro', payment_hold_from: expect.any(Number) });
    const taken = (await house.rows('select count(*) as n from payment_events'))[0]?.n;
    await hear();
    await house.reconcile();
    expect((await house.rows('select count(*) as n from payment_events'))[0]?.n).toBe(taken as number);
  });

  test('are also found after a clock that ran ahead is corrected', async () => {
    const right = clock.ms;
    clock.ms += 400 * DAY_MS;
    await house.reconcile();
    clock.ms = right;
    await buy(['pro']);
    clock.ms += SECOND_MS;
    await house.reconcile();
    await house.settle();
    expect(await license()).toMatchObject({ plan: 'pro' });
  });
});

test('the key of a checkout is shown exactly once, and is the only key of its license', async () => {
  const { sessionId } = await buy(['pro']);
  const state = () => house.checkoutState(sessionId);
  expect(await state()).toBe('awaited');
  await hear();
  expect(await state()).toBe('ready');
  const reveal = (keyHash: string) =>
    house.write('revealKey', {
      checkoutId: sessionId,
      key: { keyHash, keyPrefix: 'rdt_test_', keyLast4: 'last' },
      now: clock.ms,
    });
  const outcomes = await Promise.all(['one', 'two', 'three'].map(reveal));
  expect(outcomes.filter(isRefusal)).toHaveLength(2);
  expect([await state(), await house.rows('select key_hash from licenses')]).toEqual([
    'shown',
    [{ key_hash: 'one' }],
  ]);
});
