import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { isRefusal } from '../../src/domain/refusal.ts';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import type { TrialRequest } from '../../src/payments/enrolment.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { engineOf } from '../support/engines.ts';
import { HeldClock, type House, identities, openHouse, stripe } from '../support/payments.ts';
import { StripeAccount } from '../support/stripe/account.ts';
import { StripeApi } from '../support/stripe/handlers.ts';
import { interceptFetch } from '../support/stripe/network.ts';

const engine = engineOf(import.meta);

const network = interceptFetch();

class Crash extends Error {}

/** Lets a process die before or after its n-th step; it does nothing after that. */
function dyingAt(moment: number) {
  let passed = 0;
  const pass = () => {
    passed += 1;
    if (passed >= moment) throw new Crash();
  };
  return async <Value>(task: () => Promise<Value>): Promise<Value> => {
    pass();
    const value = await task();
    pass();
    return value;
  };
}

let clock: HeldClock;
let account: StripeAccount;
let api: StripeApi;
let db: Database;
beforeEach(async () => {
  clock = new HeldClock();
  account = new StripeAccount({ nowMs: clock.now });
  api = new StripeApi(account);
  network.use(...api.handlers);
  db = await engine.open();
});
afterEach(() => disconnect(db));

/**
 * Runs work in a process that dies at a given step.
 *
 * @returns whether it died; false when the work ended before that step
 */
async function runDying(moment: number, work: (house: House) => Promise<unknown>): Promise<boolean> {
  const house = openHouse({
    db: await engine.openBeside(db),
    clock,
    processor: await stripe(),
    step: dyingAt(moment),
  });
  try {
    await work(house);
    return false;
  } catch (error) {
    if (error instanceof Crash) return true;
    throw error;
  } finally {
    await house.close();
  }
}

/** A new process on the same database, with its work at the start. */
async function restart(): Promise<House> {
  const house = openHouse({ db: await engine.openBeside(db), clock, processor: await stripe() });
  await house.cards.endOverdue();
  await house.settle();
  return house;
}

const MOMENTS = Array.from({ length: 16 }, (_, index) => index + 1);
const REQUEST: TrialRequest = {
  domain: 'shop.com',
  registrableDomain: 'shop.com',
  installHash: 'install-hash-shop',
  email: 'owner@shop.com',
  canonicalEmail: 'owner@shop.com',
  network: '203.0.113.0/24',
};
const count = async (house: House, table: string) => (await house.rows(`select 1 from ${table}`)).length;
const enroll = async (house: House, clientSecret?: string) => {
  const enrolled = await house.enroll({ ...REQUEST, clientSecret });
  if (isRefusal(enrolled)) throw new Error(enrolled.refused);
  return enrolled;
};

describe.each(MOMENTS)('a process that dies at step %p', (moment) => {
  test('of a trial continues there when repeated, unless the client secret may be known', async () => {
    const died = await runDying(moment, (house) => house.enroll(REQUEST));
    expect(died).toBe(moment <= 8);
    const house = await restart();
    const isStored = moment >= 8;
    if (isStored) expect(await house.enroll(REQUEST)).toMatchObject({ refused: 'TRIAL_NOT_AVAILABLE' });
    const [intent] = account.setupIntents.values();
    const { clientSecret } = await enroll(house, isStored ? (intent?.client_secret ?? '') : undefined);
    expect([await count(house, 'licenses'), account.setupIntents.size]).toEqual([1, 1]);
    await house.deliver(account.confirmCard(clientSecret));
    await house.settle();
    expect(await house.rows('select pending_until from licenses')).toEqual([{ pending_until: null }]);
    await house.close();
  });

  test('of a trial leaves nothing blocked after 30 minutes', async () => {
    await runDying(moment, (house) => house.enroll(REQUEST));
    clock.ms += 30 * MINUTE_MS;
    const house = await restart();
    expect([await count(house, 'licenses'), await count(house, 'trials')]).toEqual([0, 0]);
    await enroll(house);
    await house.close();
  });

  test("of a trial's end loses no confirmed card and grants nothing for an unconfirmed one", async () => {
    for (const confirmed of [true, false]) {
      await disconnect(db);
      db = await engine.open();
      const before = await restart();
      const { clientSecret } = await enroll(before);
      await before.close();
      clock.ms += 30 * MINUTE_MS;
      if (confirmed) account.confirmCard(clientSecret);
      await runDying(moment, async (house) => {
        await house.cards.endOverdue();
      });
      const house = await restart();
      expect(await house.rows('select pending_until from licenses')).toEqual(
        confirmed ? [{ pending_until: null }] : [],
      );
      await house.close();
    }
  });

  test('of a delivery gets it again until it is answered, and issues exactly one license', async () => {
    const processor = await stripe();
    await processor.createCheckout({
      items: [{ name: 'Pro', price: { currency: 'usd', unitAmount: 100 } }],
      order: { installation: identities.installation, items: ['pro'], domain: 'shop.com', licenseId: null },
      email: undefined,
      successUrl: 'https://here.test/',
      cancelUrl: 'https://here.test/',
    });
    api.pay([...account.sessions.keys()][0] ?? '');
    let answered = 0;
    await runDying(moment, async (house) => {
      for (const event of account.events) {
        await house.deliver(event);
        answered += 1;
      }
      if (!(await house.settle())) throw new Crash();
    });
    const house = await restart();
    for (const event of account.events.slice(answered)) await house.deliver(event);
    expect(await house.settle()).toBe(true);
    expect(
      await house.rows(
        'select plan, holds, case when expires_at > 0 then 1 else 0 end as paid from licenses',
      ),
    ).toEqual([{ plan: 'pro', holds: '[]', paid: 1 }]);
    expect(await count(house, 'subscriptions')).toBe(1);
    expect(await house.rows('select id from payment_events where processed_at is null')).toEqual([]);
    expect(await house.rows("select 1 from audit_log where action = 'license.issue'")).toHaveLength(1);
    await house.close();
  });
});
