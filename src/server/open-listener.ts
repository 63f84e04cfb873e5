import { addressesOf, hostAndPort, isSocketPath } from '../lib/socket-address.ts';
import type { Listener, ListenOptions } from '../runtime/listener.ts';
import { runtime } from '../runtime/runtime.ts';
import { cannotListen, isTaken, type ListenSettings, listenReason } from './cannot-listen.ts';
import { listenOnSocket } from './socket-listener.ts';

/** Attempts to find a free port for both loopback addresses if the port is 0. */
const FREE_PORTS_TRIED = 16;
/** Error codes of a host without IPv6, where no other program can listen on the address. */
const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

export interface OpenListenerOptions extends ListenOptions {
  /** Permissions of a Unix socket, in octal digits. */
  readonly socketMode: string;
}

export interface OpenListener {
  readonly listener: Listener;
  /** Why the other loopback address has no listener, for the operator; undefined if none is missing. */
  readonly missing: string | undefined;
}

/**
 * Opens a listener on a Unix socket or a port. If the address is a loopback address, it listens on both of them, so that
 * another user's program cannot receive requests to `localhost`.
 *
 * @throws Fault or ConfigRefused if the address is taken or cannot be used
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
      return { listener: combined(first, await runtime.listen(other)), missing: undefined };
    } catch (error) {
      if (!isTaken(error)) return { listener: first, missing: missingReason(host, other.port, error) };
      await first.stop();
      if (options.port !== 0 || tried === FREE_PORTS_TRIED) throw cannotListen(other, settings, error);
    }
  }
}

function missingReason(host: string, port: number, error: unknown): string | undefined {
  const isAbsent = ABSENT.includes(String((error as NodeJS.ErrnoException).code));
  return isAbsent ? undefined : `no listener on ${hostAndPort(host, port)}: ${listenReason(error, host)}`;
}

function combined(first: Listener, second: Listener): Listener {
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
