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
/** Well above the service's own limit, so that most refusals have its headers. */
const RUNTIME_HEAD_BYTES_MAX = 128 * 1024;
const CROWD_CHECK_MS = 250;
const DRAIN_CHECK_MS = 10;
/** How long accepted connections may take to send their first request after the last answer. */
const DRAIN_QUIET_MS = 100;
/** Timeout of running requests if there are too many connections. */
const CROWDED_DRAIN_MS_MAX = 1_000;

/** Stops accepting, waits for running requests up to a limit, then closes all connections. */
async function drain(server: Bun.Server<undefined>, drainMsMax: number): Promise<void> {
  const endsAtMs = systemClock.monotonic() + drainMsMax;
  // Its promise would also wait for connections without any request.
  void server.stop();
  let quietUntilMs = 0;
  for (;;) {
    const nowMs = systemClock.monotonic();
    if (quietUntilMs === 0 || server.pendingRequests > 0) quietUntilMs = nowMs + DRAIN_QUIET_MS;
    if (nowMs >= Math.min(quietUntilMs, endsAtMs)) break;
    await Bun.sleep(DRAIN_CHECK_MS);
  }
  await server.stop(true);
}

/** @throws Error if the port is taken. Listeners with a shared port would not report that. */
async function refuseTakenPort({ host: hostname, port }: ListenOptions): Promise<void> {
  if (isSocketPath(hostname)) return;
  await Bun.serve({ hostname, port, fetch: () => new Response() }).stop(true);
}

/** The current state of a listener. */
interface ServedNow {
  readonly app: () => Served;
  /** Whether each answer closes its connection. */
  readonly isLeaving: () => boolean;
  /** Used for requests without a Host header. */
  readonly origin: string;
  /** Whether it listens on a Unix socket. */
  readonly isLocal: boolean;
}

const SLASH = 0x2f;

/**
 * Completes the URL of a health check over HTTP/1.0, which has no Host header; undefined for other requests. Bun creates an
 * incomplete URL without a Host header, and itself refuses such requests over HTTP/1.1.
 */
function checkWithoutHost(request: Request, { app, origin }: ServedNow): Request | undefined {
  const { url } = request;
  if (url.charCodeAt(0) !== SLASH) return undefined;
  const { method, headers, signal } = request;
  const [path = ''] = url.split('?', 1);
  if (headers.has('host') || !app().checks?.has(path)) return undefined;
  return new Request(origin + url, { method, headers, signal });
}

/** Frees connections of a listener. */
interface Crowded {
  /** Closes connections that have had requests and are idle. */
  endIdle(): void;
  /** Closes all other connections after their current request. */
  closeOthers(): Promise<void>;
}

export function bunRuntime(): Runtime {
  /** Servers that accept connections, and predecessors that are being drained. */
  const servers = new Set<Bun.Server<undefined>>();
  const listeners = new Set<Crowded>();
  const turns = new TurnBudget(systemClock.monotonic, setImmediate);
  let counts: Runtime['connections'] = () => undefined;
  /** Requests over Unix sockets, for which Bun reports no address. */
  const local = new WeakSet<Request>();
  /** Each request counts as a connection, because proxies on these sockets send one at a time over each connection. */
  let localPort = 0;
  const localPeer = (request: Request): Peer => {
    local.add(request);
    localPort += 1;
    return { address: LOCAL_ADDRESS, port: localPort };
  };
  /** The request that started last, which is queried most often, and whether its path matched a route before normalization. */
  let current: { readonly request: Request; readonly peer: Peer; readonly isRouted: boolean } | undefined;

  /**
   * Bun can neither pause a connection nor delay a pipelined request: if another request arrives in the meantime, the connection
   * breaks. So the connection of a client that pipelines is closed after an answer, if time allows, and the client opens another
   * one. A connection that the client has reset has neither an address nor a recipient.
   */
  const handlerOf =
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
    const routed = handlerOf(served, true);
    // A new listener replaces another on the same port when a certificate is renewed or there are too many connections.
    const overNetwork = { hostname: host, port, reusePort: true };
    return {
      // Bun accepts these options with a Unix socket, but its types do not.
      ...(served.isLocal ? ({ unix: host } as unknown as typeof overNetwork) : overNetwork),
      ...(tls ? { tls } : {}),
      idleTimeout: IDLE_SECONDS_MAX,
      // Routes have their own limits; this one would refuse without the common headers.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      routes: Object.fromEntries(served.app().paths.map((path) => [path, routed])),
      fetch: handlerOf(served, false),
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
      /** Reserved for a new listener, in case connections have used up all other descriptors. */
      const spare = new SpareFiles(1);
      // Bun's servers read their limit from here.
      Object.assign(http, { maxHeaderSize: RUNTIME_HEAD_BYTES_MAX });
      await refuseTakenPort(options);
      let accepting = start(options, options.port, served);
      spare.keep();
      servers.add(accepting);
      const port = accepting.port ?? options.port;
      const own = new Set([accepting]);
      const crowd = options.bounds && new Crowd(options.bounds, systemClock.monotonic);
      if (crowd) counts = () => crowd.counts;

      /** Replaces the accepting server by a new one; returns the old one, which must be drained. */
      const replaceServer = (renewed = tls) => {
        const replaced = accepting;
        accepting = start({ ...options, tls: renewed }, port, served);
        own.add(accepting);
        servers.add(accepting);
        tls = renewed;
        return replaced;
      };
      const end = async (server: Bun.Server<undefined>, drainMsMax: number) => {
        await drain(server, drainMsMax);
        own.delete(server);
        servers.delete(server);
      };
      const crowded: Crowded = {
        endIdle: () => accepting.closeIdleConnections(),
        async closeOthers() {
          // Only permitted clients can connect to a Unix socket without sending requests, and two servers cannot share its path.
          if (isLocal) return;
          spare.release();
          try {
            await end(replaceServer(), CROWDED_DRAIN_MS_MAX);
          } catch {
            // Not even the reserved descriptor was available; the next check tries again.
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
        // The remaining connections have sent no request yet. Bun does not count them as idle.
        if (process.isTooMany()) await Promise.all(Array.from(listeners, (each) => each.closeOthers()));
        isRelieving = false;
      };
      const watch = crowd && setInterval(() => relieve(crowd), CROWD_CHECK_MS);

      return {
        url: urlOf(options, port),
        async reload(next, bounds, renewed) {
          const last = app;
          app = next;
          let replaced: Bun.Server<undefined> | undefined;
          try {
            if (renewed) replaced = replaceServer(renewed);
            else if (!isDeepStrictEqual(next.paths, last.paths))
              accepting.reload(serving({ ...options, tls }, port, served));
          } catch (error) {
            app = last;
            throw error;
          }
          if (bounds) crowd?.bound(bounds);
          if (replaced) await end(replaced, DRAIN_MS_MAX);
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
