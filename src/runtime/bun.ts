import http from 'node:http';
import { setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../lib/clock.ts';
import { Crowd } from '../lib/crowd.ts';
import { isSocketPath } from '../lib/socket-address.ts';
import { SpareFiles } from '../lib/spare-files.ts';
import { type Peer, TurnBudget } from '../lib/turn-budget.ts';
import {
  asLast,
  DRAIN_MS_MAX,
  type ListenOptions,
  LOCAL_ADDRESS,
  type Runtime,
  type Served,
  urlOf,
} from './listener.ts';

const IDLE_SECONDS_MAX = 60;
/** Well above our own bound, so that most of what is refused is refused with our headers. */
const RUNTIME_HEAD_BYTES_MAX = 128 * 1024;
const CROWD_LOOK_MS = 250;
const DRAIN_LOOK_MS = 10;
/** How long after the last answer a connection that was accepted may take to ask. */
const DRAIN_QUIET_MS = 100;
/** How long requests in flight may take when there are too many connections. */
const CROWDED_DRAIN_MS_MAX = 1_000;

/** Stops accepting, lets requests in flight finish for a while, then closes every connection. */
async function drain(server: Bun.Server<undefined>, drainMsMax: number): Promise<void> {
  const endsAtMs = systemClock.monotonic() + drainMsMax;
  // Its promise waits also for connections that never asked anything.
  void server.stop();
  let quietUntilMs = 0;
  for (;;) {
    const nowMs = systemClock.monotonic();
    if (quietUntilMs === 0 || server.pendingRequests > 0) quietUntilMs = nowMs + DRAIN_QUIET_MS;
    if (nowMs >= Math.min(quietUntilMs, endsAtMs)) break;
    await Bun.sleep(DRAIN_LOOK_MS);
  }
  await server.stop(true);
}

/** @throws Error when the port is taken, which a listener that shares its port with the next one would not tell */
async function refuseTakenPort({ host: hostname, port }: ListenOptions): Promise<void> {
  if (isSocketPath(hostname)) return;
  await Bun.serve({ hostname, port, fetch: () => new Response() }).stop(true);
}

/** What a listener answers by at the moment. */
interface ServedNow {
  readonly app: () => Served;
  /** Whether each answer is to be the last one of its connection. */
  readonly isLeaving: () => boolean;
  /** Of requests without a Host. */
  readonly origin: string;
  /** Whether it listens on a Unix socket. */
  readonly isLocal: boolean;
}

const SLASH = 0x2f;

/**
 * A request to check the service by HTTP/1.0, which has no Host, as one at a whole address; undefined for any other. Bun makes no
 * address without a Host, and refuses HTTP/1.1 without one itself.
 */
function checkWithoutHost(request: Request, { app, origin }: ServedNow): Request | undefined {
  const { url } = request;
  if (url.charCodeAt(0) !== SLASH) return undefined;
  const { method, headers, signal } = request;
  const [path = ''] = url.split('?', 1);
  if (headers.has('host') || !app().checks?.has(path)) return undefined;
  return new Request(origin + url, { method, headers, signal });
}

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
  /** Requests over Unix sockets, for which Bun reports no address. */
  const local = new WeakSet<Request>();
  /** Each such request counts as a connection: proxies, which use these sockets, send one at a time over each. */
  let localPort = 0;
  const localPeer = (request: Request): Peer => {
    local.add(request);
    localPort += 1;
    return { address: LOCAL_ADDRESS, port: localPort };
  };
  /** The request that was begun last, which is asked about most often; whether its path, as it was sent, is a route's. */
  let current: { readonly request: Request; readonly peer: Peer; readonly isRouted: boolean } | undefined;

  /**
   * Bun can neither pause a connection nor delay a request on it: one that arrives while another waits breaks the
   * connection. So a client that sends requests without waiting for answers is sent, if there is time, to a new
   * connection. A connection that the client has reset has neither an address nor a recipient.
   */
  const inTurn =
    (served: ServedNow, isRouted: boolean) =>
    (sent: Request, server: Bun.Server<undefined>): Response | Promise<Response> => {
      const { app, isLeaving } = served;
      const check = checkWithoutHost(sent, served);
      const request = check ?? sent;
      const peer = server.requestIP(sent) ?? (served.isLocal ? localPeer(request) : null);
      if (peer === null) return asLast(new Response());
      const answer = () => {
        current = { request, peer, isRouted };
        const given = app().fetch(request);
        return check || isLeaving() ? asLast(given) : given;
      };
      const place = turns.placeOf(peer);
      if (place === 'now') return answer();
      if (place === 'last') return asLast(answer());
      const { signal: gone } = sent;
      return turns.later(() => (gone.aborted ? new Response() : answer()));
    };

  const serving = ({ host, tls }: ListenOptions, port: number, served: ServedNow) => {
    const routed = inTurn(served, true);
    // One listener follows another on the same port: when a certificate was renewed, or to leave a crowd behind.
    const overNetwork = { hostname: host, port, reusePort: true };
    return {
      // Bun takes the other options with a Unix socket as well, which its types do not know.
      ...(served.isLocal ? ({ unix: host } as unknown as typeof overNetwork) : overNetwork),
      ...(tls ? { tls } : {}),
      idleTimeout: IDLE_SECONDS_MAX,
      // The routes hold their own caps; this one would answer without our headers.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      routes: Object.fromEntries(served.app().paths.map((path) => [path, routed])),
      fetch: inTurn(served, false),
    };
  };
  const start = (...parts: Parameters<typeof serving>) => Bun.serve(serving(...parts));

  return {
    name: `bun ${Bun.version}`,
    commandFor: (file) => [process.execPath, fileURLToPath(file)],
    socketAddress(request) {
      if (current?.request === request) return current.peer.address;
      if (local.has(request)) return LOCAL_ADDRESS;
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
      let isLeaving = false;
      const origin = `${tls ? 'https' : 'http'}://localhost`;
      const isLocal = isSocketPath(options.host);
      const served: ServedNow = { app: () => app, isLeaving: () => isLeaving, origin, isLocal };
      /** For another listener when connections have taken all other files. */
      const spare = new SpareFiles(1);
      // Where Bun takes the limit of its servers from.
      Object.assign(http, { maxHeaderSize: RUNTIME_HEAD_BYTES_MAX });
      await refuseTakenPort(options);
      let accepting = start(options, options.port, served);
      spare.keep();
      servers.add(accepting);
      const port = accepting.port ?? options.port;
      const own = new Set([accepting]);
      const crowd = options.bounds && new Crowd(options.bounds, systemClock.monotonic);
      if (crowd) counts = () => crowd.counts;

      /** Puts another listener in the place of the one that accepts; that one is to be drained. */
      const succeed = (renewed = tls) => {
        const before = accepting;
        accepting = start({ ...options, tls: renewed }, port, served);
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
          // Of a Unix socket, only what its permissions let in can be silent, and no second listener can have its path.
          if (isLocal) return;
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
            if (renewed) before = succeed(renewed);
            else if (!isDeepStrictEqual(next.paths, last.paths))
              accepting.reload(serving({ ...options, tls }, port, served));
          } catch (error) {
            app = last;
            throw error;
          }
          if (bounds) crowd?.bound(bounds);
          if (before) await end(before, DRAIN_MS_MAX);
        },
        leave() {
          isLeaving = true;
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
