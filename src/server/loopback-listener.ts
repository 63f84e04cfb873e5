import { Fault, reasonOf } from '../lib/fault.ts';
import { hostAndPort } from '../lib/socket-address.ts';
import type { Listener, ListenOptions } from '../runtime/listener.ts';
import { runtime } from '../runtime/runtime.ts';

/** Where the other loopback address may be taken while this one was free, another free port is tried so often. */
const FREE_PORTS_TRIED = 16;

const OTHER_LOOPBACK: Readonly<Record<string, string>> = {
  '127.0.0.1': '::1',
  '::1': '127.0.0.1',
  localhost: '::1',
};

export interface ListenSettings {
  /** The names of the settings, for the operator. */
  readonly host: string;
  readonly port: string;
}

export interface LoopbackListener {
  readonly listener: Listener;
  /** Why the other loopback address has no listener, for the operator. */
  readonly missing: string | undefined;
}

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

/** Names the settings, the address and the reason, in one line. */
export function cannotListen(
  { host, port }: Pick<ListenOptions, 'host' | 'port'>,
  settings: ListenSettings,
  error: unknown,
): Fault {
  const reason = isTaken(error) ? 'another program uses this port' : reasonOf(error);
  const where = `${hostAndPort(host, port)} (${settings.host}, ${settings.port})`;
  return new Fault(`cannot listen on ${where}: ${reason}`, { cause: error });
}

/**
 * Listens at both loopback addresses where one is wanted, so that no other user of this host gets the requests to `localhost`.
 *
 * @throws Fault when a port is taken or an address cannot be used
 */
export async function listenOnLoopback(
  options: ListenOptions,
  settings: ListenSettings,
): Promise<LoopbackListener> {
  const at = { ...options, host: options.host === 'localhost' ? '127.0.0.1' : options.host };
  for (let tried = 1; ; tried += 1) {
    const first = await runtime.listen(at).catch((error) => {
      throw cannotListen(at, settings, error);
    });
    const host = OTHER_LOOPBACK[options.host];
    if (host === undefined) return { listener: first, missing: undefined };
    const other = { ...options, host, port: Number(new URL(first.url).port), bounds: undefined };
    try {
      return { listener: together(first, await runtime.listen(other)), missing: undefined };
    } catch (error) {
      if (!isTaken(error)) {
        const reason = reasonOf(error);
        return { listener: first, missing: `${hostAndPort(host, other.port)} has no listener: ${reason}` };
      }
      await first.stop();
      if (options.port !== 0 || tried === FREE_PORTS_TRIED) throw cannotListen(other, settings, error);
    }
  }
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
