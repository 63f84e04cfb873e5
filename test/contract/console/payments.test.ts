import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { adminOf, auditOf, tokenOf } from '../../support/admin.ts';
import { call } from '../../support/client.ts';
import { type Browser, operatorOf } from '../../support/console.ts';
import { type RunningService, run, start, until } from '../../support/service.ts';
import { rows } from '../../support/store.ts';
import { StripeAccount } from '../../support/stripe/account.ts';
import { StripeApi } from '../../support/stripe/handlers.ts';
import type { Event } from '../../support/stripe/objects.ts';
import { type ServedStripe, serveStripe } from '../../support/stripe/server.ts';
import { delivery } from '../../support/stripe/webhook.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const PATH = '/console/payments';
const MINUTES = 4 * 60_000;
const newId = () => `sub_${Bun.randomUUIDv7().replaceAll('-', '')}`;

describe('with Stripe', () => {
  const account = new StripeAccount();
  const api = new StripeApi(account);
  let stripe: ServedStripe;
  let service: RunningService;
  let operator: Browser;
  let token: string;
  beforeAll(async () => {
    stripe = await serveStripe(api);
    // Its own process: it uses a test Stripe account.
    service = await start('binary', {
      ...stripe.settings,
    });
    [operator, token] = await Promise.all([operatorOf(service, 'olga', 'operator'), tokenOf(service)]);
  });
  afterAll(async () => {
    await service.end();
    stripe.close();
  });

  const stateOf = (id: string) =>
    rows(service, 'select attempts, processed_at, due_at from payment_events where subject_id = ?', id)[0];
  const deliver = async (event: Event) => {
    const { body, signature } = delivery(event);
    await call(service.url, '/webhooks/stripe', { body, headers: { 'stripe-signature': signature } });
  };

  /** An event that has failed and is retried in minutes, though its cause is gone. */
  async function failing(id: string): Promise<void> {
    for (let again = 0; again < 50; again++) api.fail(`GET /v1/subscriptions/${id}`, 500);
    await deliver(account.emit('customer.subscription.updated', { id, object: 'subscription' }));
    await until(() => Number(stateOf(id)?.attempts) > 0);
    rows(service, 'update payment_events set due_at = ? where subject_id = ?', Date.now() + MINUTES, id);
    api.heal();
  }

  test.each([
    [
      'the console',
      (subject_id: string) =>
        operator.post(`${PATH}/retry`, { kind: 'subscription', subject_id, reason: 'Stripe is back' }),
      'operator:olga',
    ],
    [
      'the admin API',
      (subject_id: string) =>
        adminOf(service, token)('/payments/retry', {
          body: { kind: 'subscription', subject_id, reason: 'Stripe is back' },
        }),
      'token:shop',
    ],
    [
      'a command',
      (subject_id: string) =>
        service.command('payments', 'retry', 'subscription', subject_id, '--reason', 'Stripe is back'),
      expect.stringMatching(/^cli:/),
    ],
  ])(
    'postponed events are settled immediately by %s, and audited with the reason',
    async (_, retry, actor) => {
      const id = newId();
      await failing(id);
      const other = newId();
      await failing(other);
      await retry(id);
      await until(() => stateOf(id)?.processed_at !== null, 5_000);
      expect(stateOf(other)).toMatchObject({ processed_at: null });
      const entry = auditOf(service, 'payment.retry').at(-1);
      expect(entry).toMatchObject({ actor, reason: 'Stripe is back', subject: null });
      expect(JSON.parse(String(entry?.after))).toEqual({ kind: 'subscription', subjectId: id, events: 1 });
    },
  );

  test('all failed ones are retried by one act, and dismissed ones are shown afterwards', async () => {
    const id = newId();
    await failing(id);
    const answer = await operator.post(`${PATH}/retry`, { all: '1' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, PATH]);
    await until(() => rows(service, 'select 1 from payment_events where processed_at is null').length === 0);
    const { text } = await operator.get(PATH);
    expect(text).toContain('are being retried.');
    expect(text).toContain(id);
    expect(JSON.parse(await service.command('payments', 'retry', '--all', '--json'))).toEqual({ events: 0 });
  });
});

describe('a failed event', () => {
  const HOSTILE = 'sub_<img src=x onerror=alert(1)>';
  let service: RunningService;
  let viewer: Browser;
  let operator: Browser;
  beforeAll(async () => {
    service = await start('binary');
    [viewer, operator] = await Promise.all([
      operatorOf(service, 'vera', 'viewer'),
      operatorOf(service, 'olga', 'operator'),
    ]);
    await service.issue('--plan', 'pro');
    rows(service, 'update licenses set payment_hold_from = 1, payment_holds = \'["dispute"]\'');
    rows(
      service,
      "insert into payment_events values ('evt_1', 'x', 'subscription', ?, ?, null, 7, ?)",
      HOSTILE,
      Date.now(),
      Date.now() + MINUTES,
    );
  });
  afterAll(() => service.end());

  const kept = () =>
    JSON.stringify(['payment_events', 'audit_log'].map((table) => rows(service, `select * from ${table}`)));

  test('is shown to an operator, escaped, with the licenses that a payment suspends', async () => {
    const { status, text } = await operator.get(PATH);
    expect([status, text.includes('<img')]).toEqual([200, false]);
    expect(text).toContain('sub_&lt;img src=x');
    expect(text).toContain('<a href="/console/licenses/lic_1">');
  });

  test("is only counted for a viewer, without a button or the processor's text", async () => {
    const { status, text } = await viewer.get(PATH);
    expect(status).toBe(200);
    expect(text).toContain('1 event about 1 subject.');
    for (const hidden of ['sub_', '/retry', 'Dismissed']) expect(text).not.toContain(hidden);
  });

  test('is shown next to the trials that are active, that wait for a card, and that began today', async () => {
    await service.issue('--plan', 'pro', '--trial');
    const trial = `insert into trials (id, license_id, domain, install_hash, email_hash, email_slot, reserved_until, confirmed_at)
      values (?, ?, ?, ?, ?, 1, ?, ?)`;
    rows(service, trial, 1, 1, '1', '1', '1', Date.now() + MINUTES, null);
    rows(service, trial, 2, 2, '2', '2', '2', 0, Date.now());
    const { text } = await viewer.get(PATH);
    const facts = [...text.matchAll(/<dt>([^<]*)<[/]dt><dd>([^<]*)/g)].map(([, name, fact]) => [name, fact]);
    expect(facts).toEqual([
      ['running', '1'],
      ['waiting for a card', '1'],
      ['started today (UTC)', '1'],
    ]);
  });

  test.each([
    ['nothing', {}],
    ['an invalid kind', { kind: 'invoice', subject_id: 'in_1' }],
  ])('is not retried by a form that names %s, and nothing is stored', async (_, form) => {
    const before = kept();
    const { status, text } = await operator.post(`${PATH}/retry`, form);
    expect([status, text]).toEqual([409, expect.stringContaining('role="alert"')]);
    expect(kept()).toBe(before);
  });

  test('is shown by a command, with the licenses that a payment suspends', async () => {
    const { stdout } = await run('binary', service.env, 'payments', 'problems');
    expect(stdout).toMatch(/^subscription +sub_<img .*> +1 +7 /m);
    expect(stdout).toMatch(/lic_1 +1970-01-01T00:00:00.001Z +true/);
    const json = JSON.parse(await service.command('payments', 'problems', '--json'));
    expect(json).toMatchObject({ failing: [{ subject_id: HOSTILE, attempts: 7 }], dismissed_today: 0 });
  });

  test.each([
    [2, []],
    [2, ['subscription']],
    [2, ['subscription', 'sub_9', '--all']],
    [2, ['charge', 'ch_9']],
  ])('is not retried, with exit code %p, by %p', async (exitCode, words) => {
    const before = kept();
    expect(await run('binary', service.env, 'payments', 'retry', ...words)).toMatchObject({ exitCode });
    expect(kept()).toBe(before);
  });

  test('is not retried by a request that names neither one event nor all, and nothing is stored', async () => {
    const admin = adminOf(service, await tokenOf(service));
    const before = kept();
    for (const body of [
      {},
      { all: false },
      { kind: 'subscription' },
      { subject_id: 'sub_9' },
      { all: true, kind: 'subscription', subject_id: HOSTILE },
    ]) {
      const { status, json } = await admin('/payments/retry', { body });
      expect([body, status, json.error.code]).toEqual([body, 400, 'INVALID_PAYLOAD']);
    }
    expect(kept()).toBe(before);
  });
});

test('every license that is or will be suspended for money is listed, page by page, with its customer for support', async () => {
  // Its own process: it counts the held licenses of the whole installation.
  const service = await start('binary');
  const [viewer, support] = await Promise.all([
    operatorOf(service, 'vera', 'viewer'),
    operatorOf(service, 'sue', 'support'),
  ]);
  expect((await viewer.get('/console')).text).not.toContain(`href="${PATH}"`);
  await service.command(
    'license',
    'issue',
    '--plan',
    'pro',
    '--count',
    '53',
    '--customer',
    'Oak & Co',
    '--out',
    join(temporaryDirectory(), 'keys.csv'),
  );
  rows(service, 'update licenses set payment_hold_from = ?', Date.now() + MINUTES);
  rows(service, `update licenses set payment_hold_from = null, holds = '["dispute"]' where id = 1`);
  await until(async () => (await viewer.get('/console')).text.includes(`href="${PATH}"`));
  const [seen, named, rest] = [
    await viewer.get(PATH),
    await support.get(PATH),
    await support.get(`${PATH}?from=50`),
  ];
  expect(seen.text.match(/will be suspended/g)?.length).toBe(49);
  expect(seen.text).toMatch(/lic_1<\/a><\/th>.*?<span class="badge bad">suspended<\/span>.*?disputed/);
  expect([seen.text.includes('Oak'), named.text.includes('Oak &amp; Co')]).toEqual([false, true]);
  expect([named.text.includes(`${PATH}?from=50`), rest.text.match(/lic_\d+<\/a><\/th>/g)?.length]).toEqual([
    true,
    3,
  ]);
  for (const odd of ['-1', '9999', '1e3', '"><b>'])
    expect((await support.get(`${PATH}?from=${encodeURIComponent(odd)}`)).status).toBe(200);
  await service.end();
});
