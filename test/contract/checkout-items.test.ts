import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API, call } from '../support/client.ts';
import { type RunningService, start, until } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { StripeAccount } from '../support/stripe/account.ts';
import { SECRET_KEY, StripeApi } from '../support/stripe/handlers.ts';
import { type ServedStripe, serveStripe } from '../support/stripe/server.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Starts its own process, with a catalogue and a payment processor.

const account = new StripeAccount();
const PRICES = {
  price_month: { active: true, currency: 'eur', interval: 'month' },
  price_year: { active: true, currency: 'eur', interval: 'year' },
  price_once: { active: true, currency: 'eur', interval: null },
  price_old: { active: false, currency: 'eur', interval: 'month' },
  price_dollars: { active: true, currency: 'usd', interval: 'month' },
} as const;
for (const [id, price] of Object.entries(PRICES)) account.prices.set(id, price);

const ofStripe = (stripe_price: string, grants: object) => ({ name: 'Item', stripe_price, ...grants });
const euros = (grants: object) => ({ name: 'Item', currency: 'eur', unit_amount: 900, ...grants });
const ITEMS = {
  pro: euros({ plan: 'pro' }),
  'pro-agency': euros({ plan: 'pro', modules: ['pc_guard'] }),
  enterprise: euros({ plan: 'enterprise' }),
  'pc-guard': euros({ modules: ['pc_guard'] }),
  guards: euros({ modules: ['pc_guard', 'cloud_immunity'] }),
  'pc-guard-too': euros({ modules: ['pc_guard'] }),
  'cloud-immunity': euros({ modules: ['cloud_immunity'] }),
  kept: ofStripe('price_month', { modules: ['decoys'] }),
  yearly: ofStripe('price_year', { modules: ['decoys'] }),
  once: ofStripe('price_once', { modules: ['decoys'] }),
  old: ofStripe('price_old', { modules: ['decoys'] }),
  dollars: ofStripe('price_dollars', { modules: ['decoys'] }),
  'of-live-mode': ofStripe('price_live', { modules: ['decoys'] }),
};

let stripe: ServedStripe;
let service: RunningService;
beforeAll(async () => {
  stripe = await serveStripe(new StripeApi(account));
  const catalog = join(temporaryDirectory(), 'catalog.json');
  writeFileSync(catalog, JSON.stringify({ items: ITEMS }));
  // Its own process: it has a catalogue and a fake Stripe.
  service = await start('binary', {
    SERVICE_CATALOG_FILE: catalog,
    SERVICE_STRIPE_SECRET_KEY: SECRET_KEY,
    SERVICE_STRIPE_API_BASE: stripe.url,
    SERVICE_RATE_IP_PER_MINUTE: '100000',
  });
});
afterAll(async () => {
  await service.end();
  stripe.close();
});

const order = async (items: unknown, more: object = {}) => {
  const { status, json } = await call(service.url, `${API}/checkout`, { body: { items, ...more } });
  return status === 200 ? [200] : [status, json.error, json.message];
};
const nothingOpened = async (task: () => Promise<void>) => {
  const sessions = account.sessions.size;
  await task();
  expect(account.sessions.size).toBe(sessions);
  expect(rows(service, 'select 1 from licenses')).toEqual([]);
};

describe('a checkout charges for nothing twice', () => {
  const TWO_PLANS = [400, 'INVALID_PAYLOAD', 'items: Expected at most one plan'];
  test.each([
    [['pro', 'enterprise']],
    [['pro', 'pro-agency']],
    [['pc-guard', 'enterprise', 'pro']],
    [['pro', 'pro', 'enterprise']],
  ])('%j is refused because it has two plans', (items) =>
    nothingOpened(async () => {
      expect(await order(items)).toEqual(TWO_PLANS);
      expect(await order(items, { license_key: 'any' })).toEqual(TWO_PLANS);
    }),
  );

  const INCLUDED = [
    400,
    'INVALID_PAYLOAD',
    'items: contains an item whose modules are included in the others',
  ];
  test.each([
    [['enterprise', 'pc-guard']],
    [['pro-agency', 'pc-guard']],
    [['pc-guard', 'pc-guard-too']],
    [['guards', 'pro', 'cloud-immunity']],
  ])('%j is refused because an item adds nothing', (items) =>
    nothingOpened(async () => expect(await order(items)).toEqual(INCLUDED)),
  );

  test.each([
    [['pro']],
    [['pro', 'pro']],
    [['pc-guard', 'pc-guard', 'pro']],
    [['pro', 'guards']],
    [['pro-agency', 'guards']],
    [['pc-guard', 'cloud-immunity']],
    [['pc-guard']],
  ])('%j is accepted', async (items) => {
    expect(await order(items)).toEqual([200]);
  });

  test.each([0, -1, 1.5, 1e9, '2', null])(
    'a quantity of %j is ignored in an order and refused in an item',
    async (quantity) => {
      expect(await order(['pro'], { quantity, quantities: { pro: quantity } })).toEqual([200]);
      expect((await order([{ slug: 'pro', quantity }]))[1]).toBe('INVALID_PAYLOAD');
      expect((await order({ pro: quantity }))[1]).toBe('INVALID_PAYLOAD');
    },
  );

  test.each([[['gold']], [['pro', 'gold']], [['constructor']], [['enterprise', 'pro', 'gold']]])(
    '%j is refused because an item is not sold',
    (items) => nothingOpened(async () => expect((await order(items))[1]).toBe('UNKNOWN_CATALOG_ITEM')),
  );
});

describe('a price that Stripe refuses', () => {
  test.each([
    ['in another currency', ['pro', 'dollars']],
    ['with another interval', ['pro', 'yearly']],
    ['that does not recur, alone', ['once']],
    ['that is inactive', ['old']],
    ['from the other mode', ['of-live-mode']],
  ])("%s is 502, and the log has Stripe's answer", (_, items) =>
    nothingOpened(async () => {
      expect((await order(items)).slice(0, 2)).toEqual([502, 'PAYMENT_PROCESSOR_ERROR']);
      // Lines arrive through a pipe, with a delay.
      await until(() => service.log().includes('"message":"no checkout"'));
      expect(service.log()).toMatch(/StripeInvalidRequestError.? 400/);
    }),
  );

  test('is found by ordering one: valid ones are opened', async () => {
    for (const items of [['kept'], ['pro', 'kept'], ['yearly'], ['pro', 'once']]) {
      expect([items, await order(items)]).toEqual([items, [200]]);
    }
  });
});
