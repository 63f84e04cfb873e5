import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers';
import { systemClock } from './lib/clock.ts';
import { type Peer, TurnBudget } from './lib/turn-budget.ts';

// What differs between the runtimes stands in this file alone.

type Handler = (request: Request) => Response | Promise<Response>;

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Paths of PEM files. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly handler: Handler;
}

export interface Listener {
  readonly url: string;
  /** Answers requests with another handler from now on and reads the certificate again. */
  reload(handler: Handler): Promise<void>;
  /** Stops accepting, lets requests in flight finish for a while, then closes every connection. */
  stop(): Promise<void>;
}

export interface Runtime {
  readonly name: string;
  /** The address of a request's connection, while it is being answered. */
  socketAddress(request: Request): string;
  listen(options: ListenOptions): Promise<Listener>;
}

const DRAIN_MS_MAX = 10_000;
const IDLE_SECONDS_MAX = 60;

const pem = ({ cert, key }: { cert: string; key: string }) => ({
  cert: readFileSync(cert, 'utf8'),
  key: readFileSync(key, 'utf8'),
});

interface DenoServer {
  readonly addr: { readonly port: number };
  shutdown(): Promise<void>;
}
declare const Deno: {
  readonly version: { readonly deno: string };
  serve(
    options: { hostname: string; port: number; onListen: () => void; cert?: string; key?: string },
    handler: (request: Request, info: { remoteAddr: { hostname: string } }) => Response | Promise<Response>,
  ): DenoServer;
};

const urlOf = ({ host, tls }: ListenOptions, port: number) =>
  `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Ends the connection with this answer; the client sends what is unanswered over a new one. */
async function asLast(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set('connection', 'close');
  return response;
}

/** Resolves after a while without keeping the process alive. */
const patience = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, DRAIN_MS_MAX).unref();
  });

function bunRuntime(): Runtime {
  /** The listener, and the one before it while that is being drained. */
  const servers: Bun.Server<undefined>[] = [];
  const turns = new TurnBudget(systemClock.monotonic, setImmediate);
  /** The request that was begun last, whose address is asked for most often, and its connection. */
  let current: { readonly request: Request; readonly peer: Peer } | undefined;

  /**
   * Bun can neither pause a connection nor hold a request of it back: one that arrives while another waits breaks the
   * connection off. So a client that sends requests without waiting for answers is told, where there is time for that, to
   * go on over a new connection. One that the client has reset has no address any more, and nobody to answer.
   */
  const inTurn =
    (handler: Handler) =>
    (request: Request, server: Bun.Server<undefined>): Response | Promise<Response> => {
      const peer = server.requestIP(request);
      if (peer === null) return asLast(new Response());
      const answer = () => {
        current = { request, peer };
        return handler(request);
      };
      const place = turns.placeOf(peer);
      if (place === 'now') return answer();
      if (place === 'last') return asLast(answer());
      const { signal: gone } = request;
      return turns.later(() => (gone.aborted ? new Response() : answer()));
    };

  const start = (options: ListenOptions, port: number, handler: Handler) =>
    Bun.serve({
      hostname: options.host,
      port,
      ...(options.tls ? { tls: pem(options.tls) } : {}),
      // A renewed certificate needs a second listener on the same port for a moment. Two services never
      // share a port by this: the data directory's lock keeps the second from starting.
      reusePort: options.tls !== undefined,
      idleTimeout: IDLE_SECONDS_MAX,
      // The routes hold their own caps; this one would answer without our headers.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: inTurn(handler),
    });

  const drain = async (server: Bun.Server<undefined>) => {
    await Promise.race([server.stop(), patience()]);
    await server.stop(true);
  };

  return {
    name: `bun ${Bun.version}`,
    socketAddress(request) {
      if (current?.request === request) return current.peer.address;
      for (const server of servers) {
        const address = server.requestIP(request)?.address;
        if (address !== undefined) return address;
      }
      return 'unknown';
    },
    async listen(options) {
      let handler = options.handler;
      const begin = (port: number) => start(options, port, (request) => handler(request));
      const first = begin(options.port);
      servers.unshift(first);
      const port = first.port ?? options.port;
      return {
        url: urlOf(options, port),
        async reload(next) {
          handler = next;
          if (!options.tls) return;
          servers.unshift(begin(port));
          for (const old of servers.slice(1)) await drain(old);
          servers.splice(1);
        },
        async stop() {
          for (const server of servers) await drain(server);
        },
      };
    },
  };
}

function denoRuntime(): Runtime {
  const addresses = new WeakMap<Request, string>();
  const inFlight = new Set<Promise<Response>>();

  const follow = (answer: Promise<Response>) => {
    const forget = () => inFlight.delete(answer);
    inFlight.add(answer);
    answer.then(forget, forget);
  };

  const start = (options: ListenOptions, port: number, handler: Handler) => {
    const server = Deno.serve(
      {
        hostname: options.host,
        port,
        onListen: () => {},
        ...(options.tls ? pem(options.tls) : {}),
      },
      (request, info) => {
        addresses.set(request, info.remoteAddr.hostname);
        const answer = handler(request);
        if (answer instanceof Promise) follow(answer);
        return answer;
      },
    );
    return {
      port: server.addr.port,
      async stop() {
        // Its shutdown takes the bodies away from requests that are still reading them.
        await Promise.race([Promise.allSettled(inFlight), patience()]);
        await Promise.race([server.shutdown(), patience()]);
      },
    };
  };

  return {
    name: `deno ${Deno.version.deno}`,
    socketAddress: (request) => addresses.get(request) ?? 'unknown',
    async listen(options) {
      let handler = options.handler;
      let server = start(options, options.port, (request) => handler(request));
      const { port } = server;
      return {
        url: urlOf(options, port),
        async reload(next) {
          handler = next;
          if (!options.tls) return;
          await server.stop();
          server = start(options, port, (request) => handler(request));
        },
        stop: () => server.stop(),
      };
    },
  };
}

export const runtime: Runtime = typeof Bun === 'undefined' ? denoRuntime() : bunRuntime();
