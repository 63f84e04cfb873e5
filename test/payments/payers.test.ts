import { expect, test } from 'bun:test';
import { computeFeed } from '../../src/storage/threats/feed-snapshots.ts';
import { engineOf } from '../support/engines.ts';
import { HeldClock, identities, openHouse, stripe } from '../support/payments.ts';
import { StripeAccount } from '../support/stripe/account.ts';
import { StripeApi } from '../support/stripe/handlers.ts';
import { interceptFetch } from '../support/stripe/network.ts';

const engine = engineOf(import.meta);

const network = interceptFetch();

test('three Stripe customers of one buyer count once in the feed, and no address is stored', async () => {
  const clock = new HeldClock();
  const account = new StripeAccount({ nowMs: clock.now });
  const api = new StripeApi(account);
  network.use(...api.handlers);
  const processor = await stripe();
  const db = await engine.open();
  const house = openHouse({ db, clock, processor });
  const buy = async (email: string) => {
    const { url } = await processor.createCheckout({
      items: [{ name: 'Anything', price: { currency: 'usd', unitAmount: 500 } }],
      order: { installation: identities.installation, items: ['starter'], domain: null, licenseId: null },
      email: undefined,
      successUrl: 'https://here.test/done?session_id={CHECKOUT_SESSION_ID}',
      cancelUrl: 'https://here.test/cancelled',
    });
    const { customer } = api.pay(url.slice(url.lastIndexOf('/') + 1));
    Object.assign(account.customers.get(customer) ?? {}, { email });
    return customer;
  };
  const customers = [
    await buy('buyer@shop.com'),
    await buy('Buyer+two@shop.com'),
    await buy('buyer@shop.com'),
  ];
  expect(new Set(customers).size).toBe(3);
  await buy('another@shop.com');
  for (const event of account.events) await house.deliver(event);
  await house.settle();

  await house.exec("update licenses set environment = 'live'");
  const licenses = (await house.rows('select id from licenses')).map(({ id }) => Number(id));
  expect(licenses).toHaveLength(4);
  for (const licenseId of licenses) {
    await house.write('recordThreatReport', {
      fingerprint: 'f',
      attackType: 'xss',
      licenseId,
      now: clock.ms,
    });
  }
  const rule = { minCorroboration: 1, windowDays: 14, minAgeHours: 0, entriesMax: 10 };
  const terms = { rule, epochSeconds: 300, now: clock.ms };
  const { entries = '[]' } = (await computeFeed(db, terms, identities)) ?? {};
  expect(JSON.parse(entries)).toMatchObject([{ corroboration_count: 2 }]);
  expect(JSON.stringify(await house.rows('select * from subscriptions'))).not.toMatch(/shop\.com/i);
  await house.close();
});
