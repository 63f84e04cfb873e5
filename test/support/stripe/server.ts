import { createServer } from 'node:http';
import { getResponse } from 'msw';
import type { Env } from '../service.ts';
import { SECRET_KEY, type StripeApi } from './handlers.ts';
import { WEBHOOK_SECRET } from './webhook.ts';

export interface ServedStripe {
  readonly url: string;
  /** Settings that make a service use it as Stripe. */
  readonly settings: Env;
  readonly close: () => void;
}

/** The same API on a free port of this host, for a service in a separate process. */
export async function serveStripe(api: StripeApi): Promise<ServedStripe> {
  const { handlers } = api;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request = new Request(`http://stripe.local${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: incoming.headers as Record<string, string>,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const response = (await getResponse(handlers, request)) ?? new Response('{}', { status: 404 });
    outgoing.writeHead(response.status, { 'content-type': 'application/json' });
    outgoing.end(await response.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    settings: {
      SERVICE_STRIPE_SECRET_KEY: SECRET_KEY,
      SERVICE_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      SERVICE_STRIPE_API_BASE: url,
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
