import { createServer } from 'node:http';
import { getResponse } from 'msw';
import type { StripeApi } from './handlers.ts';

/** The same API on a free port of this host, for a service that runs as a process of its own. */
export async function serveStripe(api: StripeApi): Promise<{ url: string; close: () => void }> {
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
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
