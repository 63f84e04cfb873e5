import { setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { isSocketPath } from '../lib/socket-address.ts';
import { pathOf } from '../lib/url-path.ts';
import {
  asLast,
  DRAIN_MS_MAX,
  type ListenOptions,
  LOCAL_ADDRESS,
  type Runtime,
  type Served,
  urlOf,
} from './listener.ts';

interface DenoServer {
  /** A Unix socket has no port. */
  readonly addr: { readonly port?: number };
  shutdown(): Promise<void>;
}
declare const Deno: {
  readonly version: { readonly deno: string };
  serve(
    options: ({ hostname: string; port: number } | { path: string }) & {
      onListen: () => void;
      cert?: string;
      key?: string;
    },
    handler: (request: Request, info: { remoteAddr: { hostname?: string } }) => Response | Promise<Response>,
  ): DenoServer;
};

/** Resolves after the timeout of running requests, without keeping the process alive. */
const drainingTime = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, DRAIN_MS_MAX).unref();
  });

/** On a Unix socket, URLs have a special scheme and, without a Host header, the path of the socket as host. */
const overHttp = (url: string): string =>
  url.replace(/^http\+unix:\/\/(?:%2F[^/]*)?/, (begin) =>
    begin.endsWith('//') ? 'http://' : 'http://localhost',
  );

export function denoRuntime(): Runtime {
  const addresses = new WeakMap<Request, string>();

  const start = (
    options: ListenOptions,
    port: number,
    { app, isLeaving }: { readonly app: () => Served; readonly isLeaving: () => boolean },
  ) => {
    const inFlight = new Set<Promise<Response>>();
    const follow = (answer: Promise<Response>) => {
      const forget = () => inFlight.delete(answer);
      inFlight.add(answer);
      answer.then(forget, forget);
    };
    const server = Deno.serve(
      {
        ...(isSocketPath(options.host) ? { path: options.host } : { hostname: options.host, port }),
        onListen: () => {},
        ...options.tls,
      },
      (request, info) => {
        const { hostname } = info.remoteAddr;
        if (hostname === undefined) Object.defineProperty(request, 'url', { value: overHttp(request.url) });
        addresses.set(request, hostname ?? LOCAL_ADDRESS);
        const given = app().fetch(request);
        const answer = isLeaving() ? asLast(given) : given;
        if (answer instanceof Promise) follow(answer);
        return answer;
      },
    );
    return {
      port: server.addr.port ?? port,
      async stop() {
        // Deno's shutdown would interrupt requests whose bodies are still being read.
        await Promise.race([Promise.allSettled(inFlight), drainingTime()]);
        await Promise.race([server.shutdown(), drainingTime()]);
      },
    };
  };

  return {
    name: `deno ${Deno.version.deno}`,
    commandFor: (file) => [process.execPath, 'run', '--quiet', fileURLToPath(file)],
    socketAddress: (request) => addresses.get(request) ?? 'unknown',
    // Deno does not normalize dot segments, so such paths match no route.
    isTidied: ({ url }) => pathOf(url).includes('\\'),
    connections: () => undefined,
    async listen(options) {
      let { app, tls } = options;
      let isLeaving = false;
      const served = { app: () => app, isLeaving: () => isLeaving };
      let server = start(options, options.port, served);
      const { port } = server;
      return {
        url: urlOf(options, port),
        async reload(next, _, renewed) {
          if (renewed) {
            await server.stop();
            try {
              server = start({ ...options, tls: renewed }, port, served);
            } catch (error) {
              server = start({ ...options, tls }, port, served);
              throw error;
            }
            tls = renewed;
          }
          app = next;
        },
        leave() {
          isLeaving = true;
        },
        stop: () => server.stop(),
      };
    },
  };
}
