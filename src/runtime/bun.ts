import http from 'node:http';
import { setInterval } from 'node:timers';
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../lib/clock.ts';
import { Crowd } from '../lib/crowd.ts';
import { SpareFiles } from '../lib/spare-files.ts';
import { type Peer, TurnBudget } from '../lib/turn-budget.ts';
import { DRAIN_MS_MAX, type ListenOptions, type Runtime, type Served, urlOf } from './listener.ts';

const IDLE_SECONDS_MAX = 60;
/** Well above our own bound, so that most of what is refused is refused with our headers. */
const RUNTIME_HEAD_BYTES_MAX = 128 * 1024;
const CROWD_LOOK_MS = 250;
const DRAIN_LOOK_MS = 10;
/** How long requests in flight may take when there are too many connections. */
const CROWDED_DRAIN_MS_MAX = 1_000;

/** Ends the connection with this answer; the client sends what is unanswered over a new one. */
async function asLast(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set('connection', 'close');
  return response;
}

/** Stops accepting, lets requests in flight finish for a while, then closes every connection. */
async function drain(server: Bun.Server<undefined>, drainMsMax: number): Promise<void> {
  const endsAtMs = systemClock.monotonic() + drainMsMax;
  // Its promise waits also for connections that never asked anything.
  void server.stop();
  while (server.pendingRequests > 0 && systemClock.monotonic() < endsAtMs) await Bun.sleep(DRAIN_LOOK_MS);
  await server.stop(true);
}

/** @throws Error when the port is taken, which a listener that shares its port with the next one would not tell */
const refuseTakenPort = ({ host: hostname, port }: ListenOptions): Promise<void> =>
  Bun.serve({ hostname, port, fetch: () => new Response() }).stop(true);

/** A listener, as far as it can make room for connections. */
interface Crowded {
  /** Ends connections that have asked and wait for no answer. */
  endIdle(): void;
  /** Ends all others as well, as soon as they are answered. */
  leaveBehind(): Promise<void>;
}

export function bunRuntime(): Runtime {
  /** Those that accept connections, and those before them while they are being drained. */
  const servers = new Set<Bun.Server<undefined>>();
  const listeners = new Set<Crowded>();
  const turns = new TurnBudget(systemClock.monotonic, setImmediate);
  let counts: Runtime['connections'] = () => undefined;
  /** The request that was begun last, which is asked about most often; whether its path, as it was sent, is a route's. */
  let current: { readonly request: Request; readonly peer: Peer; readonly isRouted: boolean } | undefined;

  /**
   * Bun can neither pause a connection nor hold a request of it back: one that arrives while another waits breaks the
   * connection off. So a client that sends requests without waiting for answers is told, where there is time for that, to
   * go on over a new connection. One that the client has reset has no address any more, and nobody to answer.
   */
  const inTurn =
    (app: () => Served, isRouted: boolean) =>
    (request: Request, server: Bun.Server<undefined>): Response | Promise<Response> => {
      const peer = server.requestIP(request);
      if (peer === null) return asLast(new Response());
      const answer = () => {
        current = { request, peer, isRouted };
        return app().fetch(request);
      };
      const place = turns.placeOf(peer);
      if (place === 'now') return answer();
      if (place === 'last') return asLast(answer());
      const { signal: gone } = request;
      return turns.later(() => (gone.aborted ? new Response() : answer()));
    };

  const start = ({ host, tls }: ListenOptions, port: number, app: () => Served) => {
    const routed = inTurn(app, true);
    return Bun.serve({
      hostname: host,
      port,
      ...(tls ? { tls } : {}),
      // One listener follows another on the same port: when a certificate was renewed, or to leave a crowd behind.
      reusePort: true,
      idleTimeout: IDLE_SECONDS_MAX,
      // The routes hold their own caps; this one would answer without our headers.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      routes: Object.fromEntries(app().paths.map((path) => [path, routed])),
      fetch: inTurn(app, false),
    });
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
    isTidied: (request) => current?.request === request && !current.isRouted,
    connections: () => counts(),
    async listen(options) {
      let { app, tls } = options;
      /** For another listener when connections have taken all other files. */
      const spare = new SpareFiles(1);
      // Where Bun takes the limit of its servers from.
      Object.assign(http, { maxHeaderSize: RUNTIME_HEAD_BYTES_MAX });
      await refuseTakenPort(options);
      let accepting = start(options, options.port, () => app);
      spare.keep();
      servers.add(accepting);
      const port = accepting.port ?? options.port;
      const own = new Set([accepting]);
      const crowd = options.bounds && new Crowd(options.bounds, systemClock.monotonic);
      if (crowd) counts = () => crowd.counts;

      /** Puts another listener in the place of the one that accepts; that one is to be drained. */
      const succeed = (renewed = tls) => {
        const before = accepting;
        accepting = start({ ...options, tls: renewed }, port, () => app);
        own.add(accepting);
        servers.add(accepting);
        tls = renewed;
        return before;
      };
      const end = async (server: Bun.Server<undefined>, drainMsMax: number) => {
        await drain(server, drainMsMax);
        own.delete(server);
        servers.delete(server);
      };
      const crowded: Crowded = {
        endIdle: () => accepting.closeIdleConnections(),
        async leaveBehind() {
          spare.release();
          try {
            await end(succeed(), CROWDED_DRAIN_MS_MAX);
          } catch {
            // There was no file for it, not even the spare one: it is tried again at the next look.
          }
          spare.keep();
        },
      };
      listeners.add(crowded);
      let isRelieving = false;
      const relieve = async (process: Crowd) => {
        if (isRelieving || !process.isTooMany()) return;
        isRelieving = true;
        process.note();
        for (const each of listeners) each.endIdle();
        // What is left has asked nothing yet, which Bun does not call idle.
        if (process.isTooMany()) await Promise.all(Array.from(listeners, (each) => each.leaveBehind()));
        isRelieving = false;
      };
      const watch = crowd && setInterval(() => relieve(crowd), CROWD_LOOK_MS);

      return {
        url: urlOf(options, port),
        async reload(next, bounds, renewed) {
          const last = app;
          app = next;
          let before: Bun.Server<undefined> | undefined;
          try {
            // A server's routes stay as they are.
            if (renewed || !isDeepStrictEqual(next.paths, last.paths)) before = succeed(renewed);
          } catch (error) {
            app = last;
            throw error;
          }
          if (bounds) crowd?.bound(bounds);
          if (before) await end(before, DRAIN_MS_MAX);
        },
        async stop() {
          clearInterval(watch);
          listeners.delete(crowded);
          spare.release();
          await Promise.all(Array.from(own, (server) => end(server, DRAIN_MS_MAX)));
        },
      };
    },
  };
}
