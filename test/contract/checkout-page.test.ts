import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API, call } from '../support/client.ts';
import { type RunningService, start } from '../support/service.ts';
import { StripeAccount } from '../support/stripe/account.ts';
import { SECRET_KEY, StripeApi } from '../support/stripe/handlers.ts';
import { type ServedStripe, serveStripe } from '../support/stripe/server.ts';

const DONE = '/checkout/done';

/** A page as a browser requests it. */
const look = async (service: RunningService, path: string, method = 'GET') => {
  const reply = await call(service.url, path, { method, headers: { accept: 'text/html' } });
  const title = /<h1>(.*)<\/h1>/.exec(reply.text)?.[1];
  return { ...reply, title, isHtml: reply.headers.get('content-type')?.startsWith('text/html') };
};

describe('the page after a checkout, with Stripe', () => {
  const api = new StripeApi(new StripeAccount());
  let stripe: ServedStripe;
  let service: RunningService;
  beforeAll(async () => {
    stripe = await serveStripe(api);
    // Its own process: it uses a test Stripe account, and limits are tested.
    service = await start('binary', {
      SERVICE_STRIPE_SECRET_KEY: SECRET_KEY,
      SERVICE_STRIPE_API_BASE: stripe.url,
    });
  });
  afterAll(async () => {
    await service.end();
    stripe.close();
  });

  test('names the missing parts of an incomplete or damaged address, and repeats nothing of it', async () => {
    for (const method of ['GET', 'POST']) {
      const incomplete = await look(service, DONE, method);
      expect([incomplete.status, incomplete.isHtml]).toEqual([400, true]);
      expect(incomplete.text).toContain('This link is incomplete: its session_id is missing.');
      for (const sent of ['', '%00', '<script>', '{CHECKOUT_SESSION_ID}', 'x'.repeat(256), '%ff']) {
        const damaged = await look(service, `${DONE}?session_id=${sent}`, method);
        expect([sent, damaged.status, damaged.isHtml]).toEqual([sent, 400, true]);
        expect(damaged.text).toContain('This link is damaged');
        if (sent !== '') expect(damaged.text).not.toContain(sent);
      }
    }
  });

  test('promises nothing for a session that is unknown, unpaid or expired, and reloads', async () => {
    const { json } = await call(service.url, `${API}/checkout`, { body: { items: ['pro'] } });
    const unpaid = String(json.checkout_url).split('/').at(-1);
    for (const [sessionId, method] of [
      ['cs_test_unknown', 'GET'],
      ['cs_test_unknown&utm_source=mail', 'GET'],
      [unpaid, 'GET'],
      [unpaid, 'POST'],
    ]) {
      const page = await look(service, `${DONE}?session_id=${sessionId}`, method);
      expect([page.status, page.title]).toEqual([200, 'Waiting for your payment']);
      expect(page.text).toContain('If you did not pay, nothing was bought.');
      expect(page.text).toContain('http-equiv="refresh"');
    }
  });
});

describe('the page after a checkout, without Stripe', () => {
  test('reports that nothing is sold here, and retries automatically when it was opened too often', async () => {
    const service = await start('binary', { SERVICE_RATE_IP_PER_MINUTE: '1' });
    const path = `${DONE}?session_id=cs_test_unknown`;
    const page = await look(service, path);
    expect([page.status, page.title]).toEqual([200, 'This is not a payment page']);
    const limited = await look(service, path);
    expect([limited.status, limited.isHtml]).toEqual([429, true]);
    const retryAfter = limited.headers.get('retry-after');
    expect(limited.text).toContain(`<meta http-equiv="refresh" content="${retryAfter}">`);
    for (const other of ['/checkout/cancelled', '/checkout/mock']) {
      const page = await look(service, other);
      expect([page.status, page.title]).toEqual([429, 'This did not work']);
    }
    await service.end();
  });
});
