import { createServer as createPlainServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';

export interface BunServerOptions {
  readonly hostname: string;
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly reusePort: boolean;
  /** After which a silent connection is ended. */
  readonly idleSeconds: number;
  /** How long a request's head may take to arrive. */
  readonly headSeconds: number;
  /** Of a request line and its headers together. */
  readonly headBytesMax: number;
  readonly fetch: Bun.Serve.Handler<Request, Bun.Server<undefined>, Response>;
  readonly routes: Record<string, Bun.Serve.Handler<Request, Bun.Server<undefined>, Response>>;
  /** A connection was accepted; nothing of it was read yet. */
  readonly onConnection: (connection: Socket) => void;
  /** What came from a connection is no request, as the code of the error says; the answer ends it. */
  readonly onUnreadable: (error: UnreadableError, connection: Socket) => void;
}

export interface UnreadableError {
  readonly code?: string;
  /** What came last. */
  readonly rawPacket?: Uint8Array;
}

export interface BunServer {
  readonly server: Bun.Server<undefined>;
  /** Stops accepting and ends connections that are silent. */
  close(): void;
  /** Ends connections that have become silent since. */
  closeSilent(): void;
}

/**
 * A `Bun.serve` that tells of its connections. On Bun, node:http's server is a `Bun.serve` with hooks of its own, which it
 * does not offer otherwise: one for each connection that is accepted, and one for what cannot be read as a request. So
 * node:http is let listen, and then its `Bun.serve` is given our handlers: requests come to them without a detour.
 *
 * @throws Error when the port cannot be had, or when a later Bun works in another way
 */
export function serve(options: BunServerOptions): BunServer {
  const { hostname, port, tls, fetch, routes } = options;
  const limits: ServerOptions = {
    maxHeaderSize: options.headBytesMax,
    headersTimeout: options.headSeconds * 1_000,
    requestTimeout: options.idleSeconds * 1_000,
    connectionsCheckingInterval: CHECK_MS,
    // Our own refusal has our headers.
    requireHostHeader: false,
  };
  const front = tls ? createTlsServer({ ...limits, ...tls }) : createPlainServer(limits);
  front.on('connection', options.onConnection);
  front.on('clientError', options.onUnreadable);
  const listening = { hostname, port, reusePort: options.reusePort, idleTimeout: options.idleSeconds };
  const server = listen(front, listening);
  server.reload({ fetch, routes });
  return { server, close: () => front.close(), closeSilent: () => front.closeIdleConnections() };
}

const CHECK_MS = 1_000;

/** Lets a server of node:http listen, by other options than it would give. */
function listen(front: Server, options: object): Bun.Server<undefined> {
  const bunServe = Bun.serve;
  let server: Bun.Server<undefined> | undefined;
  let failure: unknown = new Error('node:http is not made of Bun.serve any more');
  const intercepted = (own: Bun.Serve.Options<undefined>) => {
    try {
      server = bunServe({ ...own, ...options } as Bun.Serve.Options<undefined>);
      return server;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  // It reports its failures here once more, later.
  front.on('error', () => {});
  Bun.serve = intercepted as typeof Bun.serve;
  try {
    front.listen();
  } finally {
    Bun.serve = bunServe;
  }
  if (server === undefined) throw failure;
  return server;
}
