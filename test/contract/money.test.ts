import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API, call } from '../support/client.ts';
import { type RunningService, run, SURE, start, TARGETS, until } from '../support/service.ts';
import { issueExpired, rows, seenByNodes } from '../support/store.ts';
import { StripeAccount } from '../support/stripe/account.ts';
import { SECRET_KEY, StripeApi } from '../support/stripe/handlers.ts';
import type { Event } from '../support/stripe/objects.ts';
import { type ServedStripe, serveStripe } from '../support/stripe/server.ts';
import { delivery, type Signing, WEBHOOK_SECRET } from '../support/stripe/webhook.ts';
import { integrationStates } from '../support/tenant.ts';

const trialOf = (name: string) => ({
  domain: `https://www.${name}.com/path`,
  install_hash: `installation-${name}`,
  email: `owner+tag@${name}.com`,
});
const post = (base: string, path: string, body: unknown) => call(base, API + path, { body });
const verify = async (base: string, api_key: string, domain: string) =>
  (await post(base, '/license/verify', { api_key, domain })).json;

describe.each([...TARGETS])('%s with Stripe', (target) => {
  const account = new StripeAccount();
  const api = new StripeApi(account);
  let stripe: ServedStripe;
  let service: RunningService;
  let settings: Record<string, string>;
  let earlierLog = '';
  beforeAll(async () => {
    stripe = await serveStripe(api);
    settings = {
      ...stripe.settings,
      SERVICE_BASE_URL: 'https://licenses.vendor.com',
      SERVICE_RATE_IP_PER_MINUTE: '100000',
    };
    // Its own process: it uses a test Stripe account, and it is killed.
    service = await start(target, settings);
  });
  afterAll(async () => {
    await service.end();
    stripe.close();
  });

  const deliver = async (event: Event, signing: Signing = {}) => {
    const { body, signature } = delivery(event, signing);
    return call(service.url, '/webhooks/stripe', { body, headers: { 'stripe-signature': signature } });
  };
  // On PostgreSQL the lease of a killed process expires first, after 15 seconds.
  const settled = async () => {
    await until(
      () => rows(service, 'select count(*) as n from payment_events where processed_at is null')[0]?.n === 0,
      25_000,
    );
    await seenByNodes(service);
  };
  const order = async (body: object) => {
    const { json, status } = await post(service.url, '/checkout', body);
    expect(status).toBe(200);
    return String(json.checkout_url).split('/').at(-1) ?? '';
  };
  const page = (sessionId: string, method = 'GET') =>
    call(service.url, `/checkout/done?session_id=${sessionId}`, { method });
  const keyOn = (text: string) => /rdt_(?:live|test)_[0-9A-Za-z]{39}/.exec(text)?.[0];

  test('a trial is pending, and invalid like any unknown key, until its card is confirmed', async () => {
    const { key } = await service.issue('--plan', 'pro');
    expect((await integrationStates(service.url, key)).payments).toBe('available');
    const { status, json } = await post(service.url, '/license/trial', { ...trialOf('one'), extra: 1 });
    expect([status, json.status, json.plan, json.mock]).toEqual([200, 'pending', 'pro', undefined]);
    expect(Date.parse(json.trial_ends_at) - Date.now()).toBeWithin(13.9 * 86_400_000, 14 * 86_400_000);
    const before = await post(service.url, '/license/verify', {
      api_key: json.license_key,
      domain: 'one.com',
    });
    const unknown = await post(service.url, '/license/verify', { api_key: 'x', domain: 'one.com' });
    expect(before.text).toBe(unknown.text);
    await deliver(account.confirmCard(json.client_secret));
    await settled();
    expect((await integrationStates(service.url, key)).payments).toBe('active');
    expect(await verify(service.url, json.license_key, 'one.com')).toMatchObject({
      valid: true,
      status: 'trial',
      domain_bound: true,
      trial_ends_at: json.trial_ends_at,
    });
  });

  test('a trial starts on license/verify when no webhook arrives', async () => {
    const { json } = await post(service.url, '/license/trial', trialOf('two'));
    account.confirmCard(json.client_secret);
    expect(await verify(service.url, json.license_key, 'two.com')).toMatchObject({ valid: true });
  });

  test('a repetition needs the client secret of the first answer, otherwise the first key stays the only one', async () => {
    const kept = () => rows(service, 'select l.*, t.* from trials t join licenses l on l.id = t.license_id');
    const first = await post(service.url, '/license/trial', trialOf('seven'));
    const before = kept();
    for (const client_secret of [undefined, '', 'seti_x_secret_x']) {
      const { status, json } = await post(service.url, '/license/trial', {
        ...trialOf('seven'),
        client_secret,
      });
      expect([status, json]).toEqual([
        409,
        { error: 'TRIAL_NOT_AVAILABLE', message: 'A trial is not available for this request.' },
      ]);
    }
    expect(kept()).toEqual(before);
    const { client_secret } = first.json;
    const second = await post(service.url, '/license/trial', { ...trialOf('seven'), client_secret });
    expect([second.status, second.json.client_secret]).toEqual([200, client_secret]);
    expect(second.json.license_key).not.toBe(first.json.license_key);
    await deliver(account.confirmCard(client_secret));
    await settled();
    expect(await verify(service.url, first.json.license_key, 'seven.com')).toMatchObject({ valid: false });
    expect(await verify(service.url, second.json.license_key, 'seven.com')).toMatchObject({ valid: true });
  });

  test('spellings of a registered domain or mailbox count as one; suffixes and addresses are refused', async () => {
    let asked = 0;
    const ask = async (domain: string, email?: string) => {
      asked += 1;
      const body = { domain, install_hash: `spelling-of-one-${asked}`, email: email ?? `x${asked}@mail.com` };
      const { status, json } = await post(service.url, '/license/trial', body);
      return status === 200 ? 200 : [status, json.error];
    };
    const kept = () => rows(service, 'select id from licenses').length;
    expect(await ask('blog.spelt.co.uk')).toBe(200);
    const before = kept();
    for (const domain of [
      'spelt.co.uk',
      'shop.spelt.co.uk',
      'https://www.www.spelt.co.uk/',
      'SPELT.CO.UK.',
      'ｓｐｅｌｔ.co.uk',
      'co.uk',
      'github.io',
      '8.8.8.8',
      '[2606:4700::1]',
    ]) {
      expect([domain, await ask(domain)]).toEqual([domain, [409, 'TRIAL_NOT_AVAILABLE']]);
    }
    expect(kept()).toBe(before);
    expect([await ask('alice.github.io'), await ask('bob.github.io')]).toEqual([200, 200]);

    const mailboxes = ['spelt.name@gmail.com', 'speltname+a@GoogleMail.com', 'ｓｐｅｌｔｎａｍｅ@gmail.com'];
    for (const [index, email] of mailboxes.entries()) expect(await ask(`spelt${index}.com`, email)).toBe(200);
    expect(await ask('spelt3.com', 's.p.e.l.t.n.a.m.e@gmail.com')).toEqual([409, 'TRIAL_NOT_AVAILABLE']);
    expect(await ask('spelt4.com', 'spelt\u200bname@gmail.com')).toEqual([400, 'INVALID_PAYLOAD']);
  });

  test('a conflict is one 409 and a failure of Stripe one 502, both flat and without details', async () => {
    await post(service.url, '/license/trial', trialOf('three'));
    const other = { ...trialOf('three'), email: 'other@mail.com' };
    const conflict = await post(service.url, '/license/trial', other);
    expect([conflict.status, Object.keys(conflict.json), conflict.json.error]).toEqual([
      409,
      ['error', 'message'],
      'TRIAL_NOT_AVAILABLE',
    ]);
    const uncounted = { ...trialOf('six'), domain: 'shop.localhost' };
    expect((await post(service.url, '/license/trial', uncounted)).text).toBe(conflict.text);
    api.fail('POST /v1/setup_intents', 500);
    const broken = await post(service.url, '/license/trial', trialOf('four'));
    expect([broken.status, broken.json.error]).toEqual([502, 'PAYMENT_SETUP_FAILED']);
    expect((await post(service.url, '/license/trial', trialOf('four'))).status).toBe(200);
  });

  test('a checkout leads to a license and a landing page that shows its key exactly once', async () => {
    const sessionId = await order({
      items: ['pro', 'pc-guard', 'pro'],
      price_pro: 1,
      price_total: '0.01',
      domain: 'www.shop.com',
      email: 'buyer@shop.com',
    });
    const cart = Object.fromEntries(api.carts.get(sessionId) ?? []);
    expect(cart).toMatchObject({
      mode: 'subscription',
      customer_email: 'buyer@shop.com',
      success_url: 'https://licenses.vendor.com/checkout/done?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://licenses.vendor.com/checkout/cancelled',
      'line_items[0][price_data][unit_amount]': '2900',
      'line_items[0][price_data][recurring][interval]': 'month',
      'line_items[1][price_data][unit_amount]': '500',
    });
    expect(cart['line_items[2][quantity]']).toBeUndefined();

    const subscription = api.pay(sessionId);
    const early = await page(sessionId);
    expect([early.status, keyOn((await page(sessionId, 'POST')).text)]).toEqual([200, undefined]);
    for (const event of account.events.slice(-2)) expect((await deliver(event)).status).toBe(200);
    await settled();
    expect(keyOn((await page(sessionId)).text)).toBeUndefined();
    const shown = await page(sessionId, 'POST');
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
    const key = keyOn(shown.text) ?? '';
    for (const method of ['GET', 'POST']) expect(keyOn((await page(sessionId, method)).text)).toBeUndefined();

    expect(await verify(service.url, key, 'shop.com')).toMatchObject({ valid: true, plan: 'pro' });
    const own = await call(service.url, `${API}/auth/verify`, { method: 'POST', key });
    const [item] = subscription.items.data;
    expect(Date.parse(own.json.data.expires_at)).toBe(Number(item?.current_period_end) * 1_000);

    account.move(subscription, 'unpaid');
    await deliver(account.events.at(-1) as Event);
    await settled();
    expect(await verify(service.url, key, 'shop.com')).toMatchObject({ valid: false, reason: 'suspended' });
    account.move(subscription, 'canceled');
    await deliver(account.events.at(-1) as Event);
    await settled();
    expect((await call(service.url, `${API}/me`, { key })).json.error.code).toBe('EXPIRED');
  });

  test('a trial can be paid for and keeps its key', async () => {
    const { json } = await post(service.url, '/license/trial', trialOf('five'));
    const license_key = json.license_key;
    const pending = await post(service.url, '/checkout', { items: ['starter'], license_key });
    expect([pending.status, pending.json.error]).toEqual([400, 'LICENSE_NOT_PROLONGABLE']);
    account.confirmCard(json.client_secret);
    await verify(service.url, license_key, 'five.com');
    api.pay(await order({ items: ['enterprise'], license_key }));
    for (const event of account.events.slice(-2)) await deliver(event);
    await settled();
    expect(await verify(service.url, license_key, 'five.com')).toMatchObject({
      status: 'active',
      plan: 'enterprise',
    });
    expect((await post(service.url, '/checkout', { items: ['pro'], license_key })).status).toBe(400);
  });

  test('checkout refuses items without a price, and reports a failure of Stripe', async () => {
    const refused = async (body: object) => {
      const { status, json } = await post(service.url, '/checkout', body);
      return [status, json.error];
    };
    expect(await refused({ items: ['pro', 'gold'] })).toEqual([400, 'UNKNOWN_CATALOG_ITEM']);
    expect(await refused({ items: ['constructor'] })).toEqual([400, 'UNKNOWN_CATALOG_ITEM']);
    for (const items of [[], 'pro', Array(21).fill('pro'), [1]]) {
      expect(await refused({ items })).toEqual([400, 'INVALID_PAYLOAD']);
    }
    api.fail('POST /v1/checkout', 402);
    expect(await refused({ items: ['pro'] })).toEqual([502, 'PAYMENT_PROCESSOR_ERROR']);
  });

  test('a key extends only a license in trial or expired, only with a plan, and reveals nothing else', async () => {
    const test = (...options: string[]) => service.issue('--test', '--plan', 'enterprise', ...options);
    const ended = () => issueExpired(service, '--test', '--plan', 'enterprise');
    const [endless, dated, live, held, gone, expired, trial] = await Promise.all([
      test(),
      test('--expires', '2099-01-01'),
      issueExpired(service, '--plan', 'pro'),
      ended(),
      ended(),
      ended(),
      test('--trial'),
    ]);
    await service.command('license', 'suspend', held.license_id, '--hold', 'operator');
    await service.command('license', 'revoke', gone.license_id, ...SURE);
    const before = rows(service, 'select * from licenses');
    const sessions = account.sessions.size;
    const ask = async (items: string[], license_key: string) => {
      const { status, json } = await post(service.url, '/checkout', { items, license_key });
      return [status, json];
    };
    const refused = [
      400,
      {
        error: 'LICENSE_NOT_PROLONGABLE',
        message: 'license_key: only a license that is in trial or has expired can be prolonged.',
      },
    ];
    for (const { key } of [endless, dated, live, held, gone, { key: 'nonsense' }]) {
      expect(await ask(['pro'], key)).toEqual(refused);
    }
    const withoutPlan = [
      400,
      { error: 'INVALID_PAYLOAD', message: 'license_key: requires exactly one item with a plan' },
    ];
    for (const { key } of [expired, trial, dated, { key: 'nonsense' }]) {
      expect(await ask(['pc-guard', 'cloud-immunity'], key)).toEqual(withoutPlan);
    }
    expect([rows(service, 'select * from licenses'), account.sessions.size]).toEqual([before, sessions]);
    for (const { key } of [expired, trial]) expect((await ask(['pc-guard', 'pro'], key))[0]).toBe(200);
  });

  test("a holder of the key cannot reduce the operator's grant by paying for less and cancelling", async () => {
    const { key, license_id } = await service.issue('--test', '--plan', 'enterprise', '--trial');
    const shown = async () => JSON.parse(await service.command('license', 'show', license_id, '--json'));
    const { expires_at } = await shown();
    const sessionId = await order({ items: ['starter'], license_key: key });
    const subscription = api.pay(sessionId);
    const hear = async () => {
      for (const event of account.events.slice(-2)) await deliver(event);
      await settled();
    };
    await hear();
    expect(await shown()).toMatchObject({
      status: 'active',
      plan: 'enterprise',
      subscription: subscription.id,
    });
    account.move(subscription, 'unpaid');
    await hear();
    expect(await shown()).toMatchObject({ status: 'trial', plan: 'enterprise', holds: ['payment'] });
    account.move(subscription, 'canceled');
    await hear();
    expect(await shown()).toMatchObject({
      status: 'trial',
      plan: 'enterprise',
      expires_at,
      granted_plan: 'enterprise',
      granted_until: expires_at,
    });
    expect(await verify(service.url, key, 'any.com')).toMatchObject({
      status: 'trial',
      trial_ends_at: expires_at,
    });
    const own = await call(service.url, `${API}/auth/verify`, { method: 'POST', key });
    expect(own.json.data).toMatchObject({ plan: 'enterprise', expires_at });
  });

  test('an operator extends a paid license, and that expiry applies when the payments end', async () => {
    const sessionId = await order({ items: ['pro'] });
    const subscription = api.pay(sessionId);
    for (const event of account.events.slice(-2)) await deliver(event);
    await settled();
    const key = keyOn((await page(sessionId, 'POST')).text) ?? '';
    const [license] = rows(service, 'select id from licenses where subscription_id = ?', subscription.id);
    await service.command('license', 'extend', `lic_${license?.id}`, '--expires', '2099-01-01');
    account.move(subscription, 'canceled');
    await deliver(account.events.at(-1) as Event);
    await settled();
    const own = await call(service.url, `${API}/auth/verify`, { method: 'POST', key });
    expect(own.json.data).toMatchObject({
      valid: true,
      plan: 'pro',
      expires_at: '2099-01-01T00:00:00.000Z',
    });
  });

  test('a trial that waits for its card cannot be extended', async () => {
    await post(service.url, '/license/trial', trialOf('waiting'));
    const [license] = rows(
      service,
      'select id, expires_at from licenses where pending_until is not null order by id desc',
    );
    const command = ['license', 'extend', `lic_${license?.id}`, '--expires', '2099-01-01'];
    const { exitCode, stderr } = await run('binary', service.env, ...command);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('waiting for its card')]);
    expect(rows(service, 'select expires_at from licenses where id = ?', Number(license?.id))).toEqual([
      { expires_at: license?.expires_at },
    ]);
  });

  test('unauthentic deliveries are 400 and store nothing; others are accepted once', async () => {
    const event = account.emit('customer.subscription.updated', { id: 'sub_none' });
    const now = Math.floor(Date.now() / 1_000);
    const stored = () => rows(service, 'select id from payment_events where id = ?', event.id);
    for (const signing of [{ secret: 'whsec_x' }, { at: now - 400 }, { at: now + 400 }]) {
      const { status, json } = await deliver(event, signing);
      expect([status, json.error.code]).toEqual([400, 'WEBHOOK_REJECTED']);
    }
    expect((await deliver({ ...event, livemode: true })).status).toBe(400);
    expect((await call(service.url, '/webhooks/stripe', { body: '{}' })).status).toBe(400);
    expect(stored()).toEqual([]);
    const huge = await call(service.url, '/webhooks/stripe', {
      body: 'x'.repeat(256 * 1024 + 1),
      headers: { 'stripe-signature': 't=1,v1=0' },
    });
    expect(huge.status).toBe(413);
    expect([(await deliver(event)).status, (await deliver(event)).status]).toEqual([200, 200]);
    expect(stored()).toHaveLength(1);
  });

  test('deliveries answered with 2xx survive SIGKILL and are settled at the next start', async () => {
    const sessionId = await order({ items: ['starter'] });
    const subscription = api.pay(sessionId);
    for (let again = 0; again < 50; again++) api.fail(`GET /v1/subscriptions/${subscription.id}`, 500);
    for (const event of account.events.slice(-2)) expect((await deliver(event)).status).toBe(200);
    earlierLog = service.log();
    await service.end('SIGKILL');
    api.heal();
    service = await start(target, { ...settings, ...service.env });
    await settled();
    expect(keyOn((await page(sessionId, 'POST')).text)).toBeDefined();
  });

  test('failed settlements are retried automatically, and events during a downtime are found', async () => {
    const sessionId = await order({ items: ['starter'] });
    const subscription = api.pay(sessionId);
    api.fail(`GET /v1/subscriptions/${subscription.id}`, 500);
    await deliver(account.events.at(-1) as Event);
    await settled();
    const key = keyOn((await page(sessionId, 'POST')).text) ?? '';
    expect(await verify(service.url, key, 'any.com')).toMatchObject({ valid: true });
    await service.end();
    account.move(subscription, 'paused');
    service = await start(target, { ...settings, ...service.env });
    await until(async () => (await verify(service.url, key, 'any.com')).reason === 'suspended');
  });

  test('secrets, addresses and keys are in no log', async () => {
    const log = earlierLog + service.log();
    for (const secret of [SECRET_KEY, WEBHOOK_SECRET, 'owner', 'buyer@', 'rdt_test_', 'cs_test']) {
      expect(log).not.toContain(secret);
    }
    expect(log).not.toContain('unexpected error');
  });
});

describe('without Stripe', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await start('binary');
  });
  afterAll(() => service.end());

  test('a trial starts immediately, once, and reports that it is mocked', async () => {
    const { json } = await post(service.url, '/license/trial', trialOf('one'));
    expect([json.mock, json.status]).toEqual([true, 'trial']);
    expect(await verify(service.url, json.license_key, 'one.com')).toMatchObject({ status: 'trial' });
    expect((await post(service.url, '/license/trial', trialOf('one'))).status).toBe(409);
  });

  test('a checkout leads to a page of this host that sells and grants nothing', async () => {
    const { json } = await post(service.url, '/checkout', { items: ['pro'] });
    expect(json.mock).toBe(true);
    const page = await fetch(json.checkout_url);
    expect([new URL(json.checkout_url).origin, page.status]).toEqual([service.url, 200]);
    expect(await page.text()).toContain('sells nothing and grants nothing');
    expect(rows(service, "select 1 from licenses where kind = 'paid'")).toEqual([]);
  });

  test('there is no webhook', async () => {
    expect((await call(service.url, '/webhooks/stripe', { body: '{}' })).status).toBe(404);
  });

  test('malformed requests are 400, and the limits are 5 trials and 10 checkouts a minute', async () => {
    const limited = await start('binary');
    const trials = [
      { ...trialOf('a'), domain: 'a..b' },
      { ...trialOf('a'), email: 'nobody' },
      { ...trialOf('a'), install_hash: 'short' },
      {},
      { ...trialOf('a'), install_hash: 7 },
      trialOf('a'),
    ];
    const statuses: number[] = [];
    for (const body of trials) statuses.push((await post(limited.url, '/license/trial', body)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
    const checkouts: number[] = [];
    for (let index = 0; index < 11; index++)
      checkouts.push((await post(limited.url, '/checkout', { items: ['pro'] })).status);
    expect([checkouts.slice(0, 10).every((status) => status === 200), checkouts[10]]).toEqual([true, 429]);
    await limited.end();
  });

  /** Requests a trial as if from an address behind a proxy. */
  const trialFrom = async (url: string, address: string, name: string) => {
    const { status, headers, json } = await call(url, `${API}/license/trial`, {
      body: trialOf(name),
      headers: { 'x-forwarded-for': address },
    });
    return { status, error: json.error, key: json.license_key, retryAfter: headers.get('retry-after') };
  };

  test('a mocked trial is a test license, as with a test card', async () => {
    const { json } = await post(service.url, '/license/trial', trialOf('mocked'));
    expect(json.license_key).toStartWith('rdt_test_');
    expect(rows(service, 'select distinct environment from licenses')).toEqual([{ environment: 'test' }]);
  });

  test('one address, one IPv6 /48 and one IPv4 /24 get few trials, also from many addresses within', async () => {
    const behind = await start('binary', { SERVICE_TRUSTED_PROXIES: '127.0.0.1' });
    const ask = (address: string, index: number) => trialFrom(behind.url, address, `flood${index}`);
    const flood = await Promise.all(
      Array.from({ length: 300 }, (_, index) => ask(`2001:db8:7:${(index % 60).toString(16)}::1`, index)),
    );
    expect(flood.filter(({ status }) => status === 200)).toHaveLength(5);
    const limited = flood.filter(({ error }) => error === 'RATE_LIMITED');
    // Ten pass the limit, and one more every six seconds.
    expect(flood.length - limited.length).toBeWithin(10, 20);
    for (const { status, retryAfter } of limited)
      expect([status, Number(retryAfter) > 0]).toEqual([429, true]);
    expect(rows(behind, 'select id from licenses')).toHaveLength(5);
    const fourth = await Promise.all(
      Array.from({ length: 30 }, (_, index) => ask(`198.51.100.${index}`, 1_000 + index)),
    );
    expect(fourth.filter(({ status }) => status === 200)).toHaveLength(5);
    expect((await ask('2001:db8:8::1', 2_000)).status).toBe(200);
    await behind.end();
  });

  test("trials in a day have the operator's limit, from any caller, also after a restart", async () => {
    const settings = { SERVICE_TRUSTED_PROXIES: '127.0.0.1', SERVICE_TRIALS_PER_DAY: '2' };
    let few = await start('binary', settings);
    const statuses = [];
    for (let network = 1; network <= 3; network++) {
      statuses.push((await trialFrom(few.url, `198.51.${network}.1`, `day${network}`)).status);
    }
    expect(statuses).toEqual([200, 200, 409]);
    await few.end();
    few = await start('binary', { ...few.env, ...settings });
    const late = await trialFrom(few.url, '198.51.9.1', 'day9');
    expect([late.status, late.error]).toEqual([409, 'TRIAL_NOT_AVAILABLE']);
    expect(rows(few, 'select id from licenses')).toHaveLength(2);
    await few.end();
  });

  test('trials can be switched off', async () => {
    const off = await start('binary', { SERVICE_TRIALS_ENABLED: '0' });
    const { status, json } = await post(off.url, '/license/trial', trialOf('one'));
    expect([status, json.error]).toEqual([409, 'TRIAL_NOT_AVAILABLE']);
    await off.end();
  });
});
