import { addressesOf, hostAndPort, isSocketPath } from '../lib/socket-address.ts';
import type { Listener, ListenOptions } from '../runtime/listener.ts';
import { runtime } from '../runtime/runtime.ts';
import { cannotListen, isTaken, type ListenSettings, listenReason } from './cannot-listen.ts';
import { listenOnSocket } from './socket-listener.ts';

/** Where the other loopback address may be taken while this one was free, another free port is tried so often. */
const FREE_PORTS_TRIED = 16;
/** No program can listen there: the host has no IPv6. */
const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

export interface OpenListenerOptions extends ListenOptions {
  /** Permissions of a Unix socket, in octal digits. */
  readonly socketMode: string;
}

export interface OpenListener {
  readonly listener: Listener;
  /** Why the other loopback address has no listener, for the operator. */
  readonly missing: string | undefined;
}

/**
 * Listens where settings say: on a Unix socket; else on a port, at both loopback addresses where one is included, so that no other
 * user of this host gets the requests to `localhost`.
 *
 * @throws Fault or ConfigRefused when it is taken or cannot be used
 */
export async function openListener(
  options: OpenListenerOptions,
  settings: ListenSettings,
): Promise<OpenListener> {
  if (isSocketPath(options.host)) {
    const { socketMode } = options;
    return { listener: await listenOnSocket(options, socketMode, settings), missing: undefined };
  }
  const [own = options.host, host] = addressesOf(options.host);
  const at = { ...options, host: own };
  for (let tried = 1; ; tried += 1) {
    const first = await runtime.listen(at).catch((error) => {
      throw cannotListen(at, settings, error);
    });
    if (host === undefined) return { listener: first, missing: undefined };
    const other = { ...options, host, port: Number(new URL(first.url).port), bounds: undefined };
    try {
      return { listener: together(first, await runtime.listen(other)), missing: undefined };
    } catch (error) {
      if (!isTaken(error)) return { listener: first, missing: missingWords(host, other.port, error) };
      await first.stop();
      if (options.port !== 0 || tried === FREE_PORTS_TRIED) throw cannotListen(other, settings, error);
    }
  }
}

function missingWords(host: string, port: number, error: unknown): string | undefined {
  const isAbsent = ABSENT.includes(String((error as NodeJS.ErrnoException).code));
  return isAbsent ? undefined : `no listener on ${hostAndPort(host, port)}: ${listenReason(error, host)}`;
}

function together(first: Listener, second: Listener): Listener {
  return {
    url: first.url,
    async reload(app, bounds, renewed) {
      await first.reload(app, bounds, renewed);
      await second.reload(app, undefined, renewed);
    },
    leave() {
      first.leave();
      second.leave();
    },
    async stop() {
      await Promise.all([first.stop(), second.stop()]);
    },
  };
}
