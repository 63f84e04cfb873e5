import type { Socket } from 'node:net';
import { URL_CHARACTERS_MAX } from '../http/headers.ts';
import type { Unreadable } from '../http/unreadable.ts';
import { systemClock } from '../lib/clock.ts';
import { Connections } from '../lib/connections.ts';
import { type Peer, TurnBudget } from '../lib/turn-budget.ts';
import { type BunServer, serve, type UnreadableError } from './bun-server.ts';
import {
  drainingTime,
  HEAD_BYTES_MAX,
  type ListenOptions,
  type Runtime,
  type Served,
  urlOf,
} from './listener.ts';
import { rawText } from './raw-answer.ts';

const IDLE_SECONDS_MAX = 60;
const DRAIN_LOOK_MS = 50;
/** How long a request line and its headers may take to arrive: less than Bun's own 8 to 12 seconds, which give no answer. */
const HEAD_SECONDS_MAX = 7;
/** Requests of one connection that may wait for their answers; one more ends the connection with its answer. */
const UNANSWERED_MAX = 16;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Ends the connection with this answer; the client sends what is unanswered over a new one. */
async function asLast(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set('connection', 'close');
  return response;
}

const problemOf = ({ code }: UnreadableError): Unreadable => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'REQUEST_TIMEOUT';
  return code === 'HPE_HEADER_OVERFLOW' ? 'HEADERS_TOO_LARGE' : 'MALFORMED_REQUEST';
};

/**
 * As much of a request as tells that its URL alone is too long, so that the app refuses it as it refuses other long ones.
 * Undefined also when its head came in several packets, of which only the last can be seen.
 */
function longRequestOf({ rawPacket }: UnreadableError, origin: string): Request | undefined {
  const start = Buffer.from(rawPacket ?? []).toString('latin1', 0, 2 * URL_CHARACTERS_MAX);
  const [, method, target = ''] = /^(get|head|post|put|patch|delete|options) (\/\S*)/i.exec(start) ?? [];
  return method && target.length > URL_CHARACTERS_MAX ? new Request(origin + target, { method }) : undefined;
}

/** Whether a client asks to be told before it sends a body, which Bun would do by itself for a server of its own. */
const waitsForContinue = ({ headers }: Request): boolean =>
  headers.get('expect')?.toLowerCase() === '100-continue';

const peerOf = ({ remoteAddress, remotePort }: Socket): Peer => ({
  address: remoteAddress ?? 'unknown',
  port: remotePort ?? 0,
});

export function bunRuntime(): Runtime {
  /** The listener, and the one before it while that is being drained. */
  const listeners: BunServer[] = [];
  const connections = new Connections<Socket>(systemClock.monotonic);
  const turns = new TurnBudget(systemClock.monotonic, setImmediate);
  /** The request that was begun last, which is asked about most often; whether its path, as it was sent, is a route's. */
  let current: { readonly request: Request; readonly peer: Peer; readonly isRouted: boolean } | undefined;

  const admit = (socket: Socket) => {
    const peer = peerOf(socket);
    if (connections.admit(socket, peer)) socket.once('close', () => connections.forget(peer));
  };

  /**
   * Answers a request when it is its connection's turn. A client that sends many without waiting for answers is told to go
   * on over a new connection.
   */
  const inTurn =
    (app: () => Served, isRouted: boolean) =>
    (request: Request, server: Bun.Server<undefined>): Response | Promise<Response> => {
      const peer = server.requestIP(request);
      const connection = peer && connections.of(peer);
      // There is nobody to answer when it was reset, and nobody who waits for an answer when it is being ended.
      if (!connection || connection.isEnding) return asLast(new Response());
      if (request.method === 'POST' && waitsForContinue(request)) connection.socket.write(CONTINUE);

      const answer = () => {
        current = { request, peer, isRouted };
        return app().fetch(request);
      };
      const answerLater = () => {
        const { signal: gone } = request;
        return turns.later(() => (gone.aborted ? new Response() : answer()));
      };
      const place = turns.placeOf(peer);
      const answered = place === 'later' ? answerLater() : answer();
      const isLast = place === 'last' || connection.unanswered >= UNANSWERED_MAX;
      connection.isEnding = isLast;
      return connections.answering(connection, isLast ? asLast(answered) : answered);
    };

  const start = (options: ListenOptions, port: number, app: () => Served) => {
    const routed = inTurn(app, true);
    return serve({
      hostname: options.host,
      port,
      tls: options.tls,
      // A renewed certificate needs a second listener on the same port for a moment. Two services never
      // share a port by this: the data directory's lock keeps the second from starting.
      reusePort: options.tls !== undefined,
      idleSeconds: IDLE_SECONDS_MAX,
      headSeconds: HEAD_SECONDS_MAX,
      headBytesMax: HEAD_BYTES_MAX,
      routes: Object.fromEntries(app().paths.map((path) => [path, routed])),
      fetch: inTurn(app, false),
      onConnection: admit,
      async onUnreadable(error, socket) {
        const peer = peerOf(socket);
        const request = longRequestOf(error, urlOf(options, port));
        if (request) current = { request, peer, isRouted: true };
        const answer = await (request
          ? app().fetch(request)
          : app().answerUnreadable(problemOf(error), peer.address));
        const text = await rawText(answer);
        if (socket.writable) socket.end(text);
      },
    });
  };

  const drain = async ({ server, close, closeSilent }: BunServer) => {
    close();
    // Answers in flight leave their connections open.
    const ending = setInterval(closeSilent, DRAIN_LOOK_MS);
    await Promise.race([server.stop(), drainingTime()]);
    clearInterval(ending);
    await server.stop(true);
  };

  return {
    name: `bun ${Bun.version}`,
    socketAddress(request) {
      if (current?.request === request) return current.peer.address;
      for (const { server } of listeners) {
        const address = server.requestIP(request)?.address;
        if (address !== undefined) return address;
      }
      return 'unknown';
    },
    isTidied: (request) => current?.request === request && !current.isRouted,
    connections: () => connections.counts,
    async listen(options) {
      let { app } = options;
      connections.bound(options.bounds);
      const begin = (port: number, tls = options.tls) => start({ ...options, tls }, port, () => app);
      const first = begin(options.port);
      listeners.unshift(first);
      const port = first.server.port ?? options.port;
      return {
        url: urlOf(options, port),
        async reload(next, bounds, renewed) {
          if (renewed) listeners.unshift(begin(port, renewed));
          app = next;
          connections.bound(bounds);
          for (const old of listeners.slice(1)) await drain(old);
          listeners.splice(1);
        },
        async stop() {
          for (const listener of listeners) await drain(listener);
        },
      };
    },
  };
}
