import type { ConnectionBounds, ConnectionCounts } from '../lib/crowd.ts';
import { hostAndPort, isSocketPath } from '../lib/socket-address.ts';

/** An app, as a listener serves it. */
export interface Served {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Patterns of the paths that it answers at, such as `/sites/:siteId`. */
  readonly paths: readonly string[];
  /** Paths of checks, which HTTP/1.0 may ask for without a Host; undefined = none. */
  readonly checks?: ReadonlySet<string>;
}

export interface ListenOptions {
  /** A name or an address; or the free path of a Unix socket. */
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
   * @throws Error when the certificate cannot be used; then nothing has changed
   */
  reload(app: Served, bounds: ListenOptions['bounds'], renewed?: ListenOptions['tls']): Promise<void>;
  /** From now on ends each connection with its next answer, so that clients with open connections reconnect between two requests. */
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
  /** Undefined where connections are not bounded. */
  connections(): ConnectionCounts | undefined;
  listen(options: ListenOptions): Promise<Listener>;
}

/** Timeout of running requests when their listener stops. */
export const DRAIN_MS_MAX = 10_000;

/** Ends the connection with this answer; the client sends what is unanswered over a new one. */
export async function asLast(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set('connection', 'close');
  return response;
}

/** The address of callers over a Unix socket, which have none: programs of this host. */
export const LOCAL_ADDRESS = '127.0.0.1';

export const urlOf = ({ host, tls }: ListenOptions, port: number): string =>
  isSocketPath(host) ? hostAndPort(host, port) : `${tls ? 'https' : 'http'}://${hostAndPort(host, port)}`;
