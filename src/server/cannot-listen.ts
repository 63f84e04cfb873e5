import { Fault, reasonOf } from '../lib/fault.ts';
import { hostAndPort, isSocketPath } from '../lib/socket-address.ts';
import type { ListenOptions } from '../runtime/listener.ts';
import { ConfigRefused } from '../settings/config.ts';
import { troubleOf } from '../storage/engine/trouble.ts';

export interface ListenSettings {
  /** The names of the settings, for the operator. */
  readonly host: string;
  readonly port: string;
}

export const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

/** Why a listener could not be opened, for the operator. */
export const listenReason = (error: unknown): string => troubleOf(error) ?? reasonOf(error);

/** Names the settings, the address and the reason, in one line. */
export function cannotListen(
  { host, port }: Pick<ListenOptions, 'host' | 'port'>,
  settings: ListenSettings,
  error: unknown,
): Fault {
  const isSocket = isSocketPath(host);
  const reason = isTaken(error)
    ? `another program uses this ${isSocket ? 'socket' : 'port'}`
    : listenReason(error);
  const names = isSocket ? settings.host : `${settings.host}, ${settings.port}`;
  const message = `cannot listen on ${hostAndPort(host, port)} (${names}): ${reason}`;
  return error instanceof ConfigRefused ? new ConfigRefused(message) : new Fault(message, { cause: error });
}
