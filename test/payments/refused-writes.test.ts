import { afterEach, beforeEach, expect, test } from 'bun:test';
import { MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { engineOf } from '../support/engines.ts';
import { HeldClock, type House, openHouse, stripe } from '../support/payments.ts';
import { StripeAccount } from '../support/stripe/account.ts';
import { StripeApi } from '../support/stripe/handlers.ts';
import { interceptFetch } from '../support/stripe/network.ts';

const engine = engineOf(import.meta);

const network = interceptFetch();

let clock: HeldClock;
let api: StripeApi;
let house: House;
/** The job that the store refuses. */
let refused: string | undefined;
let warned: string[];
beforeEach(async () => {
  clock = new HeldClock();
  api = new StripeApi(new StripeAccount({ nowMs: clock.now }));
  network.use(...api.handlers);
  [refused, warned] = [undefined, []];
  const warn = (message: string, fields?: { fault?: unknown }) => warned.push(`${message}: ${fields?.fault}`);
  house = openHouse({
    db: await engine.open(),
    clock,
    processor: await stripe(),
    refuses: (job) => job === refused,
    log: { ...silentLog, warn },
  });
});
afterEach(() => house.close());

const enroll = () =>
  house.enroll({
    domain: 'shop.com',
    registrableDomain: 'shop.com',
    installHash: 'install-hash',
    email: 'shop@mail.com',
    canonicalEmail: 'shop@mail.com',
    network: '203.0.113.0/24',
  });
const trials = async () =>
  (await house.rows('select confirmed_at from trials')).map(({ confirmed_at: at }) => at !== null);
const NOT_NOW = 'STORE_UNAVAILABLE';

test('a reservation that cannot be released is logged, and released when it expires', async () => {
  api.fail('POST /v1/setup_intents', 500);
  refused = 'releaseTrial';
  expect(await enroll()).toMatchObject({ refused: 'PAYMENT_SETUP_FAILED' });
  expect(warned.at(-1)).toBe(`a reservation could not be released yet: ${NOT_NOW}`);
  clock.ms += 30 * MINUTE_MS;
  await house.cards.endOverdue();
  expect([warned.at(-1), await trials()]).toEqual([
    `a reservation could not be ended yet: ${NOT_NOW}`,
    [false],
  ]);
  refused = undefined;
  await house.cards.endOverdue();
  expect(await trials()).toEqual([]);
});

test('a confirmed card that cannot be stored is logged, and stored at the next request', async () => {
  const enrolled = await enroll();
  if (!('clientSecret' in enrolled)) throw new Error(enrolled.refused);
  api.account.confirmCard(enrolled.clientSecret);
  const [license] = await house.rows('select id from licenses');
  const ask = () => house.cards.confirmPending(Number(license?.id));
  refused = 'confirmTrial';
  await ask();
  expect([warned, await trials()]).toEqual([[`the card of a trial could not be read: ${NOT_NOW}`], [false]]);
  [refused, clock.ms] = [undefined, clock.ms + 10 * SECOND_MS];
  await ask();
  expect(await trials()).toEqual([true]);
});
