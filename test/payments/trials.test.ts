import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { canonicalEmail } from '../../src/domain/license/email.ts';
import { isRefusal } from '../../src/domain/refusal.ts';
import { DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import type { EnrolledTrial, TrialRequest } from '../../src/payments/enrolment.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { engineOf } from '../support/engines.ts';
import { HeldClock, type House, openHouse, stripe } from '../support/payments.ts';
import { StripeAccount } from '../support/stripe/account.ts';
import { StripeApi } from '../support/stripe/handlers.ts';
import { interceptFetch } from '../support/stripe/network.ts';

const engine = engineOf(import.meta);

const network = interceptFetch();

let clock: HeldClock;
let api: StripeApi;
let db: Database;
let house: House;
beforeEach(async () => {
  clock = new HeldClock();
  api = new StripeApi(new StripeAccount({ nowMs: clock.now }));
  network.use(...api.handlers);
  db = await engine.open();
  house = openHouse({ db, clock, processor: await stripe() });
});
afterEach(() => house.close());

const request = (name: string, more: Partial<TrialRequest> = {}): TrialRequest => {
  const email = more.email ?? `${name}@mail.com`;
  return {
    domain: `${name}.com`,
    registrableDomain: more.domain ?? `${name}.com`,
    installHash: `install-hash-${name}`,
    email,
    canonicalEmail: canonicalEmail(email) ?? '',
    network: '203.0.113.0/24',
    ...more,
  };
};
const enroll = async (asked: TrialRequest): Promise<EnrolledTrial> => {
  const enrolled = await house.enroll(asked);
  if (isRefusal(enrolled)) throw new Error(enrolled.refused);
  return enrolled;
};
const outcome = async (asked: TrialRequest) => {
  const enrolled = await house.enroll(asked);
  return isRefusal(enrolled) ? enrolled.refused : 'enrolled';
};
const licenses = () => house.rows('select id, pending_until, key_last4 from licenses');
const only = async () =>
  (await licenses())[0] as { id: number; pending_until: number | null; key_last4: string };

describe('a trial', () => {
  test('reserves, requests a card for later charges, and starts when the card is confirmed', async () => {
    const { clientSecret, confirmed } = await enroll(request('shop'));
    expect(confirmed).toBe(false);
    expect((await only()).pending_until).toBe(clock.ms + 30 * MINUTE_MS);
    const [intent] = api.account.setupIntents.values();
    expect(structuredClone(intent)).toMatchObject({
      usage: 'off_session',
      allowed_payment_method_types: ['card'],
      client_secret: clientSecret,
      metadata: { redoubt_trial: expect.any(String) },
    });
    await house.deliver(api.account.confirmCard(clientSecret));
    await house.settle();
    expect((await only()).pending_until).toBeNull();
    expect(await house.rows("select action from audit_log where action = 'trial.confirm'")).toHaveLength(1);
    expect(await house.rows('select id from payment_events where processed_at is null')).toEqual([]);
  });

  test('starts without a webhook, by a fetch for license/verify at most every ten seconds', async () => {
    const { clientSecret } = await enroll(request('shop'));
    const { id } = await only();
    const questions = () => api.asked.filter((line) => line.startsWith('GET /v1/setup_intents')).length;
    await house.cards.confirmPending(id);
    api.account.confirmCard(clientSecret);
    for (let again = 0; again < 5; again++) await house.cards.confirmPending(id);
    expect([questions(), (await only()).pending_until === null]).toEqual([1, false]);
    clock.ms += 10_000;
    await house.cards.confirmPending(id);
    expect([questions(), (await only()).pending_until]).toEqual([2, null]);
  });

  test('is not started by a card confirmed for another trial or by another customer', async () => {
    const { clientSecret } = await enroll(request('shop'));
    const [intent] = api.account.setupIntents.values();
    if (intent === undefined) throw new Error('no intent');
    const { metadata, customer } = intent;
    const confirmation = api.account.confirmCard(clientSecret);
    for (const forged of [{ metadata: { redoubt_trial: 'another' } }, { customer: 'cus_another' }]) {
      Object.assign(intent, { metadata, customer }, forged);
      await house.cards.confirmPending((await only()).id);
      await house.deliver(confirmation);
      await house.settle();
      clock.ms += 10_000;
    }
    expect((await only()).pending_until).not.toBeNull();
    clock.ms += 30 * MINUTE_MS;
    await house.cards.endOverdue();
    expect(await licenses()).toEqual([]);
  });

  test('repeated with its client secret while pending returns the same trial, a new key, and one license', async () => {
    const first = await enroll(request('shop'));
    clock.ms += MINUTE_MS;
    const { clientSecret } = first;
    const second = await enroll(request('shop', { email: 'Shop+again@MAIL.com', clientSecret }));
    expect([second.clientSecret, second.endsAt]).toEqual([clientSecret, first.endsAt]);
    expect(second.key).not.toBe(first.key);
    expect(await licenses()).toMatchObject([{ key_last4: second.key.slice(-4) }]);
    expect([api.account.customers.size, api.account.setupIntents.size]).toEqual([1, 1]);
  });

  test('repeated without its client secret, or with another, is refused and takes no key away', async () => {
    const { key, clientSecret } = await enroll(request('shop'));
    const other = await enroll(request('other'));
    const before = await house.rows('select * from licenses');
    for (const wrong of [undefined, '', `${clientSecret}x`, other.clientSecret]) {
      expect(await outcome(request('shop', { clientSecret: wrong }))).toBe('TRIAL_NOT_AVAILABLE');
    }
    expect(await house.rows('select * from licenses')).toEqual(before);
    expect((await only()).key_last4).toBe(key.slice(-4));
    expect(api.asked.filter((line) => line.startsWith('GET'))).toEqual([]);
  });

  test('repeated after an unnoticed confirmation of its card starts immediately', async () => {
    const { clientSecret } = await enroll(request('shop'));
    api.account.confirmCard(clientSecret);
    expect(await enroll(request('shop', { clientSecret }))).toMatchObject({ confirmed: true });
    expect((await only()).pending_until).toBeNull();
    expect(await outcome(request('shop', { clientSecret }))).toBe('TRIAL_NOT_AVAILABLE');
  });

  test('stores only a hash of its client secret', async () => {
    const { clientSecret } = await enroll(request('shop'));
    expect(JSON.stringify(await house.rows('select * from trials'))).not.toContain(clientSecret);
  });

  test.each<[string, Partial<TrialRequest>]>([
    ['the domain', { installHash: 'install-hash-other', email: 'other@mail.com' }],
    ['the installation', { domain: 'other.com', email: 'other@mail.com' }],
    ['domain and installation with another mailbox', { email: 'other@mail.com' }],
  ])('is refused with one code when %s had one', async (_, more) => {
    await enroll(request('shop'));
    const asked = request('shop', more);
    const conflicting = { ...asked, canonicalEmail: canonicalEmail(asked.email) ?? '' };
    expect(await outcome(conflicting)).toBe('TRIAL_NOT_AVAILABLE');
    expect(await licenses()).toHaveLength(1);
  });

  test('is refused to the fourth of one mailbox in any spelling', async () => {
    const spellings = ['one@mail.com', 'ONE@mail.com', 'one+tag@Mail.com', 'one+more+tags@mail.com'];
    const outcomes: string[] = [];
    for (const [index, email] of spellings.entries())
      outcomes.push(await outcome(request(`s${index}`, { email })));
    expect(outcomes).toEqual(['enrolled', 'enrolled', 'enrolled', 'TRIAL_NOT_AVAILABLE']);
  });

  test('stores no e-mail address', async () => {
    await enroll(request('shop', { email: 'very-private@mail.com' }));
    for (const table of ['trials', 'licenses', 'audit_log', 'license_domains']) {
      expect(JSON.stringify(await house.rows(`select * from ${table}`))).not.toContain('very-private');
    }
  });

  test.each(['', 'same'])('requested twenty times at once yields exactly one license (%p)', async (kind) => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        house.enroll(request(kind || `s${index}`, { domain: 'shop.com' })),
      ),
    );
    const enrolled = all.filter((each) => !isRefusal(each)) as EnrolledTrial[];
    expect(enrolled).toHaveLength(1);
    expect(await licenses()).toMatchObject([{ key_last4: enrolled[0]?.key.slice(-4) }]);
  });
});

describe('a reservation is released', () => {
  test.each([
    ['POST /v1/customers', 402],
    ['POST /v1/customers', 429],
    ['POST /v1/setup_intents', 409],
    ['POST /v1/setup_intents', 500],
  ] as const)('when %s answers %p', async (match, fault) => {
    api.fail(match, fault);
    expect(await outcome(request('shop'))).toBe('PAYMENT_SETUP_FAILED');
    expect([
      await licenses(),
      await house.rows('select id from trials'),
      await house.rows('select * from license_domains'),
    ]).toEqual([[], [], []]);
    expect(await outcome(request('shop'))).toBe('enrolled');
  });

  test('when the processor does not answer in time', async () => {
    await house.close();
    house = openHouse({ db: await engine.openBeside(db), clock, processor: await stripe(50) });
    api.fail('POST /v1/setup_intents', 'hang');
    expect(await outcome(request('shop'))).toBe('PAYMENT_SETUP_FAILED');
    expect(await licenses()).toEqual([]);
    expect(await outcome(request('shop'))).toBe('enrolled');
  });

  test('after 30 minutes without a card, which can no longer be confirmed', async () => {
    const { clientSecret } = await enroll(request('shop'));
    await house.exec('insert into license_activity (license_id, noted_at) select id, 1 from licenses');
    clock.ms += 30 * MINUTE_MS - 1;
    await house.cards.endOverdue();
    expect(await licenses()).toHaveLength(1);
    clock.ms += 1;
    await house.cards.endOverdue();
    expect([await licenses(), await house.rows('select id from trials')]).toEqual([[], []]);
    expect(() => api.account.confirmCard(clientSecret)).toThrow();
    expect(await outcome(request('shop'))).toBe('enrolled');
  });

  test('also when its license was suspended, and the telemetry of that license is retained', async () => {
    await enroll(request('shop'));
    const { id } = await only();
    await house.write('changeLicense', { id, change: { holds: ['operator'] } });
    await house.exec(`insert into sites (license_id, domain, first_seen_at, last_seen_at)
      values (${id}, 'shop.com', 1, 1)`);
    clock.ms += 30 * MINUTE_MS;
    await house.cards.endOverdue();
    expect(await house.rows('select id from trials')).toEqual([]);
    expect(await house.rows('select revoked_at from licenses')).toEqual([{ revoked_at: clock.ms }]);
    expect(await outcome(request('shop'))).toBe('enrolled');
  });

  test('but not when the card was confirmed at the last moment, nor while the processor is unavailable', async () => {
    const { clientSecret } = await enroll(request('shop'));
    clock.ms += 30 * MINUTE_MS;
    api.fail('GET /v1/setup_intents', 500);
    await house.cards.endOverdue();
    expect(await licenses()).toHaveLength(1);
    api.account.confirmCard(clientSecret);
    await house.cards.endOverdue();
    expect((await only()).pending_until).toBeNull();
    await house.cards.endOverdue();
    expect(await outcome(request('shop'))).toBe('TRIAL_NOT_AVAILABLE');
  });
});

test('without a processor a trial starts immediately, without external requests', async () => {
  await house.close();
  house = openHouse({ db: await engine.openBeside(db), clock, processor: undefined });
  expect(await enroll(request('shop'))).toMatchObject({ mock: true, confirmed: true });
  expect([(await only()).pending_until, api.asked]).toEqual([null, []]);
  expect(await house.rows('select environment, plan, key_prefix from licenses')).toEqual([
    { environment: 'test', plan: 'pro', key_prefix: 'rdt_test_' },
  ]);
  expect(await outcome(request('shop'))).toBe('TRIAL_NOT_AVAILABLE');
});

describe('on one UTC day', () => {
  const open = async (trialsPerDay: number, withCards: boolean) => {
    await house.close();
    house = openHouse({
      db: await engine.openBeside(db),
      clock,
      processor: withCards ? await stripe() : undefined,
      trialsPerDay,
    });
  };
  const from = (network: number, name: string) => request(name, { network: `198.51.${network}.0/24` });
  const outcomes = async (requests: TrialRequest[]) => {
    const all = [];
    for (const each of requests) all.push(await outcome(each));
    return all;
  };

  test("the operator's limit of trials applies, also after a restart, and is reset the next day", async () => {
    await open(3, false);
    const names = ['a', 'b', 'c', 'd'];
    const expected = ['enrolled', 'enrolled', 'enrolled', 'TRIAL_NOT_AVAILABLE'];
    expect(await outcomes(names.map((name, index) => from(index, name)))).toEqual(expected);
    expect(await licenses()).toHaveLength(3);
    await open(3, false);
    clock.ms = Math.floor(clock.ms / DAY_MS) * DAY_MS + DAY_MS - 1;
    expect(await outcome(from(9, 'e'))).toBe('TRIAL_NOT_AVAILABLE');
    clock.ms += 1;
    expect(await outcomes(['d', 'e', 'f', 'g'].map((name, index) => from(index, name)))).toEqual(expected);
  });

  test('one network starts a tenth of them where no card is required, and the rest are for others', async () => {
    await open(11, false);
    const requests = ['a', 'b', 'c'].map((name) => from(1, name));
    expect(await outcomes(requests)).toEqual(['enrolled', 'enrolled', 'TRIAL_NOT_AVAILABLE']);
    expect(await outcome(from(2, 'c'))).toBe('enrolled');
    clock.ms += DAY_MS;
    expect(await outcome(from(1, 'd'))).toBe('enrolled');
  });

  test('the network is stored as a hash that differs every day', async () => {
    await open(10, false);
    await enroll(from(1, 'a'));
    clock.ms += DAY_MS;
    await enroll(from(1, 'b'));
    const hashes = (await house.rows('select network_hash from trials')).map((row) => row.network_hash);
    expect(new Set(hashes).size).toBe(2);
    expect(hashes.join()).not.toContain('198.51');
  });

  test('reservations without a card use none of the limit, and a started card entry can finish', async () => {
    await open(2, true);
    const waiting: EnrolledTrial[] = [];
    for (const name of ['a', 'b', 'c', 'd']) waiting.push(await enroll(from(1, name)));
    const confirm = async (index: number) => {
      await house.deliver(api.account.confirmCard(waiting[index]?.clientSecret ?? ''));
      await house.settle();
    };
    await confirm(0);
    expect(await outcome(from(1, 'e'))).toBe('enrolled');
    await confirm(1);
    expect(await outcome(from(1, 'f'))).toBe('TRIAL_NOT_AVAILABLE');
    await confirm(2);
    expect(await house.rows('select id from trials where confirmed_at is not null')).toHaveLength(3);
    clock.ms += 30 * MINUTE_MS;
    await house.cards.endOverdue();
    expect(await outcome(from(1, 'f'))).toBe('TRIAL_NOT_AVAILABLE');
  });

  test('later dates of a clock that ran ahead are not counted', async () => {
    await open(1, false);
    clock.ms += 365 * DAY_MS;
    await enroll(from(1, 'a'));
    clock.ms -= 365 * DAY_MS;
    expect(await outcomes([from(1, 'b'), from(1, 'c')])).toEqual(['enrolled', 'TRIAL_NOT_AVAILABLE']);
  });
});

test('without a processor no answer mentions a trial that waits for a card', async () => {
  await enroll(request('shop'));
  await house.close();
  house = openHouse({ db: await engine.openBeside(db), clock, processor: undefined });
  expect(await outcome(request('shop'))).toBe('TRIAL_NOT_AVAILABLE');
  clock.ms += 30 * MINUTE_MS;
  await house.cards.endOverdue();
  expect(await enroll(request('shop'))).toMatchObject({ mock: true, confirmed: true });
});
