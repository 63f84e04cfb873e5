import type { ConnectionBounds, ConnectionCounts } from '../lib/crowd.ts';
import { hostAndPort, isSocketPath } from '../lib/socket-address.ts';

/** An app, as a listener serves it. */
export interface Served {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Patterns of its paths, such as `/sites/:siteId`. */
  readonly paths: readonly string[];
  /** Paths of health checks that HTTP/1.0 clients may request without a Host header. */
  readonly checks?: ReadonlySet<string>;
}

export interface ListenOptions {
  /** A name, an address, or the unused path of a Unix socket. */
  readonly host: string;
  readonly port: number;
  /** PEM texts. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly app: Served;
  /** Limits for the whole process; undefined if another listener enforces them. */
  readonly bounds: ConnectionBounds | undefined;
}

export interface Listener {
  readonly url: string;
  /**
   * Replaces the app, the limits and, if renewed, the certificate.
   *
   * @throws Error if the certificate cannot be used; nothing has changed then
   */
  reload(app: Served, bounds: ListenOptions['bounds'], renewed?: ListenOptions['tls']): Promise<void>;
  /** Closes each connection with its next answer from now on, so that clients reconnect elsewhere between two requests. */
  leave(): void;
  /** Stops accepting, waits for running requests up to a limit, then closes all connections. */
  stop(): Promise<void>;
}

export interface Runtime {
  readonly name: string;
  /** The command that runs a source file in another process. */
  commandFor(file: URL): readonly [program: string, ...words: string[]];
  /** The address of a request's connection, while it is being answered. */
  socketAddress(request: Request): string;
  /**
   * Whether the runtime may have changed the path in a request's URL, by removing dot segments or replacing `\` by `/`. Must be
   * called when the request starts.
   */
  isTidied(request: Request): boolean;
  /** Undefined if connections are not limited. */
  connections(): ConnectionCounts | undefined;
  listen(options: ListenOptions): Promise<Listener>;
}

/** Timeout of running requests when their listener stops. */
export const DRAIN_MS_MAX = 10_000;

/** Closes the connection after this answer. The client resends unanswered requests over a new one. */
export async function asLast(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set('connection', 'close');
  return response;
}

/** The address of callers on a Unix socket, which are programs on this host. */
export const LOCAL_ADDRESS = '127.0.0.1';

export const urlOf = ({ host, tls }: ListenOptions, port: number): string =>
  isSocketPath(host) ? hostAndPort(host, port) : `${tls ? 'https' : 'http'}://${hostAndPort(host, port)}`;
